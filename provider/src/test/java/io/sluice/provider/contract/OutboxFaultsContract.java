package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.Provider;
import io.sluice.provider.contract.replay.Code;
import io.sluice.provider.contract.replay.OrchestrationContext.Step;
import io.sluice.provider.contract.replay.ReplayRuntime;
import io.sluice.provider.contract.replay.RuntimeOptions;
import io.sluice.provider.history.EventKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an ack sends to other instances arrives, once, also when the ack could not deliver it itself. */
public abstract class OutboxFaultsContract extends EndToEndScenarios {
    private static final Code CODE = new Code()
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
                    (context, input) ->
                            "parent:" + context.child("Echo", null, input).await())
            .orchestration("FansOut", (context, input) -> {
                List<Step> children = new ArrayList<>();
                for (String number : List.of("10", "20", "30")) {
                    children.add(context.child("Doubles", null, number));
                }
                return Integer.toString(context.all(children).stream()
                        .mapToInt(Integer::parseInt)
                        .sum());
            })
            .orchestration(
                    "Results",
                    (context, input) ->
                            "result:" + context.child("Reverses", null, input).await());

    /** Runs the category on stores from there. */
    protected OutboxFaultsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_outbox_reconciler_delivers_after_best_effort_failure() {
        client.start("x", "Parent", "hello");

        assertThat(outputDeliveredBeside()).isEqualTo("parent:hello");
    }

    @Test
    void test_outbox_reconciler_delivers_multiple_intents() {
        client.start("x", "FansOut", "");

        assertThat(outputDeliveredBeside()).isEqualTo("120");
        assertThat(eventsOf("x", EventKind.SubOrchestrationCompleted.class)).hasSize(3);
    }

    @Test
    void test_outbox_best_effort_delivery_happy_path() {
        assertThat(outputOf(CODE, "Results", "abcdef")).isEqualTo("result:fedcba");
    }

    /**
     * No ack delivers anything itself; who runs beside the provider does, and only once the children were seen waiting.
     */
    private String outputDeliveredBeside() {
        Provider leaving = store().leavingDelivery();
        ReplayRuntime.<@Nullable Void>during(leaving, CODE, RuntimeOptions.DEFAULT, () -> {
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
