package io.sluice.emulator;

import static io.sluice.emulator.Clients.ids;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Partitions that split and merge between two requests of one reader. Merges reach over the range a query of the Java
 * SDK began with nowhere: it would read the whole merged range then.
 */
@Order(1)
class SplitsIT {
    private static final int ITEMS = 80;

    @RegisterExtension
    static final RunningEmulator EMULATOR =
            new RunningEmulator(EmulatorConfig.inMemory().withPhysicalPartitions(2));

    private CosmosContainer container;

    @BeforeEach
    void makeItems() {
        container = EMULATOR.container();
        IntStream.range(0, ITEMS).forEach(this::create);
    }

    @Test
    void children_share_their_parents_keys_and_items() {
        var before = partitions().of("tests", container.getId());

        var children = partitions().split("tests", container.getId(), "0");

        var after = partitions().of("tests", container.getId());
        assertThat(after).extracting(PartitionRange::id).containsExactly("2", "3", "1");
        assertThat(children).extracting(PartitionRange::parents).containsOnly(List.of("0"));
        assertThat(children.get(0).minInclusive()).isEqualTo(before.get(0).minInclusive());
        assertThat(children.get(1).minInclusive()).isEqualTo(children.get(0).maxExclusive());
        assertThat(children.get(1).maxExclusive()).isEqualTo(before.get(0).maxExclusive());
        assertThat(children).allSatisfy(child -> assertThat(child.itemCount()).isPositive());
        assertThat(children.get(0).itemCount() + children.get(1).itemCount())
                .isEqualTo(before.get(0).itemCount());
    }

    @Test
    void a_child_of_a_child_names_all_its_ancestors() {
        partitions().split("tests", container.getId(), "0");
        partitions().split("tests", container.getId(), "2");
        var merged = partitions().merge("tests", container.getId(), "4", "5");

        assertThat(merged.parents()).containsExactly("0", "2", "4", "5");
        assertThat(container.getFeedRanges()).hasSize(3);
        assertEverythingIsThere();
    }

    @Test
    void what_can_not_be_split_or_merged_is_refused() {
        var id = container.getId();
        partitions().split("tests", id, "0");

        assertThatThrownBy(() -> partitions().split("tests", id, "0")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> partitions().merge("tests", id, "3", "2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no neighbours");
        assertThatThrownBy(() -> partitions().split("tests", "none", "0")).isInstanceOf(IllegalArgumentException.class);
        assertEverythingIsThere();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c",
                "SELECT * FROM c ORDER BY c.n",
                "SELECT * FROM c ORDER BY c.n DESC",
                "SELECT DISTINCT c.id FROM c"
            })
    void a_query_under_way_goes_on(String sql) {
        var expected = ids(Clients.query(container, sql));
        var pages = container
                .queryItems(sql, new CosmosQueryRequestOptions().setMaxDegreeOfParallelism(1), JsonNode.class)
                .iterableByPage(7)
                .iterator();
        var seen = read(pages, 3);
        partitions().split("tests", container.getId(), "0");
        seen.addAll(read(pages, 3));
        partitions().split("tests", container.getId(), "1");
        seen.addAll(read(pages, 3));
        partitions().merge("tests", container.getId(), "4", "5");
        seen.addAll(read(pages, ITEMS));

        assertThat(ids(seen)).containsExactlyInAnyOrderElementsOf(expected).hasSize(ITEMS);
        if (sql.contains("ORDER BY")) {
            assertThat(ids(seen)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT * FROM c", "SELECT * FROM c ORDER BY c.n"})
    void a_query_continuation_outlives_splits(String sql) {
        var seen = new ArrayList<JsonNode>();
        var first = page(sql, null);
        seen.addAll(first.getResults());
        partitions().split("tests", container.getId(), "0");
        partitions().split("tests", container.getId(), "1");
        container
                .queryItems(sql, new CosmosQueryRequestOptions(), JsonNode.class)
                .iterableByPage(first.getContinuationToken(), 9)
                .forEach(page -> seen.addAll(page.getResults()));

        assertThat(ids(seen)).doesNotHaveDuplicates().hasSize(ITEMS);
    }

    @Test
    void a_change_feed_continuation_outlives_splits_and_merges() {
        var seen = new ArrayList<JsonNode>();
        var continuation = changes(
                CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()), 2, seen);
        partitions().split("tests", container.getId(), "0");
        continuation =
                changes(CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation), 2, seen);
        partitions().split("tests", container.getId(), "1");
        partitions().merge("tests", container.getId(), "3", "4");
        create(ITEMS);
        changes(CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation), ITEMS, seen);

        assertThat(ids(seen)).doesNotHaveDuplicates().hasSize(ITEMS + 1);
    }

