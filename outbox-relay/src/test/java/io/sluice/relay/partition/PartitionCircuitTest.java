package io.sluice.relay.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.partition.PartitionCircuit.Answer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PartitionCircuitTest {
    private final AtomicInteger asked = new AtomicInteger();

    private static PartitionCircuit circuit(Duration delay) {
        return new PartitionCircuit(KeyRange.cut(1).get(0), delay, System::nanoTime, () -> {});
    }

    private Answer ask(PartitionCircuit circuit, Answer answer) {
        return circuit.call(
                () -> {
                    asked.incrementAndGet();
                    return answer;
                },
                told -> told);
    }

    private void away(PartitionCircuit circuit) {
        while (circuit.state() == CircuitState.CLOSED) {
            ask(circuit, Answer.AWAY);
        }
    }

    @Test
    void a_store_that_is_away_is_not_asked() {
        var circuit = circuit(Duration.ofMinutes(1));
        away(circuit);
        int before = asked.get();

        assertThatThrownBy(() -> ask(circuit, Answer.AWAY))
                .isInstanceOfSatisfying(
                        CircuitOpenException.class,
                        open -> assertThat(open.delay()).isBetween(Duration.ofMillis(100), Duration.ofMinutes(1)));
        assertThat(before).isBetween(5, 6);
        assertThat(asked).hasValue(before);
    }

    @Test
    void one_request_finds_out_when_it_is_back() {
        var circuit = circuit(Duration.ofMillis(1));
        away(circuit);

        await().until(() -> {
            try {
                return circuit.call(
                        () -> {
                            assertThatThrownBy(() -> ask(circuit, Answer.AWAY))
                                    .as("one at a time")
                                    .isInstanceOf(CircuitOpenException.class);
                            return true;
                        },
                        answer -> Answer.GIVEN);
            } catch (CircuitOpenException e) {
                return false;
            }
        });

        assertThat(circuit.state()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void a_request_that_breaks_counts_as_no_answer() {
        var circuit = circuit(Duration.ofMinutes(1));

        for (int i = 0; i < 10 && circuit.state() == CircuitState.CLOSED; i++) {
            assertThatThrownBy(() -> circuit.call(
                            () -> {
                                throw new IllegalStateException("broken");
                            },
                            answer -> Answer.GIVEN))
                    .isInstanceOf(IllegalStateException.class);
        }

        assertThat(circuit.state()).isEqualTo(CircuitState.OPEN);
    }
}
