package io.sluice.examples.contract;

import static io.sluice.provider.contract.ContractItems.completion;
import static io.sluice.provider.contract.ContractItems.message;
import static io.sluice.provider.contract.ContractItems.timer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.runtime.Orchestration;
import io.sluice.examples.runtime.OrchestrationContext.Winner;
import io.sluice.examples.runtime.Recording;
import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.RuntimeConfig;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that race with each other and with the change of executions, played with a runtime. */
public abstract class RaceReplayContract extends EndToEndScenarios {
    private static final Duration HIDDEN = Duration.ofMinutes(2);
    private static final Duration FAR = Duration.ofHours(1);

    private static final Orchestration TAKE_TWO = (context, input) ->
            context.message("q").await() + "," + context.message("q").await();

    /** Runs the category on stores from there. */
    protected RaceReplayContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_duplicate_start_preserves_pinned_handler() {
        Registry code = new Registry()
                .orchestration("Original", "1.0.0", (context, input) -> {
                    context.activity("Work", "{}").await();
                    return "v1:" + input;
                })
                .orchestration("Original", "2.0.0", (context, input) -> "v2:" + input)
                .orchestration("WrongHandler", (context, input) -> "wrong");
        for (String name : List.of("Original", "WrongHandler")) {
            String instance = "duplicate-of-" + name;
            WorkItem duplicate = start(instance, name, "duplicate", null);
            RaceSeeds.running(steps, instance, "0.1.32", started("Original", "original-input"), RaceSeeds.work("Work"));
            steps.enqueue(duplicate);
            steps.enqueue(completion(instance, 2));

            LockedTurn turn = steps.fetchOf(instance);
            steps.abandonIgnoringAttempt(turn);
            String output = runUntilOutput(code, instance);

            assertThat(turn.item().messages()).containsExactly(duplicate, completion(instance, 2));
            assertThat(turn.item().orchestrationName()).isEqualTo("Original");
            assertThat(turn.item().version()).isEqualTo("1.0.0");
            assertThat(output).isEqualTo("v1:original-input");
        }
    }

    @Test
    void test_continue_as_new_unregistered_backoff() {
        RaceSeeds.continuedAsNew(steps, "x", "0.1.32");
        steps.enqueue(RaceSeeds.successor("x", "Transition"));

        during(
                new Registry(),
                unregistered(10, HIDDEN),
                () -> client.await("a first attempt", SOON, () -> store().maxAttemptCount("x") > 0));
        steps.fetchNothing();
        assertThat(provider().readWithExecution("x", 1)).hasSize(2);
        client.send("x", "q", "late");
        steps.pass(HIDDEN);

        assertThat(runUntilOutput(new Registry().orchestration("Transition", TAKE_TWO), "x"))
                .isEqualTo("carried,late");
    }

    @Test
    void test_continue_as_new_poisoned_successor_is_own_execution() {
        RaceSeeds.continuedAsNew(steps, "x", "0.1.32");
        steps.enqueue(RaceSeeds.successor("x", "Transition"));

        during(new Registry(), unregistered(1, Duration.ofMillis(20)), () -> {
            assertThat(client.failure("x", SOON)).isInstanceOf(ErrorDetails.Poison.class);
            client.send("x", "q", "late");
            client.await(
                    "the late message to be consumed",
                    SOON,
                    () -> client.admin().getQueueDepths().orchestratorQueue() == 0);
        });

        assertThat(provider().readWithExecution("x", 1))
                .last()
                .extracting(HistoryEvent::kind)
                .isInstanceOf(EventKind.OrchestrationContinuedAsNew.class);
        assertThat(provider().read("x"))
                .as("execution 2")
                .extracting(HistoryEvent::type)
                .containsExactly("OrchestrationStarted", "OrchestrationFailed");
        assertThat(client.info("x").orElseThrow().status()).isEqualTo("Failed");
        steps.fetchNothing();
    }

