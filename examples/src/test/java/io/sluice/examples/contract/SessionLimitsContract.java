package io.sluice.examples.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.examples.runtime.Activity;
import io.sluice.examples.runtime.OrchestrationRuntime;
import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.RuntimeConfig;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sessions end to end where a runtime takes only so many, and where two runtimes share them. */
public abstract class SessionLimitsContract extends EndToEndScenarios {
    private static final RuntimeConfig ONE_AT_A_TIME = withNode("node-1", 1);

    /** Runs the category on stores from there. */
    protected SessionLimitsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_session_idle_timeout_must_exceed_worker_renewal_interval() {
        RuntimeConfig renewedEvery55Seconds = RuntimeConfig.DEFAULT.withTiming(new RuntimeConfig.Timing(
                Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofMillis(100), Duration.ofSeconds(1)));

        assertThatThrownBy(() -> renewedEvery55Seconds.withSessions(
                        new RuntimeConfig.Sessions(null, 10, Duration.ofSeconds(30), Duration.ofSeconds(55))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sessions.idle");
    }

    @Test
    void test_max_sessions_per_runtime_enforced() {
        AtomicInteger most = new AtomicInteger();
        Registry code = twoSessions(watched(most, 400));

        assertThat(outputOf(code, ONE_AT_A_TIME, "TwoSessions", "")).isEqualTo("ok|ok");
        assertThat(most.get()).as("sessions at one time").isEqualTo(1);
    }

    private static Activity watched(AtomicInteger most, long millis) {
        AtomicInteger running = new AtomicInteger();
        return item -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                return taking(millis, "ok").run(item);
            } finally {
                running.decrementAndGet();
            }
        };
    }

    private static Registry twoSessions(Activity work) {
        return new Registry()
                .activity("Work", work)
                .orchestration(
                        "TwoSessions",
                        (context, input) -> String.join(
                                "|",
                                context.awaitAll(List.of(
                                        context.activityInSession("A", "Work", "A"),
                                        context.activityInSession("B", "Work", "B")))));
    }

    @Test
    void test_same_session_shares_one_slot() {
        Registry code = new Registry()
                .activity("Work", taking(600, "ok"))
                .orchestration(
                        "Shares",
                        (context, input) -> String.join(
                                "|",
                                context.awaitAll(List.of(
                                        context.activityInSession("s", "Work", "1"),
                                        context.activityInSession("s", "Work", "2")))));

        assertThat(outputOf(code, ONE_AT_A_TIME, "Shares", "")).isEqualTo("ok|ok");
    }

    @Test
    void test_session_cap_blocks_then_unblocks() throws Exception {
        CountDownLatch firstRuns = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch secondRuns = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Registry code = twoSessions(item -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            (firstRuns.getCount() == 1 ? firstRuns : secondRuns).countDown();
            release.await();
            running.decrementAndGet();
            return "result-" + item.input();
        });
        client.start("x", "TwoSessions", "");

        OrchestrationRuntime runtime = new OrchestrationRuntime(provider(), code, ONE_AT_A_TIME);
        runtime.start();
        try {
            assertThat(firstRuns.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(secondRuns.await(500, TimeUnit.MILLISECONDS))
                    .as("the second session before the first has ended")
                    .isFalse();
            release.countDown();
            assertThat(secondRuns.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(client.output("x", SOON)).isEqualTo("result-A|result-B");
        } finally {
            release.countDown();
            runtime.close();
        }
        assertThat(most.get()).isEqualTo(1);
    }

    @Test
    void test_multi_worker_complex_orchestration() {
        Map<String, Integer> runs = new ConcurrentHashMap<>();
        Activity work = item -> {
            runs.merge(item.sessionId() == null ? "plain" : "session", 1, Integer::sum);
            return item.input();
        };
        Registry code = new Registry().activity("Work", work).orchestration("Complex", (context, input) -> {
            if (input.isEmpty()) {
                String first = String.join(
                        ",",
                        context.awaitAll(List.of(
                                context.activityInSession("A", "Work", "1"),
                                context.activityInSession("B", "Work", "2"),
                                context.activityInSession("A", "Work", "3"),
                                context.activity("Work", "4"))));
                throw context.continueAsNew(first, null);
            }
            return input + ","
                    + String.join(
                            ",",
                            context.awaitAll(List.of(
                                    context.activityInSession("A", "Work", "5"),
                                    context.activityInSession("B", "Work", "6"))));
        });

        String output = withTwoNodes(code, withNode("node-A", 4), withNode("node-B", 4), "Complex");

        assertThat(output).isEqualTo("1,2,3,4,5,6");
        assertThat(runs).as("no activity ran twice").containsEntry("session", 5).containsEntry("plain", 1);
    }

    @Test
    void test_multi_worker_heterogeneous_config() {
        AtomicInteger runs = new AtomicInteger();
        Registry code = new Registry()
                .activity("Work", item -> {
                    runs.incrementAndGet();
                    return taking(1_600, "ok").run(item);
                })
                .orchestration(
                        "ThreeSessions",
                        (context, input) -> String.join(
                                "|",
                                context.awaitAll(List.of(
                                        context.activityInSession("1", "Work", ""),
                                        context.activityInSession("2", "Work", ""),
                                        context.activityInSession("3", "Work", "")))));
        String output = withTwoNodes(
                code,
                CONFIG.withSessions(
                        new RuntimeConfig.Sessions("small", 1, Duration.ofSeconds(10), Duration.ofMinutes(1))),
                CONFIG.withSessions(
                        new RuntimeConfig.Sessions("large", 10, Duration.ofMinutes(1), Duration.ofMinutes(2))),
                "ThreeSessions");

        assertThat(output).isEqualTo("ok|ok|ok");
        assertThat(runs.get()).as("no activity ran twice").isEqualTo(3);
        assertThat(eventsOf("x", EventKind.ActivityCompleted.class)).hasSize(3);
    }

    private String withTwoNodes(Registry code, RuntimeConfig first, RuntimeConfig second, String orchestration) {
        client.start("x", orchestration, "");
        return during(
                provider(),
                code,
                first,
                () -> during(store().anotherProvider(), code, second, () -> client.output("x", SOON)));
    }
}
