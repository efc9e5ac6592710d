package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Messages to one instance that memory may have no room for together: a turn takes some, the next turn others. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LargeMessagesIT {
    /** Of a turn; what is less than two pages of a query is taken whole. */
    private static final int MOST_CHARACTERS = 8 * 1024 * 1024;

    private static final int MANY = 8;
    private static final List<WorkItem> SIGNALS = IntStream.range(0, MANY)
            .mapToObj(i -> raised("order-1", i + "x".repeat(1_400_000)))
            .toList();

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;

    @BeforeEach
    void open() {
        provider = fixture.provider();
    }

    @Test
    void a_turn_takes_the_oldest_and_the_next_turns_the_others_in_order() {
        beginInstance(provider, "order-1");
        SIGNALS.forEach(signal -> provider.enqueueForOrchestrator(signal, null));

        assertThat(takeAll(provider, MANY)).isEqualTo(SIGNALS);

        assertThat(fixture.documents(fixture.store(), "order-1", "orch_queue")).isEmpty();
    }

    @Test
    void a_process_that_remembers_nothing_takes_them_in_order_too() {
        beginInstance(provider, "order-1");
        SIGNALS.forEach(signal -> provider.enqueueForOrchestrator(signal, null));

        assertThat(takeAll(fixture.provider(), MANY)).isEqualTo(SIGNALS);
    }

    @Test
    void a_start_that_comes_last_is_in_the_first_turn() {
        SIGNALS.forEach(signal -> provider.enqueueForOrchestrator(signal, null));
        provider.enqueueForOrchestrator(start("order-1"), null);

        LockedTurn first = takeTurn(provider);

        assertThat(first.item().messages()).contains(start("order-1")).startsWith(SIGNALS.get(0));
        assertThat(characters(first)).isLessThanOrEqualTo(MOST_CHARACTERS);
        provider.ackOrchestrationItem(firstAck(first));
        List<WorkItem> taken = new ArrayList<>(first.item().messages());
        taken.remove(start("order-1"));
        taken.addAll(takeAll(provider, MANY - taken.size()));
        assertThat(taken).isEqualTo(SIGNALS);
    }

    @Test
    void what_waits_to_be_delivered_is_not_read_with_a_turn_and_is_not_overtaken_either() {
        CosmosProvider leaving =
                fixture.provider(CosmosProvider.builder().reconciler(false).immediateDelivery(false));
        beginInstance(leaving, "order-1");
        for (int i = 0; i < 7; i++) {
            leaving.enqueueForOrchestrator(raised("order-1", "go"), null);
            leaving.ackOrchestrationItem(TurnAck.of(takeTurn(leaving).lockToken(), 1)
                    .withOrchestratorItems(List.of(raised("other-" + i, "x".repeat(1_400_000)))));
        }
        CosmosProvider fresh = fixture.provider(CosmosProvider.builder().reconciler(false));
        fresh.enqueueForOrchestrator(raised("order-1", "last"), null);

        LockedTurn turn = takeTurn(fresh);
        fresh.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withOrchestratorItems(List.of(raised("other-0", "later"), raised("another", "free"))));

        assertThat(turn.item().messages()).containsExactly(raised("order-1", "last"));
        assertThat(fixture.documents(fixture.store(), "other-0", "orch_queue")).isEmpty();
        assertThat(fixture.documents(fixture.store(), "another", "orch_queue")).hasSize(1);
    }

    /** Takes turns until there were so many messages. */
    private static List<WorkItem> takeAll(CosmosProvider provider, int messages) {
        List<WorkItem> taken = new ArrayList<>();
        while (taken.size() < messages) {
            LockedTurn turn = takeTurn(provider);
            assertThat(characters(turn)).isLessThanOrEqualTo(MOST_CHARACTERS);
            assertThat(turn.attemptCount()).isEqualTo(1);
            taken.addAll(turn.item().messages());
            provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        }
        return taken;
    }

    private static long characters(LockedTurn turn) {
        return turn.item().messages().stream()
                .mapToLong(message -> WorkItemJson.encode(message).length())
                .sum();
    }
}
