package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nothing overwrites a stolen lock. At every single request of a fetch and of an ack the lock lapses and another
 * process takes the turn, or the holder itself renews: one ack wins, the other is told permanently that the lock is
 * gone, and nobody is refused because of its own renewal.
 */
@Covers({"wire 27", "spec/003 race 1", "spec/003 race 3"})
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StolenLockIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final int ENOUGH = 60;

    private final AtomicLong ahead = new AtomicLong();
    private CosmosStore here;
    private CosmosStore there;
    private CosmosEmulator emulator;
    private CosmosProvider first;
    private CosmosProvider second;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        here = fixture.store();
        there = fixture.store();
        newProcesses();
    }

    private void newProcesses() {
        first = CosmosProvider.builder().reconciler(false).store(here).build();
        second = CosmosProvider.builder()
                .reconciler(false)
                .store(there)
                .clock(() -> InstantSource.system().instant().plusMillis(ahead.get()))
                .build();
    }

    /** Turns that take different ways through fetch and ack. */
    enum Shape {
        PLAIN,
        KNOWN_HERE,
        CANCELLING,
        SENDING,
        MANY_MESSAGES,
        MANY_OPERATIONS;

        /** Where a round takes long, the first tier is content with every third request, each test with others. */
        private int step() {
            return this == MANY_MESSAGES || this == MANY_OPERATIONS ? Tier.times(3, 1) : 1;
        }

        int first(int offset) {
            return 1 + offset % step();
        }

        int next(int n) {
            return n + step();
        }

        List<WorkItem> workerItems(String instance) {
            return this == MANY_OPERATIONS
                    ? LongStream.range(1_000, 1_130)
                            .mapToObj(id -> activity(instance, id))
                            .toList()
                    : List.of();
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void a_lock_that_lapses_at_any_request_of_its_fetch_goes_to_one(Shape shape) {
        boolean reached = true;
        for (int n = shape.first(0); reached; n = shape.next(n)) {
            String instance = prepared(shape, n);
            AtomicReference<@Nullable LockedTurn> stolen = new AtomicReference<>();
            @Nullable LockedTurn mine;
            try (var theft = atRequest(n, () -> stolen.set(steal()))) {
                mine = first.fetchOrchestrationItem(LOCK, NO_WAIT, null).orElse(null);
                reached = theft.happened();
            }
            boolean thiefGoesFirst = n % 2 == 0;
            int wins = 0;
            if (thiefGoesFirst) {
                wins += renewAndAck(second, stolen.get(), shape);
            }
            wins += ack(first, mine, shape);
            if (!thiefGoesFirst) {
                wins += renewAndAck(second, stolen.get(), shape);
            }
            assertThat(wins).as("%s, stolen at request %d", shape, n).isEqualTo(1);
            assertWhole(instance, shape, n);
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void a_lock_that_lapses_at_any_request_of_its_ack_goes_to_one(Shape shape) {
        boolean reached = true;
        for (int n = shape.first(1); reached; n = shape.next(n)) {
            String instance = prepared(shape, n);
            LockedTurn mine = takeTurn(first);
            AtomicReference<@Nullable LockedTurn> stolen = new AtomicReference<>();
            int wins;
            try (var theft = atRequest(n, () -> stolen.set(steal()))) {
                wins = ack(first, mine, shape);
                reached = theft.happened();
            }
            wins += renewAndAck(second, stolen.get(), shape);

            assertThat(wins).as("%s, stolen at request %d", shape, n).isEqualTo(1);
            assertWhole(instance, shape, n);
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void a_lock_that_is_stolen_and_acked_at_any_request_of_its_ack_leaves_nothing_of_the_loser(Shape shape) {
        boolean reached = true;
        for (int n = shape.first(2); reached; n = shape.next(n)) {
            String instance = prepared(shape, n);
            LockedTurn mine = takeTurn(first);
            AtomicLong thief = new AtomicLong();
            int wins;
            try (var theft = atRequest(n, () -> thief.set(ack(second, steal(), shape)))) {
                wins = ack(first, mine, shape);
                reached = theft.happened();
            }

            assertThat(wins + thief.get())
                    .as("%s, stolen and acked at request %d", shape, n)
                    .isEqualTo(1);
            assertWhole(instance, shape, n);
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void a_lost_answer_and_a_theft_at_any_request_after_it_never_make_two_turns(Shape shape) {
        boolean reached = true;
        for (int n = shape.first(0); reached; n = shape.next(n)) {
            String instance = prepared(shape, n);
            LockedTurn mine = takeTurn(first);
            AtomicReference<@Nullable LockedTurn> stolen = new AtomicReference<>();
            FaultRule lost = emulator.faults().loseAnswer(request -> isCommit(request, instance), 1);
            int wins;
            try (var theft = atRequest(n, () -> stolen.set(steal()))) {
                wins = ack(first, mine, shape);
                reached = theft.happened();
            }
            lost.remove();
            wins += renewAndAck(second, stolen.get(), shape);

            assertThat(wins).as("%s, stolen at request %d", shape, n).isEqualTo(1);
            assertWhole(instance, shape, n);
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void the_holders_own_renewal_at_any_request_of_its_ack_costs_it_nothing(Shape shape) {
        boolean reached = true;
        for (int n = shape.first(1); reached; n = shape.next(n)) {
            String instance = prepared(shape, n);
            LockedTurn mine = takeTurn(first);
            int wins;
            try (var renewal = atRequest(n, () -> renewUnlessDone(mine, instance))) {
                wins = ack(first, mine, shape);
                reached = renewal.happened();
            }

            assertThat(wins).as("%s, renewed at request %d", shape, n).isEqualTo(1);
            assertWhole(instance, shape, n);
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void a_renewal_at_any_request_of_a_theft_leaves_one_holder(Shape shape) {
        boolean reached = true;
        for (int n = shape.first(2); reached; n = shape.next(n)) {
            String instance = prepared(shape, n);
            LockedTurn mine = takeTurn(first);
            ahead.set(LOCK.toMillis() + 1);
            @Nullable LockedTurn stolen;
            try (var renewal = atRequest(n, () -> renewQuietly(mine))) {
                stolen = second.fetchOrchestrationItem(LOCK, NO_WAIT, null)
                        .filter(this::isOurs)
                        .orElse(null);
                reached = renewal.happened();
            }
            int wins = ack(first, mine, shape);
            wins += renewAndAck(second, stolen, shape);

            assertThat(wins)
                    .as("%s, renewed at request %d of the theft", shape, n)
                    .isEqualTo(1);
            assertWhole(instance, shape, n);
        }
    }

    @Test
    void a_lock_that_lapses_while_its_instance_is_read_hides_no_older_message() {
        boolean reached = true;
        for (int n = 1; reached; n++) {
            String instance = prepared(Shape.CANCELLING, n);
            takeTurn(first);
            first.enqueueForOrchestrator(raised(instance, "later"), null);
            @Nullable LockedTurn stolen;
            try (var lapse = atRequest(n, () -> ahead.set(LOCK.toMillis() + 1))) {
                stolen = second.fetchOrchestrationItem(LOCK, NO_WAIT, null).orElse(null);
                reached = lapse.happened();
            }
            if (stolen != null) {
                assertThat(stolen.item().messages())
                        .as("lapsed at request %d", n)
                        .containsExactly(raised(instance, "signal"), raised(instance, "later"));
                second.ackOrchestrationItem(TurnAck.of(stolen.lockToken(), 1));
            } else {
                ahead.set(LOCK.toMillis() + 1);
                assertThat(ack(second, takeTurn(second), Shape.PLAIN)).isEqualTo(1);
            }
        }
    }

    private NthRequest atRequest(int n, Runnable what) {
        assertThat(n).as("the operation ends some time").isLessThan(ENOUGH);
        return NthRequest.doing(emulator, request -> request.operation().isData(), n, what);
    }

    /** A turn to fetch, and two processes that know nothing of earlier rounds. */
    private String prepared(Shape shape, int n) {
        ahead.set(0);
        newProcesses();
        String instance = "order-" + n;
        CosmosProvider before = shape == Shape.KNOWN_HERE
                ? first
                : CosmosProvider.builder().reconciler(false).store(here).build();
        before.enqueueForOrchestrator(start(instance), null);
        if (shape == Shape.KNOWN_HERE || shape == Shape.CANCELLING) {
            TurnAck ack = TurnAck.of(takeTurn(before).lockToken(), 1)
                    .withHistory(List.of(event(instance, 1, new EventKind.ExternalEvent("m", "started"))));
            before.ackOrchestrationItem(
                    shape == Shape.CANCELLING
                            ? ack.withWorkerItems(List.of(activity(instance, 7), activity(instance, 8)))
                            : ack);
            before.enqueueForOrchestrator(raised(instance, "signal"), null);
        }
        if (shape == Shape.MANY_MESSAGES) {
            List<WorkItem> signals = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                signals.add(raised(instance, "signal " + i));
            }
            before.enqueueForOrchestrator(start("sender-" + n), null);
            LockedTurn order = takeTurn(before);
            LockedTurn sender = takeTurn(before);
            before.abandonOrchestrationItem(order.lockToken(), null, true);
            before.ackOrchestrationItem(TurnAck.of(sender.lockToken(), 1).withOrchestratorItems(signals));
        }
        return instance;
    }

    private @Nullable LockedTurn steal() {
        ahead.set(LOCK.toMillis() + 1);
        return second.fetchOrchestrationItem(LOCK, NO_WAIT, null)
                .filter(this::isOurs)
                .orElse(null);
    }

    /** A child's turn is nobody's loot; it is given back. */
    private boolean isOurs(LockedTurn turn) {
        boolean ours = turn.item().instance().startsWith("order-");
        if (!ours) {
            second.abandonOrchestrationItem(turn.lockToken(), null, true);
        }
        return ours;
    }

    private int renewAndAck(CosmosProvider provider, @Nullable LockedTurn turn, Shape shape) {
        if (turn == null) {
            return 0;
        }
        try {
            provider.renewOrchestrationItemLock(turn.lockToken(), LOCK);
        } catch (ProviderException e) {
            assertLockLost(e);
        }
        return ack(provider, turn, shape);
    }

    /** 1 when it was committed, 0 when the lock turned out to be lost; anything else fails. */
    private static int ack(CosmosProvider provider, @Nullable LockedTurn turn, Shape shape) {
        if (turn == null) {
            return 0;
        }
        String instance = turn.item().instance();
        List<HistoryEvent> delta = new ArrayList<>();
        long next = turn.item().history().size() + 1L;
        for (WorkItem message : turn.item().messages()) {
            String data = message instanceof WorkItem.ExternalRaised signal ? signal.data() : "started";
            delta.add(event(instance, next++, new EventKind.ExternalEvent("m", data)));
        }
        TurnAck ack = TurnAck.of(turn.lockToken(), 1).withHistory(delta).withWorkerItems(shape.workerItems(instance));
        if (shape == Shape.CANCELLING) {
            ack = ack.withCancelledActivities(List.of(
                    new ScheduledActivityIdentifier(instance, 1, 7), new ScheduledActivityIdentifier(instance, 1, 8)));
        }
        if (shape == Shape.SENDING) {
            ack = ack.withOrchestratorItems(List.of(start("child-of-" + instance)));
        }
        try {
            provider.ackOrchestrationItem(ack);
            return 1;
        } catch (ProviderException e) {
            assertLockLost(e);
            return 0;
        }
    }

    private void renewUnlessDone(LockedTurn turn, String instance) {
        try {
            first.renewOrchestrationItemLock(turn.lockToken(), LOCK);
        } catch (ProviderException e) {
            assertThat(first.read(instance))
                    .as("refused only after the commit: %s", e.getMessage())
                    .hasSizeGreaterThanOrEqualTo(turn.item().history().size()
                            + turn.item().messages().size());
        }
    }

    private void renewQuietly(LockedTurn turn) {
        try {
            first.renewOrchestrationItemLock(turn.lockToken(), LOCK);
        } catch (ProviderException e) {
            assertLockLost(e);
        }
    }

    private static void assertLockLost(ProviderException e) {
        assertThat(e).hasMessageContaining("Invalid lock token");
        assertThat(e.retryable())
                .as("the lock is gone permanently: %s", e.getMessage())
                .isFalse();
    }

    /** Every message is in the history once and in no queue, and what the turn made is there once. */
    private void assertWhole(String instance, Shape shape, int n) {
        CosmosProvider reader =
                CosmosProvider.builder().reconciler(false).store(here).build();
        int expected = switch (shape) {
            case PLAIN, SENDING, MANY_OPERATIONS -> 1;
            case KNOWN_HERE, CANCELLING -> 2;
            case MANY_MESSAGES -> 121;
        };
        assertThat(reader.read(instance))
                .as("%s, round %d", shape, n)
                .extracting(HistoryEvent::eventId)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, expected).boxed().toList());
        assertThat(count(instance, "worker_queue"))
                .isEqualTo(shape.workerItems(instance).size());
        assertThat(count(instance, "orch_queue"))
                .as("%s, round %d: all consumed", shape, n)
                .isZero();
        if (shape == Shape.MANY_MESSAGES || shape == Shape.MANY_OPERATIONS) {
            reader.enqueueForOrchestrator(raised(instance, "later"), null);
            LockedTurn next = takeTurn(reader);
            assertThat(count(instance, "staged"))
                    .as("%s, round %d: what a loser had put in place is removed by the next holder", shape, n)
                    .isZero();
            reader.ackOrchestrationItem(TurnAck.of(next.lockToken(), 1));
        }
        if (shape == Shape.SENDING) {
            assertThat(count("child-of-" + instance, "orch_queue") + count(instance, "outbox_intent"))
                    .as("round %d: the child's start is delivered, or waits for the relay", n)
                    .isEqualTo(1);
        }
        Optional<LockedTurn> other = reader.fetchOrchestrationItem(LOCK, NO_WAIT, null);
        while (other.isPresent()) {
            assertThat(other.get().item().instance())
                    .as("only a child or sender is left")
                    .isNotEqualTo(instance);
            reader.ackOrchestrationItem(TurnAck.of(other.get().lockToken(), 1));
            other = reader.fetchOrchestrationItem(LOCK, NO_WAIT, null);
        }
    }

    private int count(String instance, String type) {
        return fixture.documents(here, instance, type).size();
    }

    private static boolean isCommit(LoggedRequest request, String instance) {
        return request.operation() == RequestKind.BATCH
                && request.body().startsWith("replace:" + instance + ":instance");
    }
}
