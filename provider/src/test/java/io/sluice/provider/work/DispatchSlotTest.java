package io.sluice.provider.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.provider.json.Vector;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchSlotTest {
    static Stream<Vector> slots() {
        return Vector.all("dispatch-slots.json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("slots")
    void is_the_one_rust_computes(Vector vector) {
        String instanceId = vector.value("json").path("instanceId").textValue();

        assertThat(HexFormat.of().toHexDigits(DispatchSlot.hash(instanceId))).isEqualTo(vector.text("hash64_hex"));
        assertThat(DispatchSlot.of(instanceId))
                .isEqualTo(vector.value("json").path("dispatchSlot").intValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "a\udc00", "\ud83d\ud83d\ude00"})
    void half_a_surrogate_pair_has_no_slot(String instanceId) {
        assertThatIllegalArgumentException().isThrownBy(() -> DispatchSlot.of(instanceId));
    }

    @Test
    void slots_are_spread_over_their_whole_range() {
        long used = Stream.iterate(0, i -> i + 1)
                .limit(10_000)
                .map(i -> DispatchSlot.of("instance-" + i))
                .distinct()
                .count();

        assertThat(used).isEqualTo(DispatchSlot.COUNT);
    }
}
