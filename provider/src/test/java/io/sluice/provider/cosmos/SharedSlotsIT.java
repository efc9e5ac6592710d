package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.cosmos.slot.SlotSettings;
import io.sluice.provider.work.DispatchSlot;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Processes of one store look at different slots first, leave nothing waiting for long, and pay for it only when they
 * meet.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedSlotsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final String SLOTS = "[\"__leases__:dispatch\"]";
    private static final int TURNS = Tier.times(100, 300);
    /** Time passes more slowly for the processes, so that a busy machine does not make them look more often. */
    private static final int SLOWER = 5;
    /** As dispatchers do, who wait for work. */
    private static final Duration POLL = Duration.ofMillis(500);

    private final SteppedClock clock = new SteppedClock(InstantSource.system());
    private final AtomicLong steppedNanos = new AtomicLong();

    private CosmosEmulator emulator;
    private CosmosProvider client;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        client = fixture.provider();
    }

    @Test
    void ten_processes_with_two_dispatchers_take_little_more_requests_than_one_with_twenty() throws Exception {
        double one = requestsPerTurn("one", List.of(process(SlotSettings.DEFAULT)), 20);
        List<CosmosProvider> ten = group(10);

        double shared = requestsPerTurn("shared", ten, 2);

        assertThat(shared).as("requests a turn, by one process %s", one).isLessThanOrEqualTo(1.5 * one);
    }

    @Test
    void ten_processes_with_two_workers_take_little_more_requests_than_one_with_twenty() throws Exception {
        double one = requestsPerActivity("one", List.of(process(SlotSettings.DEFAULT)), 20);
        List<CosmosProvider> ten = group(10);

        double shared = requestsPerActivity("shared", ten, 2);

        assertThat(shared).as("requests an activity, by one process %s", one).isLessThanOrEqualTo(1.5 * one);
    }

    @Covers("wire 49")
    @Test
    void what_a_dead_process_would_have_taken_is_taken_by_another_however_busy_that_is() {
        List<CosmosProvider> two = group(2);
        String ofTheDead = instanceIn(0, 128, "dead");
        client.enqueueForOrchestrator(start(ofTheDead), null);
        for (int i = 0; i < 30; i++) {
            client.enqueueForOrchestrator(start(instanceIn(128, 256, "own" + i)), null);
        }

        String before = taken(two.get(1));
        pass(Duration.ofSeconds(4));
        String after = taken(two.get(1));

        assertThat(before).as("its own slots come first").startsWith("own");
        assertThat(after)
                .as("the oldest of all, though there is work of its own")
                .isEqualTo(ofTheDead);
    }

    @Test
    void a_fetch_that_says_nothing_has_looked_at_everything() {
        List<CosmosProvider> two = group(2);
        client.enqueueForOrchestrator(start(instanceIn(0, 128, "other")), null);

        assertThat(two.get(1).fetchOrchestrationItem(LOCK, NO_WAIT, null)).isPresent();
        assertThat(two.get(0).fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
    }

    @Test
    void a_process_that_is_closed_gives_its_slots_to_the_others() {
        List<CosmosProvider> three = group(3);
        assertThat(members()).hasSize(3);

        three.get(1).close();

        assertThat(members()).hasSize(2);
    }

    private List<String> members() {
        return fixture.documents(fixture.store(), "__leases__:dispatch", "lease").stream()
                .flatMap(document -> document.properties().stream())
                .map(Map.Entry::getKey)
                .filter(field -> field.startsWith("member_"))
                .toList();
    }

    @Test
    void where_leases_can_not_be_written_everybody_looks_at_everything() {
        emulator.faults().refuse(request -> SLOTS.equals(request.partitionKey()), 1_000, 503, 0);
        List<CosmosProvider> two =
                List.of(process(SlotSettings.DEFAULT.atOnce()), process(SlotSettings.DEFAULT.atOnce()));
        for (int i = 0; i < 4; i++) {
            client.enqueueForOrchestrator(start("order-" + i), null);
        }

        for (int i = 0; i < 4; i++) {
            assertThat(taken(two.get(i % 2))).isEqualTo("order-" + i);
        }
    }

    @Test
    void a_process_that_meets_no_other_sends_nothing_for_it() {
        CosmosProvider alone = process(SlotSettings.DEFAULT);
        for (int i = 0; i < 5; i++) {
            client.enqueueForOrchestrator(start("order-" + i), null);
            taken(alone);
            pass(Duration.ofSeconds(30));
        }

        assertThat(emulator.requests().matching(request -> SLOTS.equals(request.partitionKey())))
                .isEmpty();
    }

    @Test
    void a_heartbeat_that_the_store_does_not_answer_holds_no_fetch() {
        HostEnvironment machine = HostEnvironment.real();
        List<String> ended = new CopyOnWriteArrayList<>();
        CosmosProvider process = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .slotSettings(SlotSettings.DEFAULT.atOnce())
                .environment(new HostEnvironment(
                        machine.nanoTime(),
                        machine.random(),
                        machine.pairsAtOnce(),
                        request -> ended.add(request.call().operation()))));
        client.enqueueForOrchestrator(start("order-1"), null);

        try (HeldRequest heartbeat = HeldRequest.of(emulator, request -> SLOTS.equals(request.partitionKey()))) {
            assertThat(process.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isPresent();
            heartbeat.awaitHeld();

            assertThat(ended).as("requests that ended before the fetch did").doesNotContain("shareSlots");
        }
    }

    private static String taken(CosmosProvider process) {
        LockedTurn turn = process.fetchOrchestrationItem(LOCK, NO_WAIT, null).orElseThrow();
        process.ackOrchestrationItem(firstAck(turn));
        return turn.item().instance();
    }

    /** An instance of one of these slots. */
    private static String instanceIn(int from, int to, String name) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + "-" + i)
                .filter(id -> DispatchSlot.of(id) >= from && DispatchSlot.of(id) < to)
                .findFirst()
                .orElseThrow();
    }

    private double requestsPerTurn(String name, List<CosmosProvider> processes, int dispatchers) throws Exception {
        for (int i = 0; i < TURNS; i++) {
            client.enqueueForOrchestrator(start(name + "-" + i), null);
        }
        AtomicInteger done = new AtomicInteger();
        return requestsEach(processes, dispatchers, done, process -> {
            Optional<LockedTurn> turn = process.fetchOrchestrationItem(LOCK, POLL, null);
            turn.ifPresent(taken -> {
                process.ackOrchestrationItem(firstAck(taken));
                done.incrementAndGet();
            });
        });
    }

    private double requestsPerActivity(String name, List<CosmosProvider> processes, int workers) throws Exception {
        for (int i = 0; i < TURNS; i++) {
            client.enqueueForWorker(activity(name + "-" + i, 2));
        }
        AtomicInteger done = new AtomicInteger();
        return requestsEach(processes, workers, done, process -> {
            Optional<LockedWorkItem> item = process.fetchWorkItem(LOCK, POLL, null, TagFilter.defaultOnly());
            item.ifPresent(taken -> {
                process.ackWorkItem(taken.lockToken(), null);
                done.incrementAndGet();
            });
        });
    }

    /** What one dispatcher does again and again. */
    private interface Step {
        void take(CosmosProvider process);
    }

    private double requestsEach(List<CosmosProvider> processes, int dispatchers, AtomicInteger done, Step step)
            throws Exception {
        emulator.requests().clear();
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            List<Future<?>> all = new ArrayList<>();
            for (CosmosProvider process : processes) {
                for (int d = 0; d < dispatchers; d++) {
                    all.add(pool.submit(() -> {
                        while (done.get() < TURNS) {
                            step.take(process);
                        }
                    }));
                }
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
        // A look that finds nothing is paid by the second, and a slow machine takes more of them.
        long others = emulator.requests()
                .matching(request -> request.operation() != RequestKind.QUERY || request.itemCount() > 0)
                .count();
        return (double) others / TURNS;
    }

    private CosmosProvider process(SlotSettings settings) {
        return fixture.provider(CosmosProvider.builder()
                .clock(clock)
                .slotSettings(settings)
                .environment(new HostEnvironment(
                        () -> System.nanoTime() / SLOWER + steppedNanos.get(),
                        HostEnvironment.real().random(),
                        1,
                        HostEnvironment.real().observer())));
    }

    private void pass(Duration time) {
        clock.step(time);
        steppedNanos.addAndGet(time.toNanos());
    }

    /** Processes that know of each other. */
    private List<CosmosProvider> group(int size) {
        List<CosmosProvider> processes = IntStream.range(0, size)
                .mapToObj(i -> process(SlotSettings.DEFAULT.atOnce()))
                .toList();
        look(processes);
        pass(Duration.ofSeconds(4));
        look(processes);
        return processes;
    }

    private static void look(List<CosmosProvider> processes) {
        for (CosmosProvider process : processes) {
            assertThat(process.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
            assertThat(process.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                    .isEmpty();
        }
    }
}
