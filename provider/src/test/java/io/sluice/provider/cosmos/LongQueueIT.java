package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import io.sluice.testkit.CosmosAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An instance for which more messages wait than one turn takes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LongQueueIT {
    private static final int MOST_OF_TURN = 1_000;
    private static final int AT_ONCE = 100;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;

    @BeforeEach
    void open() {
        provider = fixture.provider(CosmosProvider.builder().reconciler(false));
    }

    /** The order of messages of one millisecond is that of their ids, which the service's ORDER BY does not see. */
    @ParameterizedTest(name = "{0} of one millisecond")
    @ValueSource(ints = {1, 300, 5_000})
    void turns_take_a_thousand_each_and_all_in_order(int ofOneMillisecond) {
        beginInstance(provider, "order-1");
        queue(2_500, ofOneMillisecond);

        List<WorkItem> taken = new ArrayList<>();
        while (taken.size() < 2_500) {
            LockedTurn turn = takeTurn(provider);
            assertThat(turn.item().messages()).hasSizeBetween(1, MOST_OF_TURN);
            taken.addAll(turn.item().messages());
            provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        }

        assertThat(taken).isEqualTo(signals(2_500));
        assertThat(fixture.documents(fixture.store(), "order-1", "orch_queue")).isEmpty();
    }

    @Test
    void a_start_behind_all_of_them_is_in_the_first_turn() {
        queue(2_500, 1);
        provider.enqueueForOrchestrator(start("order-1"), null);

        LockedTurn turn = takeTurn(provider);

        assertThat(turn.item().messages())
                .hasSize(MOST_OF_TURN)
                .startsWith(signals(1).get(0))
                .contains(start("order-1"));
        provider.ackOrchestrationItem(firstAck(turn));
    }

    @Test
    void a_malformed_message_among_the_oldest_holds_nothing_up() {
        beginInstance(provider, "order-1");
        queue(2_500, 1);
        fixture.store()
                .container()
                .upsertItem(newest().put("enqueuedAt", 1).put("id", "qo-0").put("attemptCount", "many"))
                .block();

        LockedTurn turn = takeTurn(provider);

        assertThat(turn.item().messages())
                .isEqualTo(
                        signals(MOST_OF_TURN).subList(0, turn.item().messages().size()));
    }

    @Test
    void a_turn_costs_as_much_however_many_more_wait() {
        beginInstance(provider, "order-1");
        queue(3_000, 1);
        double few = costOfTurn();
        queue(9_000, 1);

        double many = costOfTurn();

        assertThat(many).isCloseTo(few, withPercentage(5));
    }

    /** For a process that remembers nothing; it gives the turn back. */
    private double costOfTurn() {
        CosmosProvider fresh = fixture.provider(CosmosProvider.builder().reconciler(false));
        account.requireEmulator().requests().clear();
        LockedTurn turn = takeTurn(fresh);
        assertThat(turn.item().messages()).hasSize(MOST_OF_TURN);
        double cost = fixture.dataRequests().stream()
                .mapToDouble(LoggedRequest::requestCharge)
                .sum();
        fresh.abandonOrchestrationItem(turn.lockToken(), null, false);
        return cost;
    }

    private static List<WorkItem> signals(int number) {
        return IntStream.range(0, number).mapToObj(LongQueueIT::signal).toList();
    }

    private static WorkItem signal(int number) {
        return raised("order-1", "signal " + number);
    }

    /** Queues messages as other writers do, a hundred with one request, and those of one millisecond in any order. */
    private void queue(int messages, int ofOneMillisecond) {
        provider.enqueueForOrchestrator(signal(0), null);
        ObjectNode first = newest();
        List<ObjectNode> copies = new ArrayList<>();
        for (int i = 1; i < messages; i++) {
            copies.add(copy(first, i, first.path("enqueuedAt").asLong() + i / ofOneMillisecond));
        }
        List<ObjectNode> shuffled = IntStream.range(0, copies.size())
                .mapToObj(i -> copies.get((int) (i * 1_009L % copies.size())))
                .toList();
        for (int from = 0; from < shuffled.size(); from += AT_ONCE) {
            CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey("order-1"));
            shuffled.subList(from, Math.min(from + AT_ONCE, shuffled.size())).forEach(batch::createItemOperation);
            var response = requireNonNull(
                    fixture.store().container().executeCosmosBatch(batch).block());
            assertThat(response.isSuccessStatusCode()).isTrue();
        }
    }

    private ObjectNode newest() {
        List<ObjectNode> messages = fixture.documents(fixture.store(), "order-1", "orch_queue");
        return messages.get(messages.size() - 1).deepCopy();
    }

    private static ObjectNode copy(ObjectNode first, int number, long enqueuedAt) {
        ObjectNode copy = first.deepCopy();
        copy.put("id", "%s-%06d".formatted(first.path("id").asText(), number));
        copy.put("enqueuedAt", enqueuedAt);
        copy.put("workItem", WorkItemJson.encode(signal(number)));
        return copy;
    }
}
