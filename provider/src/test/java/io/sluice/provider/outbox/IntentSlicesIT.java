package io.sluice.provider.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** However many intents a source has, they are read in bounded pieces and in the order of delivery. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntentSlicesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final String SOURCE = "source";
    private static final int MOST = 200;
    private static final int BATCH = 100;

    private CosmosStore store;
    private IntentOutbox outbox;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        outbox = new IntentOutbox(store.container(), InstantSource.system());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static ObjectNode intent(String turn, long createdAt, int position) {
        var key = "%s:1:%s.%06d".formatted(SOURCE, turn, position);
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "intent:" + key)
                .put("instanceId", SOURCE)
                .put("type", "outbox_intent")
                .put("targetInstanceId", "target-" + position % 3)
                .put("targetDocumentType", "orch_queue")
                .put("payload", "{}")
                .put("idempotencyKey", key)
                .put("status", position % 2 == 0 ? "pending" : "queued")
                .put("createdAt", createdAt)
                .put("attemptCount", 0);
    }

    /** Backwards, so that the order of writing is no help. */
    private void writeTurn(String turn, long createdAt, int count) {
        var documents = IntStream.iterate(count - 1, position -> position >= 0, position -> position - 1)
                .mapToObj(position -> intent(turn, createdAt, position))
                .toList();
        for (int from = 0; from < count; from += BATCH) {
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey(SOURCE));
            documents.subList(from, Math.min(count, from + BATCH)).forEach(batch::createItemOperation);
            assertThat(store.container().executeCosmosBatch(batch).block())
                    .returns(true, answer -> answer.isSuccessStatusCode());
        }
    }

    private List<IntentSlice> slices() {
        var slices = new ArrayList<IntentSlice>();
        IntentSlice.Place next = null;
        do {
            var slice = outbox.undelivered(SOURCE, next);
            slices.add(slice);
            next = slice.next();
        } while (next != null);
        return slices;
    }

    private static List<String> keys(List<IntentSlice> slices) {
        return slices.stream()
                .flatMap(slice -> slice.intents().stream())
                .map(Intent::key)
                .toList();
    }

    @Test
    void few_are_read_by_one_request_without_a_plan() {
        writeTurn("bbbbbbbbbbbbbbbb", 2_000, 3);
        writeTurn("cccccccccccccccc", 1_000, 2);
        var all = outbox.undelivered(SOURCE).stream().map(Intent::key).toList();
        outbox.undelivered(SOURCE, null);
        account.requireEmulator().requests().clear();

        var slices = slices();

        assertThat(slices).hasSize(1);
        assertThat(keys(slices)).containsExactlyElementsOf(all).hasSize(5);
        assertThat(account.requireEmulator()
                        .requests()
                        .matching(request -> request.operation() == RequestKind.QUERY_PLAN))
                .isEmpty();
    }

    @Test
    void many_are_read_slice_by_slice_in_the_order_of_delivery() {
        // In the order of their keys the turns are the other way round.
        writeTurn("9999999999999999", 1_000, 150);
        writeTurn("8888888888888888", 2_000, 150);
        writeTurn("7777777777777777", 3_000, 1);
        writeTurn("6666666666666666", 4_000, 2 * MOST);
        writeTurn("5555555555555555", 5_000, 2 * MOST + 50);
        writeTurn("4444444444444444", 6_000, 10);
        var malformed = intent("6666666666666666", 4_000, 900_000);
        malformed.remove("payload");
        store.container().createItem(malformed).block();
        account.requireEmulator().requests().clear();

        var slices = slices();

        assertThat(account.requireEmulator().requests().matching(request -> request.operation() == RequestKind.QUERY))
                .as("no more in memory at a time")
                .allSatisfy(page -> assertThat(page.itemCount()).isLessThanOrEqualTo(MOST));
        assertThat(keys(slices))
                .containsExactlyElementsOf(
                        outbox.undelivered(SOURCE).stream().map(Intent::key).toList())
                .hasSize(150 + 150 + 1 + 2 * MOST + 2 * MOST + 50 + 10);
        assertThat(slices.stream().mapToInt(IntentSlice::malformed).sum()).isEqualTo(1);
    }

    @Test
    void a_source_is_read_on_however_many_of_its_pairs_have_stopped() {
        writeTurn("9999999999999999", 1_000, MOST + 1);
        var stopped = IntStream.range(0, 12_000).mapToObj("t-%06d"::formatted).toList();

        var slice = outbox.undelivered(SOURCE, IntentSlice.Place.behind(0, null), stopped);

        assertThat(slice.intents()).hasSize(MOST);
        assertThat(account.requireEmulator().requests().matching(request -> request.operation() == RequestKind.QUERY))
                .as("the service refuses a query of more than 512 KB")
                .allSatisfy(query -> assertThat(query.body().length()).isLessThan(400_000));
    }

    @Test
    void large_ones_are_announced_by_size_and_read_in_pieces_that_memory_has_room_for() {
        for (int position = 0; position < 12; position++) {
            var payload = "x".repeat(position % 3 == 0 ? 1_700_000 : 10);
            store.container()
                    .createItem(intent("9999999999999999", 1_000, position).put("payload", payload))
                    .block();
        }
        account.requireEmulator().requests().clear();

        var slices = slices();

        assertThat(account.requireEmulator().requests().matching(request -> request.operation() == RequestKind.QUERY))
                .as("no answer has more than a slice")
                .allSatisfy(page -> assertThat(page.bytesOut()).isLessThan(4_000_000));
        assertThat(slices)
                .allSatisfy(slice -> assertThat(slice.intents().stream()
                                .mapToLong(intent -> intent.payload().length())
                                .sum())
                        .isLessThan(4_000_000));
        assertThat(slices.get(0).intents()).as("first sizes only").isEmpty();
        assertThat(slices.get(0).next())
                .isNotNull()
                .satisfies(next -> assertThat(next.bytes()).isBetween(1_700_000L, 4_000_000L));
        assertThat(keys(slices))
                .containsExactlyElementsOf(
                        outbox.undelivered(SOURCE).stream().map(Intent::key).toList())
                .hasSize(12);
    }

    @Test
    void what_stands_behind_a_target_that_is_passed_over_is_not_read() {
        writeTurn("9999999999999999", 1_000, 3 * MOST);
        var first = outbox.undelivered(SOURCE, null);
        account.requireEmulator().requests().clear();

        var rest = outbox.undelivered(SOURCE, first.next(), List.of("target-0", "target-1"));

        assertThat(rest.intents())
                .hasSizeBetween(MOST / 2, MOST)
                .allMatch(intent -> intent.targetInstance().equals("target-2"));
        assertThat(account.requireEmulator()
                        .requests()
                        .matching(request -> request.operation() == RequestKind.QUERY)
                        .mapToInt(LoggedRequest::itemCount)
                        .sum())
                .isLessThanOrEqualTo(MOST);
    }

    @Test
    void one_whose_payload_has_no_size_is_met_as_malformed_and_the_others_are_read() {
        writeTurn("9999999999999999", 1_000, 2);
        store.container()
                .createItem(intent("8888888888888888", 2_000, 0).put("payload", 7))
                .block();
        writeTurn("7777777777777777", 3_000, 2);

        var slices = slices();

        assertThat(keys(slices)).hasSize(4);
        assertThat(slices.stream().mapToInt(IntentSlice::malformed).sum()).isEqualTo(1);
    }

    @Test
    void what_was_removed_or_added_behind_between_two_slices_changes_nothing_for_the_rest() {
        writeTurn("9999999999999999", 1_000, 150);
        writeTurn("8888888888888888", 2_000, 150);
        var first = outbox.undelivered(SOURCE, null);

        outbox.remove(SOURCE, first.intents());
        writeTurn("7777777777777777", 3_000, 5);
        var second = outbox.undelivered(SOURCE, first.next());

        assertThat(first.intents()).hasSize(150).allMatch(intent -> intent.createdAtMillis() == 1_000);
        assertThat(second.intents()).hasSize(155).isSortedAccordingTo(Intent.DELIVERY_ORDER);
        assertThat(second.next()).isNull();
    }
}
