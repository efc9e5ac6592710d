package io.sluice.relay.delivery;

import static io.sluice.relay.delivery.IntentExamples.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.delivery.PartitionCircuit.Answer;
import io.sluice.relay.feed.KeyRange;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PartitionCircuitTest {
    private static final DeliveryOutcome AWAY = new DeliveryOutcome.Transient("away", null);
    private static final DeliveryOutcome THROTTLED = new DeliveryOutcome.Transient("slow", Duration.ofMillis(5));
    private static final Intent INTENT = intent("s", "t", 1);

    private final AtomicInteger asked = new AtomicInteger();

    private static PartitionCircuit circuit(Duration delay) {
        return new PartitionCircuit(KeyRange.cut(1).get(0), delay, System::nanoTime, () -> {});
    }

    private static GuardedOutbox guarded(ScriptedOutbox outbox, PartitionCircuits circuits) {
        return new GuardedOutbox(outbox, circuits, RelayMemory.ofHeap(), (source, slice, first) -> {});
    }

    private static PartitionCircuits circuits(Duration delay) {
        return new PartitionCircuits(IntentExamples.onePartition(), RelayMemory.ofHeap(), delay, System::nanoTime);
    }

    private DeliveryOutcome ask(PartitionCircuit circuit, DeliveryOutcome answer) {
        return circuit.call(
                () -> {
                    asked.incrementAndGet();
                    return answer;
                },
                outcome -> outcome.equals(AWAY) ? Answer.AWAY : Answer.GIVEN);
    }

    private void away(PartitionCircuit circuit) {
        while (circuit.state() == CircuitState.CLOSED) {
            ask(circuit, AWAY);
        }
    }

    @Test
    void a_store_that_is_away_is_not_asked() {
        var circuit = circuit(Duration.ofMinutes(1));
        away(circuit);
        int before = asked.get();

        assertThatThrownBy(() -> ask(circuit, AWAY))
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
                            assertThatThrownBy(() -> ask(circuit, AWAY))
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

    @Test
    void a_throttled_store_is_not_away() {
        var circuits = circuits(Duration.ofMinutes(1));
        var throttled = new ScriptedOutbox();
        throttled.answering(INTENT, Stream.generate(() -> THROTTLED).limit(30).toArray(DeliveryOutcome[]::new));
        var guarded = guarded(throttled, circuits);

        for (int i = 0; i < 30; i++) {
            assertThat(guarded.deliver(INTENT)).isEqualTo(THROTTLED);
        }

        assertThat(circuits.worst()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void an_outage_parks_nothing_and_asks_little_and_all_is_delivered_after_it() {
        var circuits = circuits(Duration.ofMillis(50));
        var outbox = new ScriptedOutbox();
        outbox.answering(INTENT, Stream.generate(() -> AWAY).limit(20).toArray(DeliveryOutcome[]::new));
        var guarded = guarded(outbox, circuits);

        await().until(() -> {
            try {
                return guarded.deliver(INTENT) instanceof DeliveryOutcome.Delivered;
            } catch (CircuitOpenException e) {
                return false;
            }
        });

        assertThat(outbox.parked).isEmpty();
        assertThat(circuits.worst()).isEqualTo(CircuitState.CLOSED);
    }
}