    @Test
    void a_session_goes_on_in_the_children() {
        var written = create(ITEMS).getSessionToken();
        var range = written.substring(0, written.indexOf(':'));

        partitions().split("tests", container.getId(), range);

        var options = new CosmosItemRequestOptions().setSessionToken(written);
        assertThat(container
                        .readItem("" + ITEMS, new PartitionKey(key(ITEMS)), options, ObjectNode.class)
                        .getStatusCode())
                .isEqualTo(200);
    }

    /** As in the specification of the emulator in Microsoft's SDK for Rust. */
    @Test
    void children_begin_one_number_behind_their_parent_and_keep_the_version_of_its_tokens() {
        var written = SessionToken.of(readLast(null));

        partitions().split("tests", container.getId(), written.range());

        var read = SessionToken.of(readLast(null));
        assertThat(read).isEqualTo(new SessionToken(read.range(), 0, written.lsn() + 1));
        assertThat(read.range()).isNotEqualTo(written.range());
    }

    @Test
    void a_merged_partition_gives_tokens_of_a_new_version() {
        var merged = partitions().merge("tests", container.getId(), "0", "1");
        assertThat(SessionToken.of(readLast(null))).returns("2", SessionToken::range);
        partitions().split("tests", container.getId(), merged.id());

        var tokens = IntStream.range(0, ITEMS)
                .mapToObj(i -> container.readItem("" + i, new PartitionKey(key(i)), ObjectNode.class))
                .map(SessionToken::of)
                .toList();

        assertThat(tokens).extracting(SessionToken::range).contains("3", "4");
        assertThat(tokens)
                .extracting(SessionToken::version)
                .as("kept by a split")
                .containsOnly(1);
    }

    @Test
    void a_session_of_before_a_merge_goes_on_whatever_its_number() {
        partitions().merge("tests", container.getId(), "0", "1");

        assertThat(readLast("0:0#999999#1=999999").getStatusCode()).isEqualTo(200);
        assertThat(readLast("2:1#1#1=1").getStatusCode()).isEqualTo(200);
        Clients.assertRefused(() -> readLast("2:1#999999#1=999999"), 404);
        Clients.assertRefused(() -> readLast("2:2#1#1=1"), 404);
    }

    /** The token of an answer. */
    private record SessionToken(String range, int version, long lsn) {
        static SessionToken of(CosmosItemResponse<?> response) {
            var parts = response.getSessionToken().split("[:#]", -1);
            return new SessionToken(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
        }
    }

    private CosmosItemResponse<ObjectNode> readLast(@Nullable String sessionToken) {
        var options = new CosmosItemRequestOptions().setSessionToken(sessionToken);
        int last = ITEMS - 1;
        return container.readItem("" + last, new PartitionKey(key(last)), options, ObjectNode.class);
    }

    private void assertEverythingIsThere() {
        assertThat(ids(Clients.query(container, "SELECT * FROM c")))
                .doesNotHaveDuplicates()
                .hasSize(ITEMS);
        IntStream.range(0, ITEMS).forEach(i -> container.readItem("" + i, new PartitionKey(key(i)), ObjectNode.class));
    }

    private CosmosItemResponse<ObjectNode> create(int i) {
        return container.createItem(item(key(i), "" + i).put("n", i));
    }

    private static String key(int i) {
        return "key-" + i % 40;
    }

    private static PhysicalPartitions partitions() {
        return EMULATOR.emulator().partitions();
    }

    private FeedResponse<JsonNode> page(String sql, @Nullable String continuation) {
        return container
                .queryItems(sql, new CosmosQueryRequestOptions(), JsonNode.class)
                .iterableByPage(continuation, 9)
                .iterator()
                .next();
    }

    private static List<JsonNode> read(Iterator<FeedResponse<JsonNode>> pages, int count) {
        var seen = new ArrayList<JsonNode>();
        for (int i = 0; i < count && pages.hasNext(); i++) {
            seen.addAll(pages.next().getResults());
        }
        return seen;
    }

    private String changes(CosmosChangeFeedRequestOptions options, int pages, List<JsonNode> into) {
        var continuation = "";
        int read = 0;
        for (var page : container
                .queryChangeFeed(options.setMaxItemCount(7), JsonNode.class)
                .iterableByPage()) {
            into.addAll(page.getResults());
            continuation = page.getContinuationToken();
            if (++read == pages) {
                break;
            }
        }
        return continuation;
    }
}
