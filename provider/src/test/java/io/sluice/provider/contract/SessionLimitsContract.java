package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.contract.replay.Activity;
import io.sluice.provider.contract.replay.Code;
import io.sluice.provider.contract.replay.ReplayRuntime;
import io.sluice.provider.contract.replay.RuntimeOptions;
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
    private static final RuntimeOptions ONE_AT_A_TIME = RuntimeOptions.DEFAULT.sessions("node-1", 1);

    /** Runs the category on stores from there. */
    protected SessionLimitsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_session_idle_timeout_must_exceed_worker_renewal_interval() {
        assertThatThrownBy(() -> RuntimeOptions.DEFAULT.times(
                        Duration.ofSeconds(30), Duration.ofSeconds(50), Duration.ofMinutes(1), Duration.ofSeconds(10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sessionIdle");
    }

    @Test
    void test_max_sessions_per_runtime_enforced() {
        AtomicInteger most = new AtomicInteger();
        Code code = twoSessions(watched(most, 400));

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

    private static Code twoSessions(Activity work) {
        return new Code()
                .activity("Work", work)
                .orchestration(
                        "TwoSessions",
                        (context, input) -> String.join(
                                "|",
                                context.all(List.of(
                                        context.inSession("A", "Work", "A"), context.inSession("B", "Work", "B")))));
    }

    @Test
    void test_same_session_shares_one_slot() {
        Code code = new Code()
                .activity("Work", taking(600, "ok"))
                .orchestration(
                        "Shares",
                        (context, input) -> String.join(
                                "|",
                                context.all(List.of(
                                        context.inSession("s", "Work", "1"), context.inSession("s", "Work", "2")))));

        assertThat(outputOf(code, ONE_AT_A_TIME, "Shares", "")).isEqualTo("ok|ok");
    }

    @Test
    void test_session_cap_blocks_then_unblocks() throws Exception {
        CountDownLatch firstRuns = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch secondRuns = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Code code = twoSessions(item -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            (firstRuns.getCount() == 1 ? firstRuns : secondRuns).countDown();
            release.await();
            running.decrementAndGet();
            return "result-" + item.input();
        });
        client.start("x", "TwoSessions", "");

        ReplayRuntime runtime = new ReplayRuntime(provider(), code, ONE_AT_A_TIME);
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
        Code code = new Code().activity("Work", work).orchestration("Complex", (context, input) -> {
            if (input.isEmpty()) {
                String first = String.join(
                        ",",
                        context.all(List.of(
                                context.inSession("A", "Work", "1"),
                                context.inSession("B", "Work", "2"),
                                context.inSession("A", "Work", "3"),
                                context.activity("Work", "4"))));
                throw context.continueAsNew(first, null);
            }
            return input + ","
                    + String.join(
                            ",",
                            context.all(
                                    List.of(context.inSession("A", "Work", "5"), context.inSession("B", "Work", "6"))));
        });

        String output = withTwoNodes(
                code,
                RuntimeOptions.DEFAULT.sessions("node-A", 4),
                RuntimeOptions.DEFAULT.sessions("node-B", 4),
                "Complex");

        assertThat(output).isEqualTo("1,2,3,4,5,6");
        assertThat(runs).as("no activity ran twice").containsEntry("session", 5).containsEntry("plain", 1);
    }

    @Test
    void test_multi_worker_heterogeneous_config() {
        AtomicInteger runs = new AtomicInteger();
        Code code = new Code()
                .activity("Work", item -> {
                    runs.incrementAndGet();
                    return taking(1_600, "ok").run(item);
                })
                .orchestration(
                        "ThreeSessions",
                        (context, input) -> String.join(
                                "|",
                                context.all(List.of(
                                        context.inSession("1", "Work", ""),
                                        context.inSession("2", "Work", ""),
                                        context.inSession("3", "Work", "")))));
        Duration workerLock = Duration.ofSeconds(30);
        Duration buffer = Duration.ofSeconds(5);

        String output = withTwoNodes(
                code,
                RuntimeOptions.DEFAULT
                        .sessions("small", 1)
                        .times(Duration.ofSeconds(10), Duration.ofMinutes(1), workerLock, buffer),
                RuntimeOptions.DEFAULT
                        .sessions("large", 10)
                        .times(Duration.ofMinutes(1), Duration.ofMinutes(2), workerLock, buffer),
                "ThreeSessions");

        assertThat(output).isEqualTo("ok|ok|ok");
        assertThat(runs.get()).as("no activity ran twice").isEqualTo(3);
        assertThat(eventsOf("x", EventKind.ActivityCompleted.class)).hasSize(3);
    }

    private String withTwoNodes(Code code, RuntimeOptions first, RuntimeOptions second, String orchestration) {
        client.start("x", orchestration, "");
        return ReplayRuntime.during(
                provider(),
                code,
                first,
                () -> ReplayRuntime.during(store().anotherProvider(), code, second, () -> client.output("x", SOON)));
    }
}
