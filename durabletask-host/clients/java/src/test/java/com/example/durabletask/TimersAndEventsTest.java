package com.example.durabletask;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.durabletask.OrchestrationMetadata;
import com.microsoft.durabletask.OrchestrationRuntimeStatus;
import com.microsoft.durabletask.Task;
import com.microsoft.durabletask.TaskCanceledException;
import com.microsoft.durabletask.TaskOrchestrationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Timers, external events, and what people build of both. */
class TimersAndEventsTest {

    @RegisterExtension
    static final Hub HUB = Hub.with(new Worker()
            .maximumTimerInterval(Duration.ofSeconds(1))
            .orchestration("Sleeps", context -> context.complete(sleep(context)))
            .orchestration("ManyTimers", TimersAndEventsTest::manyTimers)
            .orchestration(
                    "Waits",
                    context -> context.complete(
                            context.waitForExternalEvent("end", String.class).await()))
            .orchestration("Collects", context -> context.complete(collect(context)))
            .orchestration("Approval", context -> context.complete(approval(context)))
            .orchestration("ComesLate", TimersAndEventsTest::comeLate)
            .activity("Add", Integer[].class, numbers -> numbers[0] + numbers[1])
            .orchestration("Adds", TimersAndEventsTest::add)
            .orchestration(
                    "SleepsLong",
                    context -> context.createTimer(Duration.ofMillis(2200)).await())
            .orchestration("Sends", TimersAndEventsTest::send));

    private static long sleep(TaskOrchestrationContext context) {
        Instant before = context.getCurrentInstant();
        context.createTimer(Duration.ofMillis(context.getInput(Integer.class))).await();
        return Duration.between(before, context.getCurrentInstant()).toMillis();
    }

    private static void manyTimers(TaskOrchestrationContext context) {
        List<Task<Void>> timers = new ArrayList<>();
        for (int n = 0; n < context.getInput(Integer.class); n++) {
            timers.add(context.createTimer(Duration.ofMillis(500)));
        }
        context.allOf(timers).await();
    }

    private static List<Integer> collect(TaskOrchestrationContext context) {
        List<Integer> values = new ArrayList<>();
        for (String name : context.getInput(String[].class)) {
            values.add(context.waitForExternalEvent(name, Integer.class).await());
        }
        return values;
    }

    private static String approval(TaskOrchestrationContext context) {
        try {
            return "approved by "
                    + context.waitForExternalEvent(
                                    "approval", Duration.ofMillis(context.getInput(Integer.class)), String.class)
                            .await();
        } catch (TaskCanceledException e) {
            return "escalated";
        }
    }

    private static void comeLate(TaskOrchestrationContext context) {
        context.createTimer(Duration.ofMillis(500)).await();
        context.complete(context.waitForExternalEvent("early", String.class).await());
    }

    /** The SDK carries all events of its last turn along, read or not: the event must be read in an earlier one. */
    private static void add(TaskOrchestrationContext context) {
        int amount = context.waitForExternalEvent("amount", Integer.class).await();
        int sum = context.callActivity("Add", List.of(context.getInput(Integer.class), amount), Integer.class)
                .await();
        if (sum < 15) {
            context.continueAsNew(sum);
        }
        context.complete(sum);
    }

    /** The SDK would send the event again in every later turn: the orchestration ends with the turn that sends it. */
    private static void send(TaskOrchestrationContext context) {
        context.sendEvent(context.getInput(String.class), "end", "from another");
        context.complete("sent");
    }

    @Test
    void a_timer_delays_the_orchestration() throws Exception {
        assertThat(HUB.run("Sleeps", 500, Long.class)).isGreaterThanOrEqualTo(500);
    }

    @Test
    void a_long_timer_is_made_of_short_ones() throws Exception {
        OrchestrationMetadata state = HUB.finished(HUB.start("SleepsLong", null));

        assertThat(state.getRuntimeStatus()).isEqualTo(OrchestrationRuntimeStatus.COMPLETED);
        assertThat(Duration.between(state.getCreatedAt(), state.getLastUpdatedAt()))
                .as("the worker's timers take a second at most")
                .isGreaterThanOrEqualTo(Duration.ofMillis(2200));
    }

    @Test
    void timers_run_side_by_side() throws Exception {
        Instant start = Instant.now();

        HUB.completed(HUB.start("ManyTimers", 30), Void.class);

        assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void an_event_wakes_an_orchestration_that_waits() throws Exception {
        String instance = HUB.begun("Waits", null);

        HUB.client().raiseEvent(instance, "end", "woken");

        assertThat(HUB.completed(instance, String.class)).isEqualTo("woken");
    }

    @Test
    void an_event_that_comes_early_is_kept() throws Exception {
        String instance = HUB.start("ComesLate", null);

        HUB.client().raiseEvent(instance, "early", "bird");

        assertThat(HUB.completed(instance, String.class)).isEqualTo("bird");
    }

    @Test
    void an_event_without_data_wakes_as_well() throws Exception {
        String instance = HUB.begun("Waits", null);

        HUB.client().raiseEvent(instance, "end");

        assertThat(HUB.completed(instance, String.class)).isNull();
    }

    @Test
    void events_of_one_name_keep_their_order_and_names_may_come_in_any() throws Exception {
        String instance = HUB.start("Collects", List.of("a", "b", "b", "c"));

        HUB.client().raiseEvent(instance, "c", 1);
        HUB.client().raiseEvent(instance, "b", 2);
        HUB.client().raiseEvent(instance, "b", 3);
        HUB.client().raiseEvent(instance, "a", 4);

        assertThat(HUB.completed(instance, Integer[].class)).containsExactly(4, 2, 3, 1);
    }

    @Test
    void a_request_is_approved_in_time() throws Exception {
        String instance = HUB.start("Approval", 60_000);

        HUB.client().raiseEvent(instance, "approval", "ann");

        assertThat(HUB.completed(instance, String.class)).isEqualTo("approved by ann");
    }

    @Test
    void a_request_that_nobody_approves_is_escalated() throws Exception {
        assertThat(HUB.run("Approval", 500, String.class)).isEqualTo("escalated");
    }

    @Test
    void events_not_yet_read_are_carried_into_the_next_generation() throws Exception {
        String instance = HUB.start("Adds", 0);

        for (int amount = 1; amount <= 5; amount++) {
            HUB.client().raiseEvent(instance, "amount", amount);
        }

        assertThat(HUB.completed(instance, Integer.class)).isEqualTo(15);
    }

    @Test
    void an_orchestration_sends_an_event_to_another() throws Exception {
        String target = HUB.begun("Waits", null);

        assertThat(HUB.run("Sends", target, String.class)).isEqualTo("sent");
        assertThat(HUB.completed(target, String.class)).isEqualTo("from another");
    }

    @Test
    void an_event_that_is_sent_to_nobody_is_dropped() throws Exception {
        String nobody = Hub.id("nobody");

        assertThat(HUB.run("Sends", nobody, String.class)).isEqualTo("sent");
        assertThat(HUB.exists(nobody)).isFalse();
    }
}
