package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QueriesIT {
    private static final int KEYS = 20;
    private static final int PER_KEY = 15;

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private static CosmosContainer container;

    @BeforeAll
    static void fill() {
        container = EMULATOR.container();
        for (int i = 0; i < KEYS * PER_KEY; i++) {
            var item = item("key-" + i % KEYS, "item-" + i).put("n", i).put("even", i % 2 == 0);
            if (i % 3 == 0) {
                item.putNull("maybe");
            } else if (i % 3 == 1) {
                item.put("maybe", i);
            }
            container.createItem(item);
        }
    }

    @Test
    void a_query_of_one_partition_key_reads_only_that_partition() {
        EMULATOR.emulator().requests().clear();

        var found = query(container, "SELECT * FROM c", inKey("key-7"));

        assertThat(found)
                .hasSize(PER_KEY)
                .allSatisfy(item -> assertThat(item.path("pk").asText()).isEqualTo("key-7"));
        assertThat(EMULATOR.emulator().requests().matching(request -> request.operation() == RequestKind.QUERY))
                .hasSize(1);
    }

    @Test
    void a_query_that_demands_a_partition_key_goes_to_its_partition() {
        EMULATOR.emulator().requests().clear();

        var found = query(container, "SELECT * FROM c WHERE c.n > 100 AND c.pk = 'key-7'");

        assertThat(found).hasSize(10);
        assertThat(EMULATOR.emulator().requests().matching(request -> request.operation() == RequestKind.QUERY))
                .hasSize(1);
    }

    @Test
    void pages_of_any_size_neither_repeat_nor_miss() {
        for (int size : List.of(7, 100)) {
            assertThat(paged("SELECT * FROM c", new CosmosQueryRequestOptions(), size))
                    .hasSize(300);
            assertThat(paged("SELECT * FROM c WHERE c.even", new CosmosQueryRequestOptions(), size))
                    .hasSize(150);
            assertThat(paged("SELECT * FROM c ORDER BY c.n DESC", new CosmosQueryRequestOptions(), size))
                    .hasSize(300);
            assertThat(paged("SELECT * FROM c", inKey("key-3"), size)).hasSize(PER_KEY);
            assertThat(paged("SELECT * FROM c ORDER BY c.n", inKey("key-3"), size))
                    .hasSize(PER_KEY);
        }
    }

    @Test
    void a_page_can_end_within_the_results_of_one_item() {
        var own = EMULATOR.container();
        for (int i = 0; i < 3; i++) {
            var item = item("a", "" + i);
            var tags = item.putArray("tags");
            IntStream.range(0, 5).forEach(tag -> tags.add(item.path("id").asText() + "-" + tag));
            own.createItem(item);
        }

        var pages = own.queryItems("SELECT VALUE t FROM c JOIN t IN c.tags", inKey("a"), JsonNode.class)
                .iterableByPage(2);

        var seen = new ArrayList<String>();
        pages.forEach(page -> page.getResults().forEach(tag -> seen.add(tag.asText())));
        assertThat(seen).hasSize(15).doesNotHaveDuplicates();
    }

    @Test
    void items_written_between_pages_do_not_disturb_a_sorted_query() {
        var own = EMULATOR.container();
        IntStream.range(0, 10).forEach(i -> own.createItem(item("a", "" + i).put("n", i)));
        var pages = own.queryItems("SELECT * FROM c ORDER BY c.n", inKey("a"), JsonNode.class)
                .iterableByPage(3)
                .iterator();
        var seen = new ArrayList<String>(ids(pages.next().getResults()));

        own.deleteItem("0", new PartitionKey("a"), null);
        pages.forEachRemaining(page -> seen.addAll(ids(page.getResults())));

        assertThat(seen)
                .isEqualTo(IntStream.range(0, 10).mapToObj(Integer::toString).toList());
    }

    @Test
    void feed_ranges_that_cut_across_partitions_split_the_items_without_overlap() {
        var seen = new ArrayList<String>();
        for (var range : FeedRanges.cut(16)) {
            seen.addAll(ids(query(container, "SELECT * FROM c", new CosmosQueryRequestOptions().setFeedRange(range))));
        }

        assertThat(seen).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void a_filter_by_type_follows_every_change_of_the_type() {
        var own = EMULATOR.container();
        for (int i = 0; i < 30; i++) {
            own.createItem(item("key-" + i % 3, "" + i).put("type", i % 2 == 0 ? "even" : "odd"));
        }
        own.upsertItem(item("key-0", "0").put("type", "odd"));
        own.upsertItem(item("key-2", "2").put("type", 2));
        own.deleteItem("4", new PartitionKey("key-1"), null);

        assertThat(query(own, "SELECT * FROM c WHERE c.type = 'even'")).hasSize(12);
        assertThat(query(own, "SELECT * FROM c WHERE c.type = 'odd' ORDER BY c.id"))
                .hasSize(16);
        assertThat(query(own, "SELECT * FROM c WHERE c.type = 2")).hasSize(1);
        assertThat(query(own, "SELECT * FROM c WHERE c.type = 'odd' OR c.type = 'even'"))
                .hasSize(28);
    }

    @Test
    void the_ranges_of_the_container_are_its_physical_partitions() {
        var seen = new HashSet<String>();
        for (FeedRange range : container.getFeedRanges()) {
            var found = ids(query(container, "SELECT * FROM c", new CosmosQueryRequestOptions().setFeedRange(range)));
            assertThat(found).isNotEmpty();
            assertThat(Collections.disjoint(seen, found)).isTrue();
            seen.addAll(found);
        }
        assertThat(seen).hasSize(300);
        assertThat(container.getFeedRanges()).hasSize(4);
    }

    @Test
    void a_query_that_does_not_parse_is_refused_with_the_place() {
        assertRefused(() -> query(container, "SELECT * FORM c"), 400)
                .extracting(Throwable::getMessage)
                .asString()
                .contains("Syntax");
    }

    @Test
    void a_query_in_an_unknown_container_is_refused() {
        var missing = EMULATOR.database().getContainer("missing");

        assertRefused(() -> query(missing, "SELECT * FROM c"), 404);
    }

    private static CosmosQueryRequestOptions inKey(String key) {
        return new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(key));
    }

    private static Set<String> paged(String sql, CosmosQueryRequestOptions options, int size) {
        var seen = new ArrayList<String>();
        container.queryItems(sql, options, JsonNode.class).iterableByPage(size).forEach(page -> {
            assertThat(page.getResults()).hasSizeLessThanOrEqualTo(size);
            seen.addAll(ids(page.getResults()));
        });
        assertThat(seen).doesNotHaveDuplicates();
        return new HashSet<>(seen);
    }
}
