package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.item;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AllVersionsFeedIT {
    private static final SettableClock CLOCK = new SettableClock();
    private static final FeedRange A = FeedRange.forLogicalPartition(new PartitionKey("a"));

    @RegisterExtension
    static final RunningEmulator EMULATOR = new RunningEmulator(
            EmulatorConfig.inMemory().withContinuousBackup(true).withClock(CLOCK));

    @RegisterExtension
    static final RunningEmulator WITHOUT_BACKUP =
            new RunningEmulator(EmulatorConfig.inMemory().withClock(CLOCK));

    private CosmosContainer container;

    @BeforeEach
    void makeContainer() {
        container = EMULATOR.container(properties -> properties.setDefaultTimeToLiveInSeconds(-1));
    }

    @Test
    void tells_every_version_and_the_deletion() {
        var start = now(FeedRange.forFullRange());
        container.createItem(item("a", "1").put("n", 1));
        container.upsertItem(item("a", "1").put("n", 2));
        container.patchItem(
                "1", new PartitionKey("a"), CosmosPatchOperations.create().set("/n", 3), ObjectNode.class);
        container.deleteItem("1", new PartitionKey("a"), null);

        var changes = drain(start).items();

        assertThat(changes)
                .extracting(
                        change -> change.path("metadata").path("operationType").asText())
                .containsExactly("create", "replace", "replace", "delete");
        assertThat(changes.subList(0, 3))
                .extracting(change -> change.path("current").path("n").asInt())
                .containsExactly(1, 2, 3);
        for (int i = 1; i < 4; i++) {
            assertThat(changes.get(i).path("metadata").path("previousImageLSN").asLong())
                    .isEqualTo(changes.get(i - 1).path("metadata").path("lsn").asLong());
        }
        var deletion = changes.get(3);
        assertThat(deletion.path("current").isObject()).isTrue();
        assertThat(deletion.path("current")).isEmpty();
        assertThat(deletion.path("previous").path("n").asInt()).isEqualTo(3);
        assertThat(deletion.path("metadata").path("id").asText()).isEqualTo("1");
        assertThat(deletion.path("metadata").path("partitionKey").path("pk").asText())
                .isEqualTo("a");
        assertThat(deletion.path("metadata").has("timeToLiveExpired")).isFalse();
    }

    @Test
    void tells_an_expiry_as_a_deletion_of_its_own_kind() {
        var start = now(A);
        container.createItem(item("a", "1").put("ttl", 5));
        CLOCK.advance(Duration.ofSeconds(6));
        EMULATOR.emulator().sweep();

        var changes = drain(start).items();

        assertThat(changes).hasSize(2);
        var metadata = changes.get(1).path("metadata");
        assertThat(metadata.path("operationType").asText()).isEqualTo("delete");
        assertThat(metadata.path("timeToLiveExpired").asBoolean()).isTrue();
        assertThat(metadata.path("crts").asLong()).isEqualTo(CLOCK.instant().getEpochSecond());
    }

    @Test
    void a_batch_is_told_whole_with_every_step_in_it() {
        var start = now(A);
        for (int b = 0; b < 3; b++) {
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey("a"));
            for (int i = 0; i < 5; i++) {
                batch.createItemOperation(item("a", b + "-" + i));
            }
            batch.replaceItemOperation(b + "-0", item("a", b + "-0").put("n", 1));
            batch.deleteItemOperation(b + "-1");
            assertThat(container.executeCosmosBatch(batch).isSuccessStatusCode())
                    .isTrue();
        }

        var pages = new ArrayList<List<JsonNode>>();
        for (var page : container
                .queryChangeFeed(continuation(start).setMaxItemCount(2), JsonNode.class)
                .iterableByPage()) {
            if (!page.getResults().isEmpty()) {
                pages.add(page.getResults());
            }
        }

        assertThat(pages)
                .hasSize(3)
                .allSatisfy(page -> assertThat(page)
                        .extracting(change ->
                                change.path("metadata").path("operationType").asText())
                        .containsExactly("create", "create", "create", "create", "create", "replace", "delete"));
    }

    @Test
    void ranges_see_each_change_once_and_keys_only_theirs() {
        var starts = FeedRanges.cut(6).stream().map(this::now).toList();
        var ofKey = now(FeedRange.forLogicalPartition(new PartitionKey("key-3")));
        for (int i = 0; i < 60; i++) {
            container.createItem(item("key-" + i % 20, "" + i));
            container.deleteItem("" + i, new PartitionKey("key-" + i % 20), null);
        }

        var all = new ArrayList<JsonNode>();
        starts.forEach(start -> all.addAll(drain(start).items()));

        assertThat(all).hasSize(120);
        assertThat(all).extracting(AllVersionsFeedIT::identity).doesNotHaveDuplicates();
        assertThat(drain(ofKey).items())
                .hasSize(6)
                .allSatisfy(change -> assertThat(identity(change)).contains("key-3"));
    }

    @Test
    void a_continuation_outlives_splits_and_merges() {
        var start = now(FeedRange.forFullRange());
        for (int i = 0; i < 40; i++) {
            container.createItem(item("key-" + i, "" + i));
        }
        var first = drain(start);
        EMULATOR.emulator().partitions().split("tests", container.getId(), "0");
        EMULATOR.emulator().partitions().merge("tests", container.getId(), "1", "2");
        for (int i = 0; i < 40; i++) {
            container.deleteItem("" + i, new PartitionKey("key-" + i), null);
        }

        var second = drain(first.continuation()).items();
        var again = drain(start).items();

        assertThat(first.items()).hasSize(40);
        assertThat(second)
                .hasSize(40)
                .allSatisfy(change -> assertThat(change.has("previous")).isTrue());
        assertThat(again)
                .extracting(AllVersionsFeedIT::identity)
                .doesNotHaveDuplicates()
                .hasSize(80);
    }

    @Test
    void a_reader_that_comes_too_late_is_refused() {
        var kept = WITHOUT_BACKUP.container(properties -> properties.setChangeFeedPolicy(
                ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(10))));
        var options =
                CosmosChangeFeedRequestOptions.createForProcessingFromNow(A).allVersionsAndDeletes();
        kept.createItem(item("a", "1"));
        var start = drain(kept, options).continuation();
        kept.createItem(item("a", "2"));
        kept.createItem(item("a", "3"));
        CLOCK.advance(Duration.ofMinutes(11));
        WITHOUT_BACKUP.emulator().sweep();

        assertRefused(() -> drain(kept, continuation(start)), 400);
    }

    @Test
    void a_container_that_keeps_no_versions_refuses() {
        var plain = WITHOUT_BACKUP.container();
        var options =
                CosmosChangeFeedRequestOptions.createForProcessingFromNow(A).allVersionsAndDeletes();

        assertRefused(() -> drain(plain, options), 400);
    }

    private static String identity(JsonNode change) {
        var metadata = change.path("metadata");
        var document = change.path("current").has("id") ? change.path("current") : change.path("previous");
        return document.path("pk").asText() + "/" + document.path("id").asText() + "/"
                + metadata.path("operationType").asText();
    }

    private record Drained(List<JsonNode> items, String continuation) {}

    private String now(FeedRange range) {
        return drain(
                        container,
                        CosmosChangeFeedRequestOptions.createForProcessingFromNow(range)
                                .allVersionsAndDeletes())
                .continuation();
    }

    private static CosmosChangeFeedRequestOptions continuation(String continuation) {
        return CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation)
                .allVersionsAndDeletes();
    }

    private Drained drain(String continuation) {
        return drain(container, continuation(continuation));
    }

    private static Drained drain(CosmosContainer container, CosmosChangeFeedRequestOptions options) {
        var items = new ArrayList<JsonNode>();
        var continuation = "";
        for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
            items.addAll(page.getResults());
            continuation = page.getContinuationToken();
        }
        return new Drained(items, continuation);
    }
}
