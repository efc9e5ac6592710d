package io.sluice.provider.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What is kept of locks that lapsed and were never acked. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeldLocksTest {
    private static final int MOST = 10;
    private static final long HEAVY = HeldLocks.MOST_LAPSED_BYTES / 4;
    private static final Duration PAST_HOUR = Duration.ofMinutes(61);

    private long now = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private final HeldLocks<Thing> locks = new HeldLocks<>("a thing", MOST, () -> Instant.ofEpochMilli(now));

    private record Thing(String token, long lockedUntil, long weight, boolean isInDoubt) implements HeldLocks.Held {}

    @Test
    void of_those_that_lapsed_no_more_is_kept_than_the_bound_in_bytes_and_the_latest() {
        List<Thing> lapsed = add(40, HEAVY, false);

        assertThat(kept(lapsed)).hasSizeBetween(1, 5).endsWith(lapsed.get(39)).doesNotContain(lapsed.get(0));
    }

    @Test
    void of_light_ones_no_more_is_kept_than_the_bound_in_number() {
        List<Thing> lapsed = add(100, 1, false);

        assertThat(kept(lapsed)).hasSizeBetween(MOST / 2, MOST + 1).endsWith(lapsed.get(99));
    }

    @Test
    void those_that_are_alive_stay_whatever_they_weigh() {
        List<Thing> alive = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            alive.add(add(now + PAST_HOUR.toMillis(), HEAVY, false));
        }
        add(40, HEAVY, false);

        assertThat(kept(alive)).isEqualTo(alive);
    }

    @Test
    void those_in_doubt_stay_for_an_hour() {
        List<Thing> doubtful = add(40, HEAVY, true);
        assertThat(kept(doubtful)).isEqualTo(doubtful);

        now += PAST_HOUR.toMillis();
        add(1, 1, false);

        assertThat(kept(doubtful)).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void one_that_went_is_searched_for_and_held_again() {
        List<Thing> lapsed = add(40, HEAVY, false);
        Thing first = lapsed.get(0);
        List<String> searched = new ArrayList<>();

        Thing found = locks.require(call(), first.token(), (call, token) -> {
            searched.add(token);
            return Optional.of(first);
        });

        assertThat(found).isEqualTo(first);
        assertThat(searched).containsExactly(first.token());
        assertThat(locks.known(call(), first.token())).contains(first);
    }

    @Test
    void what_is_found_in_the_store_counts_as_well() {
        List<Thing> found = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            found.add(locks.keep(new Thing(UUID.randomUUID().toString(), ++now, HEAVY, false)));
            now++;
        }

        assertThat(kept(found)).hasSizeLessThanOrEqualTo(5);
    }

    /** Each lapses before the next is added. */
    private List<Thing> add(int count, long weight, boolean isInDoubt) {
        List<Thing> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            added.add(add(now, weight, isInDoubt));
            now++;
        }
        return added;
    }

    private Thing add(long lockedUntil, long weight, boolean isInDoubt) {
        Thing thing = new Thing(UUID.randomUUID().toString(), lockedUntil, weight, isInDoubt);
        locks.add(thing);
        return thing;
    }

    private List<Thing> kept(List<Thing> things) {
        return things.stream()
                .filter(thing -> locks.known(call(), thing.token()).isPresent())
                .toList();
    }

    private static Call call() {
        return new Call("test", "a thing", Deadline.in(Duration.ofSeconds(1)));
    }
}
