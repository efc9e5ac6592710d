package io.sluice.provider.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ProviderException;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.NthRequest;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots shared out among runtimes that join, leave, crash, sleep, lose answers, and whose clocks differ. */
@Covers("wire 49")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CosmosLeaseProviderIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final int REFUSED_BATCH = 207;
    private static final int STEPS = Tier.times(60, 150);
    private static final LeaseConfig CONFIG = LeaseConfig.DEFAULT;

    private final TestClock clock = new TestClock();
    private final List<Party> runtimes = new ArrayList<>();
    private CosmosStore store;
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void the_first_runtime_has_all_slots_at_once() {
        Party a = runtime("a");

        a.beat();

        assertThat(a.ask().slots()).isEqualTo(SlotTable.ALL);
    }

    @Test
    void runtimes_that_join_get_even_parts_and_then_nothing_moves() {
        Party a = runtime("a");
        a.beatAndAsk();
        Party b = runtime("b");
        Party c = runtime("c");

        settle();

        assertThat(sizes(a, b, c)).containsExactlyInAnyOrder(86, 85, 85);
        assertThat(held()).hasSize(256).doesNotHaveDuplicates();
        var before = List.of(a.share.slots(), b.share.slots(), c.share.slots());
        clock.advance(Duration.ofSeconds(20));
        round();
        assertThat(List.of(a.share.slots(), b.share.slots(), c.share.slots())).isEqualTo(before);
    }

    @Test
    void a_heartbeat_costs_one_read_and_one_write_and_never_more_than_a_short_batch() {
        Party a = runtime("a");
        runtime("b");
        settle();
        emulator.requests().clear();

        a.beat();

        assertThat(emulator.requests().matching(request -> request.operation().isData()))
                .extracting(LoggedRequest::operation)
                .containsExactly(RequestKind.QUERY, RequestKind.BATCH);
        assertThat(emulator.requests().matching(request -> request.operation() == RequestKind.BATCH))
                .allMatch(request -> !request.body().contains(","), "only its own lease is written");
    }

    @Test
    void a_slot_still_in_use_is_not_given_up_before_its_user_has_let_go() {
        Party a = runtime("a");
        a.beatAndAsk();
        Party b = runtime("b");
        b.beatAndAsk();

        a.beat();
        b.beatAndAsk();
        assertThat(b.share.slots())
                .as("the dispatcher of a has not asked since")
                .isEmpty();

        a.ask();
        a.beat();
        b.beatAndAsk();
        assertThat(b.share.slots()).hasSize(128);
        assertThat(held()).hasSize(256).doesNotHaveDuplicates();
    }

    @Test
    void slots_of_a_runtime_are_shared_out_among_its_dispatchers() {
        Party a = runtime("a");
        runtime("b");
        settle();
        a.leases.releaseSlots("dispatcher");
        for (int i = 0; i < 3; i++) {
            a.leases.acquireSlots("main");
            a.leases.acquireSlots("second");
        }

        assertThat(a.leases.acquireSlots("main").slots()).hasSize(64);
        assertThat(a.leases.acquireSlots("second").slots()).hasSize(64);
    }

    @Test
    void a_runtime_that_leaves_is_replaced_at_the_next_heartbeat() {
        Party a = runtime("a");
        Party b = runtime("b");
        settle();

        a.leave();
        b.beatAndAsk();

        assertThat(b.share.slots()).isEqualTo(SlotTable.ALL);
        assertThat(a.ask()).isEqualTo(SlotShare.NONE);
    }

    @Test
    void a_crashed_runtime_is_replaced_when_its_lease_expires_and_not_a_millisecond_earlier() {
        Party a = runtime("a");
        Party b = runtime("b");
        settle();
        a.beatAndAsk();
        SlotShare last = a.share;

        for (int i = 0; i < 59; i++) {
            clock.advance(Duration.ofSeconds(1));
            b.beatAndAsk();
            assertThat(b.share.slots()).hasSize(128);
        }
        clock.advance(Duration.ofMillis(999));
        b.beatAndAsk();
        assertThat(b.share.slots()).hasSize(128);
        Duration untilNext = Duration.ofMillis(1);
        assertThat(b.nextBeat)
                .as("it looks again as soon as a lease expires, or soon after")
                .isLessThan(CONFIG.heartbeat());

        clock.advance(untilNext);
        b.beatAndAsk();

        assertThat(b.share.slots()).as("taken over").isEqualTo(SlotTable.ALL);
        assertThat(last.validUntilMillis())
                .as("the share of the dead ended a margin before")
                .isEqualTo(clock.millis() - CONFIG.margin().toMillis());
    }

    @Test
    void a_holder_that_slept_through_its_lease_holds_nothing_when_it_wakes() {
        Party a = runtime("a");
        Party b = runtime("b");
        settle();
        SlotShare stale = a.share;
        clock.advance(CONFIG.duration());
        b.beatAndAsk();

        assertThat(stale.slots()).hasSize(128).noneMatch(slot -> stale.holds(slot, clock.millis()));
        assertThat(a.ask().slots()).as("before it has even spoken to the store").isEmpty();
        assertThat(b.share.slots()).isEqualTo(SlotTable.ALL);
        settle();
        assertThat(sizes(a, b)).containsExactly(128, 128);
        assertThat(held()).hasSize(256).doesNotHaveDuplicates();
    }

    @Test
    void a_holder_that_slept_but_was_not_missed_goes_on_as_before() {
        Party a = runtime("a");
        a.beatAndAsk();
        clock.advance(Duration.ofHours(1));
        assertThat(a.ask()).isEqualTo(SlotShare.NONE);

        a.beatAndAsk();

        assertThat(a.share.slots()).isEqualTo(SlotTable.ALL);
    }

    @Test
    void a_renewal_that_was_on_its_way_when_the_runtime_was_replaced_fails() {
        Party a = runtime("a");
        Party b = runtime("b");
        settle();
        clock.advance(CONFIG.duration());
        // The sleeper wakes, and is overtaken between its look and its write.
        try (var meanwhile = NthRequest.doing(emulator, CosmosLeaseProviderIT::isBatch, 1, b::beatAndAsk)) {
            a.beat();
            assertThat(meanwhile.happened()).isTrue();
        }

        a.ask();
        assertThat(a.share.slots()).isEmpty();
        assertThat(b.share.slots()).isEqualTo(SlotTable.ALL);
        assertThat(emulator.requests().matching(request -> isBatch(request) && request.status() == REFUSED_BATCH))
                .as("it lost one race")
                .isNotEmpty();
    }

    @Test
    void a_takeover_that_was_on_its_way_when_the_holder_woke_fails() {
        Party a = runtime("a");
        Party b = runtime("b");
        settle();
        clock.advance(Duration.ofSeconds(30));
        b.beatAndAsk();
        clock.advance(Duration.ofSeconds(30));
        try (var meanwhile = NthRequest.doing(emulator, CosmosLeaseProviderIT::isBatch, 1, a::beatAndAsk)) {
            b.beatAndAsk();
            assertThat(meanwhile.happened()).isTrue();
        }

        assertThat(sizes(a, b)).containsExactly(128, 128);
        assertThat(held()).hasSize(256).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "before request {0}")
    @ValueSource(ints = {1, 2, 3})
    void of_two_that_join_at_once_both_are_in_and_no_slot_is_twice(int nth) {
        Party a = runtime("a");
        Party b = runtime("b");
        try (var meanwhile =
                NthRequest.doing(emulator, request -> request.operation().isData(), nth, b::beatAndAsk)) {
            a.beatAndAsk();
            assertThat(meanwhile.happened()).isEqualTo(nth <= 2);
        }
        assertThat(held()).doesNotHaveDuplicates();

        settle();

        assertThat(sizes(a, b)).containsExactly(128, 128);
        assertThat(held()).hasSize(256).doesNotHaveDuplicates();
    }

    @Test
    void of_two_that_take_over_at_once_each_slot_goes_to_one() {
        Party dead = runtime("dead");
        Party a = runtime("a");
        Party b = runtime("b");
        settle();
        dead.crash();
        clock.advance(Duration.ofSeconds(40));
        a.beatAndAsk();
        b.beatAndAsk();
        clock.advance(Duration.ofSeconds(20));
        try (var meanwhile = NthRequest.doing(emulator, CosmosLeaseProviderIT::isBatch, 1, b::beatAndAsk)) {
            a.beatAndAsk();
            assertThat(meanwhile.happened()).isTrue();
        }

        assertThat(held()).doesNotHaveDuplicates();
        settle();
        assertThat(sizes(a, b)).containsExactly(128, 128);
    }

    @Test
    void lost_answers_and_refusals_change_nothing_in_the_end() {
        Party a = runtime("a");
        Party b = runtime("b");
        for (int status : new int[] {408, 410, 429, 449, 503}) {
            FaultRule rule = emulator.faults().refuse(CosmosLeaseProviderIT::isBatch, 1, status, 0);
            round();
            assertThat(rule.hits()).as("status %d", status).isEqualTo(1);
            rule.remove();
        }
        FaultRule lost = emulator.faults().loseAnswer(CosmosLeaseProviderIT::isBatch, 1);
        FaultRule dropped = emulator.faults().dropConnection(CosmosLeaseProviderIT::isBatch, 3);
        round();

        settle();

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(dropped.hits()).isEqualTo(1);
        assertThat(sizes(a, b)).containsExactly(128, 128);
        assertThat(held()).hasSize(256).doesNotHaveDuplicates();
    }

    @Test
    void a_join_whose_answer_was_lost_is_found_and_not_made_twice() {
        Party a = runtime("a");
        FaultRule lost = emulator.faults().loseAnswer(CosmosLeaseProviderIT::isBatch, 1);

        a.beatAndAsk();

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(a.share.slots()).isEqualTo(SlotTable.ALL);
        Party b = runtime("b");
        settle();
        assertThat(sizes(a, b)).containsExactly(128, 128);
    }

    @Test
    void a_leave_whose_answer_was_lost_holds() {
        Party a = runtime("a");
        Party b = runtime("b");
        settle();
        FaultRule lost = emulator.faults().loseAnswer(CosmosLeaseProviderIT::isBatch, 1);

        a.leave();
        b.beatAndAsk();

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(b.share.slots()).isEqualTo(SlotTable.ALL);
    }

    @Test
    void while_the_store_is_away_slots_are_kept_only_as_long_as_the_lease_is_safe() {
        Party a = runtime("a");
        a.beatAndAsk();
        FaultRule away = emulator.faults().refuse(request -> request.operation().isData(), 0, 400, 0);

        clock.advance(CONFIG.duration().minus(CONFIG.margin()).minusMillis(1));
        assertThatThrownBy(a::beat).isInstanceOf(ProviderException.class);
        assertThat(a.ask().slots()).isEqualTo(SlotTable.ALL);
        clock.advance(Duration.ofMillis(1));
        assertThat(a.ask()).isEqualTo(SlotShare.NONE);
        away.remove();

        a.beatAndAsk();
        assertThat(a.share.slots()).isEqualTo(SlotTable.ALL);
    }

    @Test
    void clocks_that_differ_by_the_margin_are_safe() {
        Duration margin = CONFIG.margin();
        Party slow = runtime("slow", Duration.ZERO);
        Party fast = runtime("fast", margin);
        settle();
        SlotShare last = slow.share;

        // The slow one falls silent; the fast one takes over as soon as its own clock lets it.
        for (int i = 0; i < 70 && fast.share.slots().size() == 128; i++) {
            clock.advance(Duration.ofSeconds(1));
            fast.beatAndAsk();
            assertThat(held()).as("second %d", i).doesNotHaveDuplicates();
        }

        assertThat(fast.share.slots()).isEqualTo(SlotTable.ALL);
        assertThat(last.validUntilMillis()).as("by its own clock").isLessThanOrEqualTo(clock.millis());
    }

    @Test
    void clocks_that_differ_by_more_may_cost_a_second_holder_until_the_first_renews_and_no_longer() {
        Party slow = runtime("slow", Duration.ZERO);
        Party fast = runtime("fast", CONFIG.duration());
        slow.beatAndAsk();

        fast.beatAndAsk();

        assertThat(fast.share.slots())
                .as("to the fast clock the lease has expired")
                .isEqualTo(SlotTable.ALL);
        assertThat(held()).as("what the margin is for").hasSize(512);
        slow.beatAndAsk();
        assertThat(slow.share.slots())
                .as("the store says otherwise, and is believed")
                .isEmpty();
        assertThat(held()).hasSize(256);
    }

    @Test
    void a_place_that_cannot_be_read_stops_the_others_until_any_lease_on_it_has_expired() {
        clock.advance(Duration.between(clock.instant(), Instant.now()));
        Party a = runtime("a");
        Party b = runtime("b");
        settle();
        store.container()
                .patchItem(
                        SlotGroupView.memberId(b.leases.holder()),
                        new PartitionKey("__leases__:slots:test"),
                        CosmosPatchOperations.create().set("/lease/durationMillis", "long"),
                        ObjectNode.class)
                .block();
        b.crash();

        assertThatThrownBy(a::beat)
                .hasMessageContaining("durationMillis")
                .hasMessageContaining(SlotGroupView.memberId(b.leases.holder()));
        clock.advance(LeaseConfig.LONGEST.plusMinutes(1));
        a.beatAndAsk();
        a.beatAndAsk();

        assertThat(a.share.slots()).isEqualTo(SlotTable.ALL);
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_runtime_goes_on_renewing_after_an_error_in_its_thread() {
        LeaseConfig quick = CONFIG.withDuration(Duration.ofSeconds(6));
        AtomicBoolean broken = new AtomicBoolean();
        AtomicInteger looks = new AtomicInteger();
        InstantSource breaking = () -> {
            if (broken.getAndSet(false)) {
                throw new StackOverflowError("while it beats");
            }
            looks.incrementAndGet();
            return Instant.now();
        };
        try (var runtime = new CosmosLeaseProvider(
                new ContainerRequests(store.container()), new CosmosLeaseProvider.Seat("live", "a"), quick, breaking)) {
            runtime.start();
            broken.set(true);
            await().until(() -> !broken.get());
            int before = looks.get();

            await().until(() -> looks.get() > before + 5);
        }
    }

    @Test
    void leases_are_no_work_to_the_contract() {
        Party a = runtime("a");
        a.beatAndAsk();
        CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).store(store).build();

        assertThat(provider.fetchOrchestrationItem(Duration.ofSeconds(5), Duration.ZERO, null))
                .isEmpty();
        assertThat(provider.read("__leases__:slots:test")).isEmpty();
        assertThat(provider.getInstanceStats("__leases__:slots:test")).isEmpty();
        assertThat(provider.getKvAllValues("__leases__:slots:test")).isEmpty();
    }

    @Test
    void a_runtime_whose_name_the_store_cannot_hold_is_refused_before_anything_is_written() {
        assertThatThrownBy(() -> CosmosLeaseProvider.join(store, "test", "a/b", CONFIG))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining("runtime");
        assertThatThrownBy(() -> CosmosLeaseProvider.join(store, "a?b", "a", CONFIG))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining("U+003F");
    }

    @Test
    @Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void runtimes_left_to_themselves_settle_and_replace_each_other() {
        LeaseConfig quick = CONFIG.withDuration(Duration.ofSeconds(6));
        try (var a = CosmosLeaseProvider.join(store, "live", "a", quick)) {
            try (var b = CosmosLeaseProvider.join(store, "live", "b", quick)) {
                awaitSlots(a, b, 128);
                awaitSlots(b, a, 128);
            }
            awaitSlots(a, a, 256);
        }
    }

    private static void awaitSlots(LeaseProvider provider, LeaseProvider other, int count) {
        await().until(() -> {
            other.acquireSlots("d");
            return provider.acquireSlots("d").slots().size() == count;
        });
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whatever_happens_no_slot_has_two_holders_and_in_the_end_none_is_without(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 3; i++) {
            runtime("r" + i, skew(random));
        }
        int born = runtimes.size();
        for (int step = 0; step < STEPS; step++) {
            Party chosen = runtimes.get(random.nextInt(runtimes.size()));
            switch (random.nextInt(16)) {
                case 0 -> chosen.crash();
                case 1 -> chosen.leave();
                case 2 -> runtime("r" + born++, skew(random));
                case 3 -> clock.advance(Duration.ofSeconds(random.nextInt(70)));
                case 4 -> emulator.faults().loseAnswer(CosmosLeaseProviderIT::isBatch, 1 + random.nextInt(3));
                case 5 -> emulator.faults().dropConnection(CosmosLeaseProviderIT::isBatch, 1 + random.nextInt(3));
                case 6, 7, 8 -> beatWithin(chosen, runtimes.get(random.nextInt(runtimes.size())));
                case 9, 10 -> chosen.ask();
                default -> chosen.beatAndAsk();
            }
            clock.advance(Duration.ofSeconds(random.nextInt(6)));
            assertThat(held()).as("seed %d step %d", seed, step).doesNotHaveDuplicates();
        }
        emulator.faults().clear();
        runtime("last", Duration.ZERO);
        clock.advance(CONFIG.duration().plus(CONFIG.margin()));

        settle();

        assertThat(held()).as("seed %d", seed).hasSize(256).doesNotHaveDuplicates();
        var sizes = runtimes.stream()
                .filter(Party::isUp)
                .mapToInt(r -> r.share.slots().size())
                .summaryStatistics();
        assertThat(sizes.getMax() - sizes.getMin()).as("seed %d: even", seed).isLessThanOrEqualTo(1);
    }

    /** One heartbeat falls between the look and the write of another. */
    private void beatWithin(Party outer, Party inner) {
        try (var meanwhile = NthRequest.doing(emulator, CosmosLeaseProviderIT::isBatch, 1, inner::beatAndAsk)) {
            if (outer != inner) {
                outer.beat();
                assertThat(meanwhile.happened()).isEqualTo(outer.isUp());
            }
        }
    }

    private static Duration skew(SplittableRandom random) {
        return Duration.ofMillis(random.nextLong(CONFIG.margin().toMillis() + 1));
    }

    private static boolean isBatch(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH;
    }

    /** Each runtime's heartbeat once, and each dispatcher asks before and after. */
    private void round() {
        runtimes.forEach(Party::ask);
        runtimes.forEach(Party::beatAndAsk);
    }

    private void settle() {
        for (int i = 0; i < 4; i++) {
            round();
        }
    }

    /** What is held at this moment, by everyone's own clock, the crashed included. */
    private List<Integer> held() {
        List<Integer> held = new ArrayList<>();
        for (Party runtime : runtimes) {
            long now = clock.millis() + runtime.ahead.toMillis();
            runtime.share.slots().stream()
                    .filter(slot -> runtime.share.holds(slot, now))
                    .forEach(held::add);
        }
        return held;
    }

    private static List<Integer> sizes(Party... some) {
        List<Integer> sizes = new ArrayList<>();
        for (Party runtime : some) {
            sizes.add(runtime.share.slots().size());
        }
        return sizes;
    }

    private Party runtime(String name) {
        return runtime(name, Duration.ZERO);
    }

    private Party runtime(String name, Duration ahead) {
        Party runtime = new Party(name, ahead);
        runtimes.add(runtime);
        return runtime;
    }

    /** A runtime with one dispatcher; its heart beats when told to. */
    private final class Party {
        private final Duration ahead;
        private final CosmosLeaseProvider leases;
        private SlotShare share = SlotShare.NONE;
        private Duration nextBeat = Duration.ZERO;
        private boolean up = true;

        Party(String name, Duration ahead) {
            this.ahead = ahead;
            this.leases = new CosmosLeaseProvider(
                    new ContainerRequests(store.container()),
                    new CosmosLeaseProvider.Seat("test", name),
                    CONFIG,
                    clock.ahead(ahead));
        }

        boolean isUp() {
            return up;
        }

        void beat() {
            if (up) {
                nextBeat = leases.beat();
            }
        }

        SlotShare ask() {
            if (up) {
                share = leases.acquireSlots("dispatcher");
            }
            return share;
        }

        void beatAndAsk() {
            beat();
            ask();
        }

        /** It does nothing any more, and its last share stays with it. */
        void crash() {
            up = false;
        }

        void leave() {
            if (up) {
                share = SlotShare.NONE;
                leases.close();
                up = false;
            }
        }
    }
}
