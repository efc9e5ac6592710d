package io.sluice.emulator;

import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChangeFeedIT {
    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private CosmosContainer container;

    @BeforeEach
    void makeContainer() {
        container = EMULATOR.container();
    }

    @Test
    void shows_the_latest_version_of_each_item_once() {
        container.createItem(item("a", "1").put("n", 1));
        container.createItem(item("a", "2"));
        container.upsertItem(item("a", "1").put("n", 2));
        container.createItem(item("a", "3"));
        container.deleteItem("3", new PartitionKey("a"), null);

        var seen = drain(fromBeginning(FeedRange.forLogicalPartition(new PartitionKey("a"))))
                .items();

        assertThat(ids(seen)).containsExactly("2", "1");
        assertThat(seen.get(1).path("n").asInt()).isEqualTo(2);
        assertThat(seen.get(0).path("_lsn").asLong())
                .isLessThan(seen.get(1).path("_lsn").asLong());
    }

    @Test
    void goes_on_where_a_continuation_ends() {
        container.createItem(item("a", "1"));
        var first = drain(fromBeginning(FeedRange.forFullRange()));
        container.createItem(item("b", "2"));
        container.upsertItem(item("a", "1"));

        var second = drain(CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(first.continuation()));
        var third = drain(CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(second.continuation()));

        assertThat(ids(first.items())).containsExactly("1");
        assertThat(ids(second.items())).containsExactlyInAnyOrder("1", "2");
        assertThat(third.items()).isEmpty();
    }

    @Test
    void ranges_that_do_not_match_partitions_see_every_item_once_and_in_order() {
        IntStream.range(0, 300)
                .forEach(i -> container.createItem(item("key-" + i % 30, "" + i).put("n", i)));

        var seen = new ArrayList<JsonNode>();
        for (var range : FeedRanges.cut(8)) {
            var items = drain(fromBeginning(range).setMaxItemCount(7)).items();
            seen.addAll(items);
            assertThat(items)
                    .as("in the order of writing within one partition key")
                    .extracting(item -> item.path("_lsn").asLong())
                    .isSorted();
        }

        assertThat(ids(seen)).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void a_sub_range_reads_on_past_what_others_wrote() {
        var ranges = FeedRanges.cut(8);
        container.createItem(item("a", "1"));
        var continuations = new ArrayList<String>();
        for (var range : ranges) {
            continuations.add(drain(fromBeginning(range)).continuation());
        }
        IntStream.range(0, 40).forEach(i -> container.createItem(item("key-" + i, "later")));

        var seen = new ArrayList<JsonNode>();
        for (var continuation : continuations) {
            seen.addAll(drain(CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation))
                    .items());
        }

        assertThat(seen)
                .hasSize(40)
                .allSatisfy(item -> assertThat(item.path("id").asText()).isEqualTo("later"));
    }

    @Test
    void a_batch_is_never_split_over_pages() {
        for (int b = 0; b < 4; b++) {
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey("a"));
            for (int i = 0; i < 10; i++) {
                batch.createItemOperation(item("a", b + "-" + i));
            }
            container.executeCosmosBatch(batch);
        }

        var pages = pages(fromBeginning(FeedRange.forLogicalPartition(new PartitionKey("a")))
                .setMaxItemCount(3));

        assertThat(pages).hasSize(4).allSatisfy(page -> {
            assertThat(page.getResults()).hasSize(10);
            assertThat(page.getResults())
                    .extracting(item -> item.path("_lsn").asLong())
                    .containsOnly(page.getResults().get(0).path("_lsn").asLong());
        });
        assertThat(ids(pages.get(2).getResults()))
                .isEqualTo(IntStream.range(0, 10).mapToObj(i -> "2-" + i).toList());
    }

    @Test
    void from_now_shows_only_what_comes_later() {
        container.createItem(item("a", "1"));
        var now = drain(CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()));
        container.createItem(item("a", "2"));

        var later = drain(CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(now.continuation()));

        assertThat(now.items()).isEmpty();
        assertThat(ids(later.items())).containsExactly("2");
    }

    @Test
    void from_a_time_shows_what_was_written_since() {
        container.createItem(item("a", "1"));

        var future = CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(
                Instant.now().plusSeconds(3600), FeedRange.forFullRange());
        var past = CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(
                Instant.now().minusSeconds(3600), FeedRange.forFullRange());

        assertThat(drain(future).items()).isEmpty();
        assertThat(drain(past).items()).hasSize(1);
    }

    /** What was read, and where reading goes on. */
    private record Drained(List<JsonNode> items, String continuation) {}

    private static CosmosChangeFeedRequestOptions fromBeginning(FeedRange range) {
        return CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range);
    }

    private Drained drain(CosmosChangeFeedRequestOptions options) {
        var items = new ArrayList<JsonNode>();
        var continuation = "";
        for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
            items.addAll(page.getResults());
            continuation = page.getContinuationToken();
        }
        return new Drained(items, continuation);
    }

    private List<FeedResponse<JsonNode>> pages(CosmosChangeFeedRequestOptions options) {
        var pages = new ArrayList<FeedResponse<JsonNode>>();
        for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
            if (!page.getResults().isEmpty()) {
                pages.add(page);
            }
        }
        return pages;
    }
}
