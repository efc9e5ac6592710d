package io.sluice.examples.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.Step;
import io.sluice.provider.Provider;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.history.EventKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an ack sends to other instances arrives, once, also when the ack could not deliver it itself. */
public abstract class OutboxFaultsContract extends EndToEndScenarios {
    private static final Registry CODE = new Registry()
            .activity("Double", item -> Integer.toString(2 * Integer.parseInt(item.input())))
            .activity(
                    "Reverse", item -> new StringBuilder(item.input()).reverse().toString())
            .orchestration("Echo", (context, input) -> input)
            .orchestration(
                    "Doubles",
                    (context, input) -> context.activity("Double", input).await())
            .orchestration(
                    "Reverses",
                    (context, input) -> context.activity("Reverse", input).await())
            .orchestration(
                    "Parent",
                    (context, input) -> "parent:"
                            + context.subOrchestration("Echo", null, input).await())
            .orchestration("FansOut", (context, input) -> {
                List<Step> children = new ArrayList<>();
                for (String number : List.of("10", "20", "30")) {
                    children.add(context.subOrchestration("Doubles", null, number));
                }
                return Integer.toString(context.awaitAll(children).stream()
                        .mapToInt(Integer::parseInt)
                        .sum());
            })
            .orchestration(
                    "Results",
                    (context, input) -> "result:"
                            + context.subOrchestration("Reverses", null, input).await());

    /** Runs the category on stores from there. */
    protected OutboxFaultsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_outbox_reconciler_delivers_after_best_effort_failure() {
        client.start("x", "Parent", "hello");

        assertThat(outputDeliveredLater()).isEqualTo("parent:hello");
    }

    @Test
    void test_outbox_reconciler_delivers_multiple_intents() {
        client.start("x", "FansOut", "");

        assertThat(outputDeliveredLater()).isEqualTo("120");
        assertThat(eventsOf("x", EventKind.SubOrchestrationCompleted.class)).hasSize(3);
    }

    @Test
    void test_outbox_best_effort_delivery_happy_path() {
        assertThat(outputOf(CODE, "Results", "abcdef")).isEqualTo("result:fedcba");
    }

    /**
     * No ack delivers its intents: {@code deliver} does, and only after the children were seen waiting.
     */
    private String outputDeliveredLater() {
        Provider leaving = store().leavingDelivery();
        EndToEndScenarios.<@Nullable Void>during(leaving, CODE, CONFIG, () -> {
            client.awaitEvent("x", EventKind.SubOrchestrationScheduled.class, SOON);
            assertThat(client.admin().listChildren("x"))
                    .as("nothing is delivered yet")
                    .isEmpty();
            client.await("the end", SOON, () -> {
                store().deliver();
                return !eventsOf("x", EventKind.OrchestrationCompleted.class).isEmpty();
            });
            return null;
        });
        for (String child : client.admin().listChildren("x")) {
            assertThat(eventsOf(child, EventKind.OrchestrationStarted.class))
                    .as("starts of %s", child)
                    .hasSize(1);
        }
        return client.output("x", SOON);
    }
}
