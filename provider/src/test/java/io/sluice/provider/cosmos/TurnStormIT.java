package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many dispatchers, two processes, requests that fail in every way: each message is taken in by exactly one committed
 * turn, in order.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TurnStormIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final Duration LOCK = Duration.ofSeconds(2);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Tier.times(1, 3));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void every_message_is_committed_once_and_in_order_whatever_fails(long seed) throws Exception {
        List<CosmosProvider> processes = List.of(fixture.provider(), fixture.provider());
        for (int i = 0; i < 6; i++) {
            processes.get(0).enqueueForOrchestrator(start("order-" + i), null);
        }
        SplittableRandom random = new SplittableRandom(seed);
        AtomicLong signals = new AtomicLong();
        LongAdder failures = new LongAdder();
        breakRequests(random);

        Future<?> sender = threads.submit(() -> {
            for (int i = 0; i < 60; i++) {
                if (enqueued(processes.get(i % 2), raised("order-" + i % 6, "signal " + i))) {
                    signals.incrementAndGet();
                }
            }
        });
        List<Future<?>> dispatchers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            CosmosProvider process = processes.get(i % 2);
            dispatchers.add(threads.submit(() -> dispatchUntilDone(process, sender, failures)));
        }
        join(List.of(sender));
        join(dispatchers);
        emulator.faults().clear();

        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            List<HistoryEvent> history = processes.get(0).read("order-" + i);
            assertThat(history)
                    .extracting(HistoryEvent::eventId)
                    .as("seed %d: no event lost or twice", seed)
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, history.size())
                            .asLongStream()
                            .boxed()
                            .toList());
            history.forEach(event -> seen.add(((EventKind.ExternalEvent) event.kind()).data()));
        }
        assertThat(seen).as("seed %d, %d failed calls", seed, failures.sum()).doesNotHaveDuplicates();
        assertThat(seen.stream().filter(data -> data.startsWith("signal"))).hasSize((int) signals.get());
    }

    /** Every so often a batch is refused, dropped before it applies, or applied with its answer lost. */
    private void breakRequests(SplittableRandom random) {
        int[] statuses = {408, 410, 429, 449, 503};
        for (int nth = 7; nth < 400; nth += 5 + random.nextInt(12)) {
            switch (random.nextInt(3)) {
                case 0 ->
                    emulator.faults().refuse(TurnStormIT::isTurn, nth, statuses[random.nextInt(statuses.length)], 0);
                case 1 -> emulator.faults().dropConnection(TurnStormIT::isTurn, nth);
                default -> emulator.faults().loseAnswer(TurnStormIT::isTurn, nth);
            }
        }
    }

    /** Batches of turns; an enqueue whose answer is lost may rightly be queued twice, so those are left alone. */
    private static boolean isTurn(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().contains(":instance");
    }

    private static boolean enqueued(CosmosProvider provider, WorkItem item) {
        provider.enqueueForOrchestrator(item, null);
        return true;
    }

    private static void dispatchUntilDone(CosmosProvider provider, Future<?> sender, LongAdder failures) {
        int idle = 0;
        while (idle < 3) {
            try {
                Optional<LockedTurn> turn = provider.fetchOrchestrationItem(LOCK, LOCK.plusMillis(500), null);
                idle = turn.isEmpty() && sender.isDone() ? idle + 3 : 0;
                turn.ifPresent(t -> ack(provider, t, failures));
            } catch (ProviderException e) {
                failures.increment();
            }
        }
    }

    private static void ack(CosmosProvider provider, LockedTurn turn, LongAdder failures) {
        String instance = turn.item().instance();
        List<HistoryEvent> delta = new ArrayList<>();
        long next = turn.item().history().size() + 1L;
        for (WorkItem message : turn.item().messages()) {
            String data = message instanceof WorkItem.ExternalRaised signal ? signal.data() : "start of " + instance;
            delta.add(event(instance, next++, new EventKind.ExternalEvent("m", data)));
        }
        for (int tries = 0; tries < 5; tries++) {
            try {
                provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(delta));
                return;
            } catch (ProviderException e) {
                failures.increment();
                if (!e.retryable()) {
                    return;
                }
            }
        }
    }

    private static void join(List<Future<?>> futures) throws Exception {
        for (Future<?> future : futures) {
            try {
                future.get(60, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("a dispatcher died", e.getCause());
            }
        }
    }
}
