package io.sluice.examples.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.runtime.OrchestrationContext.Winner;
import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.StepFailedException;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Single instances end to end: activities, timers, signals, races and failures. */
public abstract class SamplesContract extends EndToEndScenarios {
    /** Runs the category on stores from there. */
    protected SamplesContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void sample_hello_world_fs() {
        Registry code = new Registry()
                .activity("Hello", item -> "Hello, " + item.input() + "!")
                .orchestration("HelloWorld", (context, input) -> {
                    context.activity("Hello", "Rust").await();
                    return context.activity("Hello", input).await();
                });

        assertThat(outputOf(code, "HelloWorld", "World")).isEqualTo("Hello, World!");
        assertThat(provider().read("x")).hasSize(6);
    }

    @Test
    void sample_basic_control_flow_fs() {
        Registry code = new Registry()
                .activity("GetFlag", item -> "yes")
                .activity("SayYes", item -> "picked_yes")
                .activity("SayNo", item -> "picked_no")
                .orchestration(
                        "ControlFlow",
                        (context, input) ->
                                context.activity("GetFlag", "").await().equals("yes")
                                        ? context.activity("SayYes", "").await()
                                        : context.activity("SayNo", "").await());

        assertThat(outputOf(code, "ControlFlow", "")).isEqualTo("picked_yes");
    }

    @Test
    void sample_loop_fs() {
        Registry code = new Registry()
                .activity("Append", item -> item.input() + "x")
                .orchestration("Loop", (context, input) -> {
                    String text = input;
                    for (int i = 0; i < 3; i++) {
                        text = context.activity("Append", text).await();
                    }
                    return text;
                });

        assertThat(outputOf(code, "Loop", "start")).isEqualTo("startxxx");
    }

    @Test
    void sample_error_handling_fs() {
        Registry code = new Registry()
                .activity("Fragile", item -> {
                    throw new IllegalStateException("bad input");
                })
                .activity("Recover", item -> "recovered")
                .orchestration("Recovers", (context, input) -> {
                    try {
                        return context.activity("Fragile", "bad").await();
                    } catch (StepFailedException e) {
                        return context.activity("Recover", "").await();
                    }
                });

        assertThat(outputOf(code, "Recovers", "")).isEqualTo("recovered");
    }

    @Test
    void sample_timeout_with_timer_race_fs() {
        Registry code = new Registry()
                .activity("Slow", taking(500, "too late"))
                .orchestration("Timeout", (context, input) -> {
                    Winner won = context.race(context.activity("Slow", ""), context.timer(Duration.ofMillis(100)));
                    if (won.index() == 1) {
                        throw new IllegalStateException("timeout");
                    }
                    return won.result();
                });

        assertThat(failureOf(code, "Timeout", "")).contains("timeout");
        steps.fetchNoWork();
    }

    @Test
    void sample_select2_activity_vs_external_fs() {
        Registry code = new Registry()
                .activity("Sleep", taking(300, "slept"))
                .orchestration("Select", (context, input) -> {
                    Winner won = context.race(context.activity("Sleep", ""), context.externalEvent("Go"));
                    return won.index() == 0 ? won.result() : "event:" + won.result();
                });
        client.start("x", "Select", "");

        during(code, CONFIG, () -> {
            client.awaitEvent("x", EventKind.ExternalSubscribed.class, SOON);
            client.raise("x", "Go", "ok");
            assertThat(client.output("x", SOON)).isEqualTo("event:ok");
        });
    }

    @Test
    void dtf_legacy_gabbar_greetings_fs() {
        Registry code = new Registry()
                .activity("Greetings", item -> "Hello, " + item.input() + "!")
                .orchestration(
                        "Greetings",
                        (context, input) -> String.join(
                                ", ",
                                context.awaitAll(List.of(
                                        context.activity("Greetings", "Gabbar"),
                                        context.activity("Greetings", "Samba")))));

        assertThat(outputOf(code, "Greetings", "")).isEqualTo("Hello, Gabbar!, Hello, Samba!");
    }

    @Test
    void sample_system_activities_fs() {
        Registry code = new Registry()
                .activity("UtcNow", item -> Long.toString(System.currentTimeMillis()))
                .activity("NewGuid", item -> UUID.randomUUID().toString())
                .orchestration(
                        "System",
                        (context, input) -> "n="
                                + context.activity("UtcNow", "").await() + ",g="
                                + context.activity("NewGuid", "").await());

        assertThat(outputOf(code, "System", "")).matches("n=[0-9]+,g=[0-9a-f-]{36}");
    }

    @Test
    void sample_status_polling_fs() {
        Registry code = new Registry().orchestration("Polled", (context, input) -> {
            context.timer(Duration.ofMillis(20)).await();
            return "done";
        });
        client.start("x", "Polled", "");

        during(code, CONFIG, () -> {
            client.await(
                    "the status",
                    SOON,
                    () -> client.info("x")
                            .filter(info -> info.status().equals("Completed"))
                            .isPresent());
            assertThat(client.info("x").orElseThrow().output()).isEqualTo("done");
        });
    }

    @Test
    void sample_typed_activity_and_orchestration_fs() {
        Registry code = new Registry()
                .activity(
                        "Add",
                        item -> "{\"sum\":"
                                + item.input()
                                        .replaceAll("[^0-9,]", "")
                                        .chars()
                                        .filter(Character::isDigit)
                                        .map(Character::getNumericValue)
                                        .sum()
                                + "}")
                .orchestration(
                        "Typed",
                        (context, input) -> context.activity("Add", input).await());

        assertThat(outputOf(code, "Typed", "{\"a\":2,\"b\":3}")).isEqualTo("{\"sum\":5}");
    }

