package com.example.durabletask;

import static com.microsoft.durabletask.OrchestrationRuntimeStatus.COMPLETED;
import static com.microsoft.durabletask.OrchestrationRuntimeStatus.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.durabletask.CompositeTaskFailedException;
import com.microsoft.durabletask.OrchestrationMetadata;
import com.microsoft.durabletask.RetryHandler;
import com.microsoft.durabletask.RetryPolicy;
import com.microsoft.durabletask.Task;
import com.microsoft.durabletask.TaskFailedException;
import com.microsoft.durabletask.TaskOptions;
import com.microsoft.durabletask.TaskOrchestrationContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What orchestrators are made of: activities, retries, children, generations, custom status. */
class OrchestrationsTest {

    private static final Map<String, Integer> ATTEMPTS = new ConcurrentHashMap<>();
    private static final TaskOptions RETRY = new TaskOptions(new RetryPolicy(4, Duration.ofMillis(50)));

    @RegisterExtension
    static final Hub HUB = Hub.with(new Worker()
            .activity("Echo", Object.class, value -> value)
            .activity("Square", Integer.class, number -> number * number)
            .activity("Fail", String.class, OrchestrationsTest::fail)
            .activity("Flaky", Attempt.class, OrchestrationsTest::attempt)
            .orchestration("Chain", context -> context.complete(chain(context)))
            .orchestration("FanOut", context -> context.complete(fanOut(context)))
            .orchestration("RoundTrip", context -> context.complete(echo(context, context.getInput(Object.class))))
            .orchestration("Retries", context -> context.complete(flaky(context, RETRY)))
            .orchestration("RetriesByHandler", context -> context.complete(flaky(context, byHandler(5))))
            .orchestration(
                    "Fails",
                    context -> context.callActivity("Fail", context.getInput(String.class))
                            .await())
            .orchestration("Catches", context -> context.complete(caught(context)))
            .orchestration("FailsTwice", context -> context.complete(failures(context)))
            .orchestration("Race", context -> context.complete(winner(context)))
            .orchestration("Ids", context -> context.complete(ids(context)))
            .orchestration("Nothing", context -> context.complete(context.getInput(String.class)))
            .orchestration("Child", context -> context.complete("child of " + context.getInput(String.class)))
            .orchestration("Parent", context -> context.complete(child(context)))
            .orchestration("Parents", context -> context.complete(children(context)))
            .orchestration("FlakyChild", context -> context.complete(attempt(context.getInput(Attempt.class))))
            .orchestration("RetriesChild", context -> context.complete(flakyChild(context)))
            .orchestration("CountsDown", OrchestrationsTest::countDown)
            .orchestration(
                    "ParentOfGenerations",
                    context -> context.complete(context.callSubOrchestrator("CountsDown", 3, String.class)
                            .await()))
            .orchestration("Reports", OrchestrationsTest::report));

    record Attempt(String key, int needed) {}

    private static Object fail(String message) {
        throw new IllegalStateException(message);
    }

    private static int attempt(Attempt attempt) {
        int count = ATTEMPTS.merge(attempt.key(), 1, Integer::sum);
        if (count < attempt.needed()) {
            throw new IllegalStateException("attempt " + count);
        }
        return count;
    }

    private static Object echo(TaskOrchestrationContext context, Object value) {
        return context.callActivity("Echo", value, Object.class).await();
    }

    private static String chain(TaskOrchestrationContext context) {
        Object first = echo(context, context.getInput(String.class));
        return (String) echo(context, first + "!");
    }

    private static List<Integer> fanOut(TaskOrchestrationContext context) {
        List<Task<Integer>> squares = IntStream.range(0, context.getInput(Integer.class))
                .mapToObj(n -> context.callActivity("Square", n, Integer.class))
                .collect(Collectors.toList());
        return context.allOf(squares).await();
    }

    private static int flaky(TaskOrchestrationContext context, TaskOptions options) {
        return context.callActivity("Flaky", context.getInput(Attempt.class), options, Integer.class)
                .await();
    }

    private static TaskOptions byHandler(int attempts) {
        RetryHandler handler = failure -> failure.getLastFailure().isCausedBy(IllegalStateException.class)
                && failure.getLastAttemptNumber() < attempts;
        return new TaskOptions(handler);
    }

    private static List<String> caught(TaskOrchestrationContext context) {
        try {
            context.callActivity("Fail", context.getInput(String.class)).await();
            return List.of();
        } catch (TaskFailedException e) {
            echo(context, "compensated");
            return List.of(
                    e.getErrorDetails().getErrorType(), e.getErrorDetails().getErrorMessage());
        }
    }

