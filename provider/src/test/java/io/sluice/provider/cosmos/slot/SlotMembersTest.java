package io.sluice.provider.cosmos.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SlotMembersTest {
    private static final long NOW = 1_000;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 50, 255, 256})
    void the_parts_are_even_and_are_all_slots(int count) {
        SlotMembers members = members(count);

        int next = 0;
        for (String member : members.live("turns", NOW)) {
            SlotRange range = members.range("turns", member, NOW);
            assertThat(range.from()).isEqualTo(next);
            assertThat(range.to() - range.from()).isBetween(256 / count, 256 / count + 1);
            next = range.to();
        }
        assertThat(next).isEqualTo(256);
    }

    @Test
    void more_members_than_slots_have_one_slot_each() {
        SlotMembers members = members(300);

        assertThat(members.live("turns", NOW)).allSatisfy(member -> {
            SlotRange range = members.range("turns", member, NOW);
            assertThat(range.to() - range.from()).isEqualTo(1);
        });
    }

    @Test
    void one_alone_prefers_nothing_nor_does_one_that_is_not_known() {
        assertThat(members(1).range("turns", "p000", NOW)).isEqualTo(SlotRange.ALL);
        assertThat(members(5).range("turns", "other", NOW)).isEqualTo(SlotRange.ALL);
        assertThat(members(5).range("activities", "p000", NOW)).isEqualTo(SlotRange.ALL);
    }

    @Test
    void the_dead_have_no_part() {
        assertThat(members(5).range("turns", "p000", NOW + 100)).isEqualTo(SlotRange.ALL);
        assertThat(members(5).live("turns", NOW + 100)).isEmpty();
        assertThat(members(5).gone(NOW + 101, 3)).hasSize(3);
    }

    @Test
    void a_time_further_off_than_any_lease_keeps_no_part_for_nobody() {
        var members = new TreeMap<String, Map<String, Long>>();
        members.put("ghost", Map.of("turns", NOW + Duration.ofDays(365).toMillis()));
        members.put("p000", Map.of("turns", NOW + 100));
        SlotMembers known = new SlotMembers(members);

        assertThat(known.live("turns", NOW)).containsExactly("p000");
        assertThat(known.range("turns", "p000", NOW)).isEqualTo(SlotRange.ALL);
        assertThat(known.gone(NOW - Duration.ofMinutes(1).toMillis(), 3)).containsExactly("ghost");
    }

    private static SlotMembers members(int count) {
        var members = new TreeMap<String, Map<String, Long>>();
        IntStream.range(0, count).forEach(i -> members.put("p%03d".formatted(i), Map.of("turns", NOW + 100)));
        return new SlotMembers(members);
    }
}