    @Test
    void sample_typed_event_fs() {
        Registry code = new Registry()
                .orchestration(
                        "Typed",
                        (context, input) -> context.externalEvent("Ready").await());
        client.start("x", "Typed", "");

        during(code, CONFIG, () -> {
            client.awaitEvent("x", EventKind.ExternalSubscribed.class, SOON);
            client.raise("x", "Ready", "{\"ok\":true}");
            assertThat(client.output("x", SOON)).isEqualTo("{\"ok\":true}");
        });
    }

    @Test
    void sample_mixed_string_and_typed_typed_orch_fs() {
        assertThat(outputOf(racing("1,2", "hello"), "Racing", "")).isIn("sum=3", "up=HELLO");
    }

    @Test
    void sample_mixed_string_and_typed_string_orch_fs() {
        assertThat(outputOf(racing("5,7", "race"), "Racing", "")).isIn("sum=12", "up=RACE");
    }

    private static Registry racing(String numbers, String text) {
        return new Registry()
                .activity(
                        "Sum",
                        item -> Integer.toString(List.of(item.input().split(",")).stream()
                                .mapToInt(Integer::parseInt)
                                .sum()))
                .activity("Upper", UPPER)
                .orchestration("Racing", (context, input) -> {
                    Winner won = context.race(context.activity("Sum", numbers), context.activity("Upper", text));
                    return (won.index() == 0 ? "sum=" : "up=") + won.result();
                });
    }

    @Test
    void sample_basic_error_handling_fs() {
        Registry code = new Registry()
                .activity("Validate", item -> {
                    if (item.input().isEmpty()) {
                        throw new IllegalStateException("Input cannot be empty");
                    }
                    return "Valid: " + item.input();
                })
                .orchestration(
                        "Validates",
                        (context, input) -> context.activity("Validate", input).await());
        client.start("valid", "Validates", "test");
        client.start("empty", "Validates", "");

        during(code, CONFIG, () -> {
            assertThat(client.output("valid", SOON)).isEqualTo("Valid: test");
            assertThat(client.failure("empty", SOON).text()).contains("Input cannot be empty");
        });
        assertThat(client.info("empty").orElseThrow().status()).isEqualTo("Failed");
    }

    @Test
    void sample_nested_function_error_handling_fs() {
        Registry code = new Registry()
                .activity("Process", item -> {
                    if (item.input().equals("error")) {
                        throw new IllegalStateException("Processing failed");
                    }
                    return "Processed: " + item.input();
                })
                .activity("Format", item -> "Final: " + item.input())
                .orchestration(
                        "Nested",
                        (context, input) -> context.activity(
                                        "Format",
                                        context.activity("Process", input).await())
                                .await());
        client.start("good", "Nested", "test");
        client.start("bad", "Nested", "error");

        during(code, CONFIG, () -> {
            assertThat(client.output("good", SOON)).isEqualTo("Final: Processed: test");
            assertThat(client.failure("bad", SOON).text()).contains("Processing failed");
        });
    }

    @Test
    void sample_error_recovery_fs() {
        Registry code = new Registry()
                .activity("Process", item -> {
                    if (item.input().equals("error")) {
                        throw new IllegalStateException("no such order");
                    }
                    return "Processed: " + item.input();
                })
                .activity("Log", item -> "logged")
                .orchestration("Logs", (context, input) -> {
                    try {
                        return context.activity("Process", input).await();
                    } catch (StepFailedException e) {
                        context.activity("Log", String.valueOf(e.getMessage())).await();
                        throw new IllegalStateException("Failed to process '" + input + "': " + e.getMessage(), e);
                    }
                });
        client.start("good", "Logs", "test");
        client.start("bad", "Logs", "error");

        during(code, CONFIG, () -> {
            assertThat(client.output("good", SOON)).isEqualTo("Processed: test");
            ErrorDetails failure = client.failure("bad", SOON);
            assertThat(failure.text()).contains("Failed to process 'error'");
        });
        assertThat(eventsOf("bad", EventKind.ActivityCompleted.class))
                .as("the log entry")
                .hasSize(1);
    }

    @Test
    void sample_config_hot_reload_persistent_events_cdb() {
        Registry code = new Registry()
                .activity("Cycle", item -> "cycle:" + item.input())
                .orchestration("HotReload", (context, input) -> {
                    StringBuilder log = new StringBuilder();
                    for (int cycle = 0; cycle < 3; cycle++) {
                        Winner update;
                        do {
                            update = context.race(
                                    context.message("ConfigUpdate"), context.timer(Duration.ofMillis(100)));
                            if (update.index() == 0) {
                                log.append("applied:").append(update.result()).append(' ');
                            }
                        } while (update.index() == 0);
                        log.append(context.activity("Cycle", Integer.toString(cycle))
                                        .await())
                                .append(' ');
                        context.timer(Duration.ofSeconds(1)).await();
                    }
                    return log.toString();
                });
        client.start("x", "HotReload", "");
        client.send("x", "ConfigUpdate", "v1");
        client.send("x", "ConfigUpdate", "v2");

        during(code, CONFIG, () -> {
            client.awaitEvent("x", EventKind.ActivityCompleted.class, SOON);
            client.send("x", "ConfigUpdate", "v3");
            assertThat(client.output("x", SOON)).isEqualTo("applied:v1 applied:v2 cycle:0 applied:v3 cycle:1 cycle:2 ");
        });
    }
}