    private static int failures(TaskOrchestrationContext context) {
        try {
            context.allOf(List.of(
                            context.callActivity("Fail", "one"),
                            context.callActivity("Echo", "fine"),
                            context.callActivity("Fail", "two")))
                    .await();
            return 0;
        } catch (CompositeTaskFailedException e) {
            return e.getExceptions().size();
        }
    }

    private static String winner(TaskOrchestrationContext context) {
        Task<Void> slow = context.createTimer(Duration.ofSeconds(30));
        Task<String> fast = context.callActivity("Echo", "fast", String.class);
        return context.anyOf(slow, fast).await() == fast ? fast.await() : "timer";
    }

    private static List<String> ids(TaskOrchestrationContext context) {
        String id = context.newUUID().toString();
        return Arrays.asList(
                (String) echo(context, id),
                (String) echo(context, id),
                id,
                context.newUUID().toString());
    }

    private static String child(TaskOrchestrationContext context) {
        return context.callSubOrchestrator("Child", "parent", context.getInput(String.class), String.class)
                .await();
    }

    private static List<String> children(TaskOrchestrationContext context) {
        List<Task<String>> children = new ArrayList<>();
        for (int n = 0; n < context.getInput(Integer.class); n++) {
            children.add(context.callSubOrchestrator("Child", String.valueOf(n), String.class));
        }
        return context.allOf(children).await();
    }

    private static int flakyChild(TaskOrchestrationContext context) {
        Attempt attempt = context.getInput(Attempt.class);
        return context.callSubOrchestrator("FlakyChild", attempt, attempt.key(), RETRY, Integer.class)
                .await();
    }

    private static void countDown(TaskOrchestrationContext context) {
        int number = (Integer) echo(context, context.getInput(Integer.class));
        if (number > 0) {
            context.continueAsNew(number - 1);
        }
        context.complete("liftoff");
    }

    private static void report(TaskOrchestrationContext context) {
        context.setCustomStatus(Map.of("step", 1));
        context.waitForExternalEvent("next").await();
        context.setCustomStatus(Map.of("step", 2));
    }

    @Test
    void a_chain_hands_each_result_to_the_next_activity() throws Exception {
        assertThat(HUB.run("Chain", "hello", String.class)).isEqualTo("hello!");
    }

    @Test
    void a_fan_out_collects_results_in_the_order_of_the_calls() throws Exception {
        assertThat(HUB.run("FanOut", 20, Integer[].class))
                .containsExactly(IntStream.range(0, 20).mapToObj(n -> n * n).toArray(Integer[]::new));
    }

    @Test
    void three_hundred_activities_start_in_one_turn() throws Exception {
        assertThat(HUB.run("FanOut", 300, Integer[].class)).hasSize(300);
    }

    @Test
    void values_keep_their_shape_on_the_way() throws Exception {
        for (Object value : List.of(
                "",
                "ünïcödé \u2603",
                "a\"b\\c\n\u0000",
                0,
                false,
                List.of(),
                Map.of(),
                Map.of("nested", List.of(1, Map.of("deep", true))))) {
            assertThat(HUB.run("RoundTrip", value, Object.class)).isEqualTo(value);
        }
    }

    @Test
    void a_megabyte_passes_through_input_activity_and_output() throws Exception {
        String payload = "0123456789abcdef".repeat(1 << 16);

        assertThat(HUB.run("RoundTrip", payload, String.class)).isEqualTo(payload);
    }

    @Test
    void no_input_and_no_output_stay_absent() throws Exception {
        OrchestrationMetadata state = HUB.finished(HUB.start("Nothing", null));

        assertThat(state.getRuntimeStatus()).isEqualTo(COMPLETED);
        assertThat(state.readInputAs(String.class)).isNull();
        assertThat(state.readOutputAs(String.class)).isNull();
    }

    @Test
    void an_activity_is_retried_until_it_succeeds() throws Exception {
        assertThat(HUB.run("Retries", new Attempt(Hub.id("retry"), 3), Integer.class))
                .isEqualTo(3);
    }

    @Test
    void an_activity_is_retried_as_long_as_a_handler_says() throws Exception {
        assertThat(HUB.run("RetriesByHandler", new Attempt(Hub.id("retry"), 3), Integer.class))
                .isEqualTo(3);
    }

