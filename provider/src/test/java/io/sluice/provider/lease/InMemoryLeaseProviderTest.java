package io.sluice.provider.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.contract.Covers;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Covers("wire 49")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InMemoryLeaseProviderTest {
    private static final int STEPS = Tier.times(400, 2_000);

    private final TestClock clock = new TestClock();
    private final LeaseProvider leases = new InMemoryLeaseProvider(LeaseConfig.DEFAULT, clock);

    @Test
    void a_caller_alone_has_all_slots_whatever_was_configured() {
        assertThat(leases.acquireSlots("a").slots()).hasSize(256).isEqualTo(SlotTable.ALL);
    }

    @Test
    void three_callers_have_even_parts_once_each_has_asked_again() {
        askAll("a", "b", "c");
        askAll("a", "b", "c");

        Map<String, SlotShare> shares = askAll("a", "b", "c");

        assertThat(shares.values()).extracting(share -> share.slots().size()).containsExactlyInAnyOrder(86, 85, 85);
        var all = new TreeSet<Integer>();
        shares.values().forEach(share -> all.addAll(share.slots()));
        assertThat(all).as("every slot is somebody's").isEqualTo(SlotTable.ALL);
    }

    @Test
    void a_newcomer_gets_what_a_holder_has_given_up_by_asking_and_not_before() {
        leases.acquireSlots("a");

        SlotShare early = leases.acquireSlots("b");
        SlotShare reduced = leases.acquireSlots("a");
        SlotShare late = leases.acquireSlots("b");

        assertThat(early.slots()).isEmpty();
        assertThat(reduced.slots()).hasSize(128);
        assertThat(late.slots()).hasSize(128).doesNotContainAnyElementsOf(reduced.slots());
    }

    @Test
    void a_caller_keeps_its_slots_while_nobody_comes_or_goes() {
        askAll("a", "b", "c");
        Map<String, SlotShare> before = askAll("a", "b", "c");
        clock.advance(Duration.ofSeconds(30));

        Map<String, SlotShare> after = askAll("c", "b", "a");

        assertThat(after.keySet()).isEqualTo(before.keySet());
        after.forEach((caller, share) -> assertThat(before)
                .hasEntrySatisfying(caller, earlier -> assertThat(share.slots()).isEqualTo(earlier.slots())));
    }

    @Test
    void released_slots_go_to_those_who_stay() {
        askAll("a", "b");
        askAll("a", "b");

        leases.releaseSlots("a");
        leases.releaseSlots("nobody");

        assertThat(leases.acquireSlots("b").slots()).isEqualTo(SlotTable.ALL);
    }

    @Test
    void a_caller_that_died_without_a_word_is_replaced_when_its_share_runs_out() {
        SlotShare last = leases.acquireSlots("a");
        leases.acquireSlots("b");
        clock.advance(Duration.ofMillis(LeaseConfig.DEFAULT.duration().toMillis() - 1));
        assertThat(leases.acquireSlots("b").slots()).isEmpty();
        assertThat(last.holds(7, clock.millis())).isTrue();

        clock.advance(Duration.ofMillis(1));

        assertThat(last.holds(7, clock.millis())).isFalse();
        assertThat(leases.acquireSlots("b").slots()).isEqualTo(SlotTable.ALL);
    }

    @Test
    void after_closing_there_is_nothing_to_have() {
        leases.acquireSlots("a");

        leases.close();
        leases.close();

        assertThat(leases.acquireSlots("a")).isEqualTo(SlotShare.NONE);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void whoever_comes_goes_or_falls_silent_no_slot_ever_has_two_holders(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, SlotShare> shares = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            String caller = "c" + random.nextInt(9);
            if (random.nextInt(12) == 0) {
                leases.releaseSlots(caller);
                shares.remove(caller);
            } else {
                shares.put(caller, leases.acquireSlots(caller));
            }
            clock.advance(Duration.ofSeconds(random.nextInt(8)));
            assertThat(held(shares)).as("seed %d step %d", seed, step).doesNotHaveDuplicates();
        }
    }

    private List<Integer> held(Map<String, SlotShare> shares) {
        List<Integer> held = new ArrayList<>();
        shares.values()
                .forEach(share -> share.slots().stream()
                        .filter(slot -> share.holds(slot, clock.millis()))
                        .forEach(held::add));
        return held;
    }

    private Map<String, SlotShare> askAll(String... callers) {
        Map<String, SlotShare> shares = new HashMap<>();
        for (String caller : callers) {
            shares.put(caller, leases.acquireSlots(caller));
        }
        return shares;
    }
}
