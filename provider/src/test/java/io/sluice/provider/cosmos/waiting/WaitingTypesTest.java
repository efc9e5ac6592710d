package io.sluice.provider.cosmos.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.provider.work.WaitingWork.Kind;
import io.sluice.provider.work.WaitingWork.WaitingType;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WaitingTypesTest {
    private final WaitingTypes types = new WaitingTypes();

    @Test
    void what_has_waited_longest_comes_first() {
        types.add(Kind.TURN, "B", "1", 20);
        types.add(Kind.ACTIVITY, "A", null, 30);
        types.add(Kind.TURN, "B", "2", 10);
        types.add(Kind.ACTIVITY, "A", null, 5);

        assertThat(types.report(100, true).types())
                .extracting(
                        WaitingType::kind,
                        WaitingType::name,
                        WaitingType::version,
                        WaitingType::count,
                        WaitingType::since)
                .containsExactly(
                        tuple(Kind.ACTIVITY, "A", null, 2, Instant.ofEpochMilli(5)),
                        tuple(Kind.TURN, "B", "2", 1, Instant.ofEpochMilli(10)),
                        tuple(Kind.TURN, "B", "1", 1, Instant.ofEpochMilli(20)));
        assertThat(types.report(100, true).isCut()).isTrue();
    }

    @Test
    void of_many_types_the_oldest_are_named_and_the_rest_is_counted() {
        IntStream.range(0, 1_000).forEach(i -> types.add(Kind.TURN, "Order" + i, "1", 1_000 - i));

        var named = types.report(2_000, false).types();

        assertThat(named).hasSize(WaitingTypes.MOST_TYPES + 1);
        assertThat(named.get(0)).returns("Order999", WaitingType::name).returns(false, WaitingType::isRest);
        assertThat(named.get(WaitingTypes.MOST_TYPES))
                .returns(true, WaitingType::isRest)
                .returns(true, WaitingType::isTaken)
                .returns(900, WaitingType::count)
                .returns(Instant.ofEpochMilli(101), WaitingType::since);
    }

    @Test
    void what_has_no_name_or_too_long_a_one_is_of_the_rest() {
        types.add(Kind.TURN, "", null, 10);
        types.add(Kind.TURN, "n".repeat(WaitingTypes.LONGEST_NAME + 1), "1", 20);
        types.add(Kind.TURN, "n".repeat(WaitingTypes.LONGEST_NAME), "1", 30);
        types.add(Kind.TURN, "n", "1".repeat(WaitingTypes.LONGEST_NAME + 1), 5);

        assertThat(types.report(100, false).types())
                .extracting(WaitingType::isRest, WaitingType::count)
                .containsExactly(tuple(true, 3), tuple(false, 1));
    }
}