    @Test
    void an_activity_that_never_succeeds_is_tried_as_often_as_its_policy_says() throws Exception {
        String key = Hub.id("retry");

        OrchestrationMetadata state = HUB.finished(HUB.start("Retries", new Attempt(key, 100)));

        assertThat(state.getRuntimeStatus()).isEqualTo(FAILED);
        assertThat(ATTEMPTS).containsEntry(key, 4);
    }

    @Test
    void an_activity_that_fails_fails_its_orchestration() throws Exception {
        OrchestrationMetadata state = HUB.finished(HUB.start("Fails", "no such account"));

        assertThat(state.getRuntimeStatus()).isEqualTo(FAILED);
        assertThat(state.getFailureDetails().isCausedBy(TaskFailedException.class))
                .isTrue();
        assertThat(state.getFailureDetails().getErrorMessage()).contains("no such account");
        assertThat(state.getFailureDetails().getStackTrace()).isNotEmpty();
    }

    @Test
    void an_orchestrator_sees_what_error_an_activity_failed_with_and_goes_on() throws Exception {
        assertThat(HUB.run("Catches", "no such account", String[].class))
                .containsExactly("java.lang.IllegalStateException", "no such account");
    }

    @Test
    void all_failures_of_a_fan_out_are_seen() throws Exception {
        assertThat(HUB.run("FailsTwice", null, Integer.class)).isEqualTo(2);
    }

    @Test
    void an_orchestrator_that_nobody_registered_fails() throws Exception {
        assertThat(HUB.finished(HUB.start("NobodyWroteThis", null)).getRuntimeStatus())
                .isEqualTo(FAILED);
    }

    @Test
    void the_first_of_several_tasks_wins() throws Exception {
        assertThat(HUB.run("Race", null, String.class))
                .as("an orchestration ends although a timer of its own is still to fire")
                .isEqualTo("fast");
    }

    @Test
    void ids_that_an_orchestrator_makes_are_the_same_in_replay() throws Exception {
        String[] ids = HUB.run("Ids", null, String[].class);

        Set<String> distinct = new LinkedHashSet<>(List.of(ids));
        assertThat(distinct).hasSize(2);
        assertThat(ids[0]).isEqualTo(ids[1]).isEqualTo(ids[2]);
    }

    @Test
    void a_child_answers_its_parent_under_the_id_it_was_given() throws Exception {
        String child = Hub.id("child");

        assertThat(HUB.run("Parent", child, String.class)).isEqualTo("child of parent");
        assertThat(HUB.status(child)).isEqualTo(COMPLETED);
    }

    @Test
    void children_run_side_by_side() throws Exception {
        assertThat(HUB.run("Parents", 10, String[].class))
                .hasSize(10)
                .startsWith("child of 0")
                .endsWith("child of 9");
    }

    @Test
    void a_child_that_failed_is_retried_under_the_same_id() throws Exception {
        String child = Hub.id("child");

        assertThat(HUB.run("RetriesChild", new Attempt(child, 3), Integer.class))
                .isEqualTo(3);
        assertThat(HUB.status(child)).isEqualTo(COMPLETED);
    }

    @Test
    void a_child_that_never_succeeds_fails_its_parent() throws Exception {
        String child = Hub.id("child");

        assertThat(HUB.finished(HUB.start("RetriesChild", new Attempt(child, 100)))
                        .getRuntimeStatus())
                .isEqualTo(FAILED);
        assertThat(ATTEMPTS).containsEntry(child, 4);
    }

    @Test
    void an_eternal_orchestration_starts_over_with_new_input() throws Exception {
        String instance = HUB.start("CountsDown", 5);

        assertThat(HUB.completed(instance, String.class)).isEqualTo("liftoff");
        assertThat(HUB.state(instance).readInputAs(Integer.class)).isZero();
    }

    @Test
    void a_child_that_continues_as_new_answers_its_parent_in_the_end() throws Exception {
        assertThat(HUB.run("ParentOfGenerations", null, String.class)).isEqualTo("liftoff");
    }

    @Test
    void a_custom_status_shows_while_the_instance_runs() throws Exception {
        String instance = HUB.start("Reports", null);

        Hub.eventually(
                "step 1",
                () -> "{step=1}".equals(String.valueOf(HUB.state(instance).readCustomStatusAs(Map.class))));
        HUB.client().raiseEvent(instance, "next");

        assertThat(HUB.finished(instance).readCustomStatusAs(Map.class)).isEqualTo(Map.of("step", 2));
    }
}