    @Test
    void test_continue_as_new_duplicate_start() {
        Registry code = new Registry()
                .orchestration("Transition", TAKE_TWO)
                .orchestration("WrongHandler", (context, input) -> "wrong");
        for (String stamp : List.of("0.1.30", "0.1.31")) {
            for (boolean collides : List.of(false, true)) {
                String instance = "of-" + stamp + "-" + collides;
                String parent = "parent-of-" + instance;
                code.orchestration("ParentOf" + instance, RaceSeeds.awaitingChildAs(instance));
                RaceSeeds.continuedAsNew(steps, instance, stamp);
                if (collides) {
                    RaceSeeds.running(
                            steps,
                            parent,
                            stamp,
                            started("ParentOf" + instance, "{}"),
                            new EventKind.SubOrchestrationScheduled("WrongHandler", instance, "{}"));
                }
                steps.enqueue(new WorkItem.StartOrchestration(
                        instance,
                        "WrongHandler",
                        "{}",
                        null,
                        collides ? parent : null,
                        collides ? 2L : null,
                        collides ? 1L : null,
                        1));
                steps.enqueue(RaceSeeds.successor(instance, "Transition"));
                client.send(instance, "q", "late");

                during(code, CONFIG, () -> {
                    assertThat(client.output(instance, SOON)).isEqualTo("carried,late");
                    if (collides) {
                        assertThat(client.output(parent, SOON))
                                .contains("already exists")
                                .doesNotContain("is terminal");
                    }
                });

                assertThat(provider().readWithExecution(instance, 1)).hasSize(2);
                assertThat(startOf(instance, 2).name()).isEqualTo("Transition");
                assertThat(startOf(instance, 2).input()).isEqualTo("next");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.1.30", "0.1.31"})
    void test_continue_as_new_transition_delivery(String stamp) {
        Registry code = new Registry()
                .orchestration("queue", TAKE_TWO)
                .orchestration("race", (context, input) -> {
                    Winner first = context.race(context.message("q"), context.timer(FAR));
                    Winner second = context.race(context.message("q"), context.timer(FAR));
                    return first.result() + "," + second.result();
                })
                .orchestration("mixed-stale", TAKE_TWO)
                .orchestration(
                        "signal",
                        (context, input) -> context.message("q").await() + ","
                                + context.externalEvent("go").await())
                .orchestration("cancel", TAKE_TWO)
                .orchestration("future-completion", TAKE_TWO)
                .orchestration(
                        "stale-only", (context, input) -> context.message("q").await());
        List<String> shapes =
                List.of("queue", "race", "mixed-stale", "signal", "cancel", "future-completion", "stale-only");
        shapes.forEach(shape -> RaceSeeds.continuedAsNew(steps, shape, stamp));
        for (String shape : shapes) {
            RaceSeeds.inputs(shape).forEach(steps::enqueue);
            steps.enqueue(RaceSeeds.successor(shape, shape), Duration.ofSeconds(2));
        }

        during(code, CONFIG, () -> {
            for (String shape : List.of("queue", "race", "mixed-stale", "signal")) {
                assertThat(client.output(shape, SOON)).as(shape).isEqualTo("carried,late");
                assertThat(provider().readWithExecution(shape, 2))
                        .filteredOn(event -> event.kind() instanceof EventKind.ExternalEventPersistent
                                || event.kind() instanceof EventKind.ExternalEvent)
                        .as("deliveries of %s", shape)
                        .hasSize(1);
            }
            assertThat(client.output("stale-only", SOON)).isEqualTo("carried");
            assertThat(RaceSeeds.cancelReason(client.failure("cancel", SOON))).isEqualTo("by the customer");
            assertThat(client.failure("future-completion", SOON)).isInstanceOf(ErrorDetails.Configuration.class);
        });
        for (String shape : shapes) {
            List<HistoryEvent> first = provider().readWithExecution(shape, 1);
            assertThat(first).as(shape).hasSize(2);
            assertThat(first.get(0).duroxideVersion()).isEqualTo(stamp);
            assertThat(provider().readWithExecution(shape, 2).get(0).duroxideVersion())
                    .isEqualTo("0.1.32");
        }
    }

    @Test
    void test_queue_race_cancellation_replay() {
        Registry code = new Registry()
                .orchestration("q1", RaceSeeds.racesThenTakes("q1"))
                .orchestration("q2", RaceSeeds.racesThenTakes("q2"))
                .orchestration("q6", RaceSeeds.LOSES_TWO_RACES);
        for (String shape : List.of("q1", "q2", "q6")) {
            List<HistoryEvent> seeded =
                    RaceSeeds.running(steps, shape, "0.1.31", RaceSeeds.cancelledSubscriptions(shape));

            assertThat(provider().read(shape)).as("every field of %s", shape).isEqualTo(seeded);
            client.send(shape, RaceSeeds.queueAwaitedBy(shape), shape.equals("q6") ? "first" : "second");
            assertThat(runUntilOutput(code, shape)).isEqualTo(shape.equals("q6") ? "first" : "first,second");
        }
    }

    @Test
    void test_continue_as_new_queue_race_replay() {
        Registry code = new Registry()
                .orchestration(
                        "unread",
                        RaceSeeds.continuing(
                                context -> context.externalEvent("go").await()))
                .orchestration(
                        "drain",
                        RaceSeeds.continuing(context -> context.message("q").await()))
                .orchestration(
                        "raced",
                        RaceSeeds.continuing(context -> context.race(context.externalEvent("go"), context.message("q"))
                                .result()))
                .orchestration(
                        "later",
                        RaceSeeds.continuing(
                                context -> context.externalEvent("go").await()));
        client.start("unread", "unread", "1");
        client.send("unread", "q", "m1");
        client.raise("unread", "go", "");
        client.start("drain", "drain", "1");
        client.send("drain", "q", "m1");
        client.send("drain", "q", "m2");
        client.start("raced", "raced", "1");
        client.raise("raced", "go", "");
        client.send("raced", "q", "m1");
        client.start("later", "later", "1");
        client.raise("later", "go", "");

        during(code, CONFIG, () -> {
            assertThat(client.output("unread", SOON)).isEqualTo("m1");
            assertThat(client.output("drain", SOON)).isEqualTo("m2");
            assertThat(client.output("raced", SOON)).isEqualTo("m1");
            client.await(
                    "execution 2",
                    SOON,
                    () -> !provider().readWithExecution("later", 2).isEmpty());
            client.send("later", "q", "m1");
            assertThat(client.output("later", SOON)).isEqualTo("m1");
        });
    }

    @Test
    void test_queue_replay_version_stamp_roundtrip() {
        List<HistoryEvent> seeded = RaceSeeds.running(steps, "x", "0.1.30", started("Original", "{}"));
        steps.poke("x");

        assertThat(provider().read("x")).isEqualTo(seeded);
        assertThat(steps.fetch().item().history()).isEqualTo(seeded);
        assertThat(seeded.get(0).duroxideVersion()).isEqualTo("0.1.30");
    }

    @Test
    void test_positional_wait_race_replay() {
        Orchestration waits = (context, input) ->
                String.join(",", context.awaitAll(List.of(context.externalEvent("go"), context.externalEvent("go"))));
        client.start("x", "Waits", "{}");
        during(new Registry().orchestration("Waits", waits), CONFIG, () -> {
            client.awaitEvent("x", EventKind.ExternalSubscribed.class, SOON);
            client.raise("x", "go", "one");
            client.raise("x", "go", "two");
            assertThat(client.output("x", SOON)).isEqualTo("one,two");
        });

        List<HistoryEvent> history = provider().read("x");
        Recording first = Recording.replay(waits, history);
        Recording second = Recording.replay(waits, history);

        assertThat(first).isEqualTo(new Recording("one,two", List.of()));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void test_legacy_queue_race_decision_preserved() {
        Registry code = new Registry().orchestration("Decides", RaceSeeds.DECIDES_TWICE);
        for (String stamp : List.of("0.1.30", "0.1.31")) {
            String instance = "of-" + stamp;
            RaceSeeds.running(
                    steps,
                    instance,
                    stamp,
                    started("Decides", "{}"),
                    new EventKind.ExternalSubscribedPersistent("q"),
                    new EventKind.TimerCreated(1),
                    new EventKind.TimerCreated(2));
            List<WorkItem> batch =
                    List.of(timer(instance, 3, 1), message(instance, "q", "first"), timer(instance, 4, 2));
            batch.forEach(steps::enqueue);

            LockedTurn turn = steps.fetchOf(instance);
            steps.abandonIgnoringAttempt(turn);
            String output = runUntilOutput(code, instance);

            assertThat(turn.item().history().get(0).duroxideVersion()).isEqualTo(stamp);
            assertThat(turn.item().messages()).containsExactlyElementsOf(batch);
            assertThat(output)
                    .as("decided as %s decides", stamp)
                    .isEqualTo(stamp.equals("0.1.30") ? "second-timeout" : "first");
        }
    }

    private String runUntilOutput(Registry code, String instance) {
        return during(provider(), code, CONFIG, () -> client.output(instance, SOON));
    }

    /** Unknown code is put back for so long at first, and at most so often. */
    private static RuntimeConfig unregistered(int maxAttempts, Duration pause) {
        return new RuntimeConfig(
                2,
                2,
                CONFIG.tags(),
                CONFIG.sessions(),
                new RuntimeConfig.Timing(
                        CONFIG.timing().turnLock(),
                        CONFIG.timing().activityLock(),
                        CONFIG.timing().pollTimeout(),
                        pause),
                maxAttempts);
    }

    private EventKind.OrchestrationStarted startOf(String instance, long execution) {
        return (EventKind.OrchestrationStarted)
                provider().readWithExecution(instance, execution).get(0).kind();
    }

    private static EventKind started(String orchestration, String input) {
        return RaceSeeds.started(orchestration, input);
    }

    private static WorkItem start(String instance, String name, String input, @Nullable String version) {
        return new WorkItem.StartOrchestration(instance, name, input, version, null, null, null, 1);
    }
}
