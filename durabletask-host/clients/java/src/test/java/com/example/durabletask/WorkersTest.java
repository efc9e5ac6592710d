package com.example.durabletask;

import static com.microsoft.durabletask.OrchestrationRuntimeStatus.PENDING;
import static com.microsoft.durabletask.OrchestrationRuntimeStatus.TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.durabletask.Task;
import com.microsoft.durabletask.TaskOrchestration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers that come and go; every scenario starts its own. */
class WorkersTest {

    @RegisterExtension
    static final Hub HUB = Hub.withoutWorker();

    private static Worker echoing(String name, TaskOrchestration code) {
        return new Worker().activity("Echo", Object.class, value -> value).orchestration(name, code);
    }

    private static boolean says(String instance, String customStatus) {
        return customStatus.equals(HUB.state(instance).readCustomStatusAs(String.class));
    }

    @Test
    void an_instance_is_pending_until_a_worker_takes_it() throws Exception {
        String instance = HUB.start("Later", 7);

        assertThat(HUB.status(instance)).isEqualTo(PENDING);
        assertThatThrownBy(() -> HUB.client().waitForInstanceStart(instance, Duration.ofMillis(300)))
                .isInstanceOf(TimeoutException.class);
        try (Worker worker = new Worker()
                .orchestration("Later", context -> context.complete(context.getInput(Integer.class)))
                .start()) {
            assertThat(HUB.completed(instance, Integer.class)).isEqualTo(7);
        }
    }

    @Test
    void an_instance_that_no_worker_has_begun_is_terminated() throws Exception {
        String instance = HUB.start("Unlucky", null);

        HUB.client().terminate(instance, "too early");

        try (Worker worker = new Worker()
                .orchestration(
                        "Unlucky",
                        context -> context.waitForExternalEvent("never").await())
                .start()) {
            assertThat(HUB.finished(instance).getRuntimeStatus()).isEqualTo(TERMINATED);
        }
    }

    @Test
    void another_worker_takes_over_what_a_stopped_one_had_begun() throws Exception {
        TaskOrchestration twoSteps = context -> {
            Object first = context.callActivity("Echo", "first", Object.class).await();
            context.setCustomStatus("half way");
            context.waitForExternalEvent("go on").await();
            context.complete(List.of(
                    first, context.callActivity("Echo", "second", Object.class).await()));
        };
        String instance = HUB.start("TwoSteps", null);
        try (Worker first = echoing("TwoSteps", twoSteps).start()) {
            Hub.eventually("the first step is done", () -> says(instance, "half way"));
        }

        HUB.client().raiseEvent(instance, "go on");

        try (Worker second = echoing("TwoSteps", twoSteps).start()) {
            assertThat(HUB.completed(instance, String[].class)).containsExactly("first", "second");
        }
    }

    @Test
    void a_timer_fires_although_no_worker_is_there() throws Exception {
        TaskOrchestration sleeps = context -> {
            context.setCustomStatus("asleep");
            context.createTimer(Duration.ofMillis(500)).await();
            context.complete("woke");
        };
        String instance = HUB.start("Sleeps", null);
        try (Worker first = echoing("Sleeps", sleeps).start()) {
            Hub.eventually("the timer is set", () -> says(instance, "asleep"));
        }

        try (Worker second = echoing("Sleeps", sleeps).start()) {
            assertThat(HUB.completed(instance, String.class)).isEqualTo("woke");
        }
    }

    @Test
    void two_workers_share_what_there_is_to_do() throws Exception {
        TaskOrchestration spread = context -> {
            List<Task<Integer>> calls = new ArrayList<>();
            for (int n = 0; n < 10; n++) {
                calls.add(context.callActivity("Echo", n, Integer.class));
            }
            context.complete(context.allOf(calls).await());
        };
        try (Worker first = echoing("Spread", spread).start();
                Worker second = echoing("Spread", spread).start()) {
            List<String> instances = new ArrayList<>();
            for (int n = 0; n < 10; n++) {
                instances.add(HUB.start("Spread", null));
            }
            for (String instance : instances) {
                assertThat(HUB.completed(instance, Integer[].class)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            }
        }
    }

    @Test
    @BeyondInMemory("forgets the work that a broken stream had")
    void an_activity_of_a_worker_that_broke_off_is_run_by_another() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        TaskOrchestration survives = context -> context.complete(
                context.callActivity("Endless", null, String.class).await());
        String instance = HUB.start("Survives", null);
        try (Worker first = new Worker()
                .orchestration("Survives", survives)
                .activity("Endless", Void.class, nothing -> hang(begun, never))
                .start()) {
            assertThat(begun.await(Hub.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        try (Worker second = new Worker()
                .orchestration("Survives", survives)
                .activity("Endless", Void.class, nothing -> "done by another")
                .start()) {
            assertThat(HUB.completed(instance, String.class)).isEqualTo("done by another");
        }
    }

    private static Object hang(CountDownLatch begun, CountDownLatch never) {
        begun.countDown();
        try {
            never.await();
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
