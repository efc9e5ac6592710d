package io.sluice.examples.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.runtime.OrchestrationRuntime;
import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.Step;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Many instances at once, for a tenth of the originals' times and less. What must hold is that every instance completes
 * and that the store fails no call; how many a second is a question to a quiet machine, and the benchmarks'.
 */
public abstract class StressContract extends EndToEndScenarios {
    /** Runs the category on stores from there. */
    protected StressContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void stress_test_parallel_orchestrations_light() {
        storm(new Load(10, 1_000, 3, 10, 2));
    }

    @Test
    void stress_test_parallel_orchestrations_standard() {
        storm(new Load(20, 2_000, 5, 20, 2));
    }

    @Test
    void stress_test_high_concurrency() {
        storm(new Load(50, 1_000, 10, 20, 4));
    }

    @Test
    void stress_test_rate_limiting() {
        store().throttle(25);

        storm(new Load(30, 1_000, 5, 20, 4));
    }

    @Test
    void stress_test_long_duration_stability() {
        storm(new Load(20, 5_000, 5, 20, 2));
    }

    @Test
    void concurrent_continue_as_new_chains() {
        Registry code = new Registry().orchestration("Chain", (context, input) -> {
            if (context.execution() < 10) {
                throw context.continueAsNew(Long.toString(context.execution()), null);
            }
            return "completed at " + input;
        });
        List<String> chains = List.of("c0", "c1", "c2", "c3", "c4");
        chains.forEach(chain -> client.start(chain, "Chain", "0"));

        during(
                code,
                CONFIG,
                () -> chains.forEach(
                        chain -> assertThat(client.output(chain, SOON)).isEqualTo("completed at 9")));
        for (String chain : chains) {
            for (long execution = 1; execution <= 10; execution++) {
                assertThat(provider().readWithExecution(chain, execution)).isNotEmpty();
            }
        }
    }

    @Test
    void instance_actor_pattern_stress_test() {
        long last = 10;
        Registry code = new Registry()
                .activity("Step", ECHO)
                .orchestration("InstanceActor", "1.0.0", (context, input) -> {
                    if (context.execution() == last) {
                        return "done";
                    }
                    for (int i = 0; i < 4; i++) {
                        context.activity("Step", input).await();
                    }
                    context.timer(Duration.ofMillis(50)).await();
                    throw context.continueAsNew(input, null);
                });
        List<String> actors = List.of("a0", "a1", "a2");
        actors.forEach(actor -> client.start(actor, "InstanceActor", actor));

        during(code, CONFIG, () -> actors.forEach(actor -> client.output(actor, SOON)));
        for (String actor : actors) {
            for (long execution = 1; execution < last; execution++) {
                Set<String> types = typesOf(actor, execution);
                assertThat(types).contains("ActivityScheduled", "TimerFired", "OrchestrationContinuedAsNew");
            }
            assertThat(typesOf(actor, last)).contains("OrchestrationCompleted");
            var started = (EventKind.OrchestrationStarted)
                    provider().readWithExecution(actor, last).get(0).kind();
            assertThat(started.name()).isEqualTo("InstanceActor");
            assertThat(started.version()).startsWith("1.");
        }
        assertThat(client.admin().getQueueDepths().orchestratorQueue())
                .as("left over")
                .isZero();
        steps.fetchNothing();
    }

    private Set<String> typesOf(String instance, long execution) {
        return provider().readWithExecution(instance, execution).stream()
                .map(HistoryEvent::type)
                .collect(Collectors.toSet());
    }

    /**
     * So many instances at once, for so long, each fanning out to so many activities; so many dispatchers and workers.
     */
    private record Load(int concurrent, int millis, int tasks, long activityMillis, int threads) {}

    /** Keeps instances running, and checks that all complete and that no call failed. */
    private void storm(Load load) {
        Registry code = new Registry()
                .activity("Task", taking(load.activityMillis(), "done"))
                .orchestration("FanOut", (context, input) -> {
                    List<Step> tasks = new ArrayList<>();
                    for (int i = 0; i < load.tasks(); i++) {
                        tasks.add(context.activity("Task", Integer.toString(i)));
                    }
                    return Integer.toString(context.awaitAll(tasks).size());
                });
        int millis = Tier.times(load.millis() / 5, load.millis());
        long startedNanos = System.nanoTime();
        long started = 0;
        var runtime = new OrchestrationRuntime(provider(), code, CONFIG.withThreads(load.threads(), load.threads()));
        try (runtime) {
            runtime.start();
            Deque<String> running = new ArrayDeque<>();
            while (!running.isEmpty() || elapsedMillis(startedNanos) < millis) {
                while (running.size() < load.concurrent() && elapsedMillis(startedNanos) < millis) {
                    running.add("i" + started++);
                    client.start(running.getLast(), "FanOut", "");
                }
                String oldest = running.removeFirst();
                assertThat(client.output(oldest, Duration.ofMinutes(2))).isEqualTo(Integer.toString(load.tasks()));
            }
        }
        assertThat(runtime.counters().storeFailures()).as("failed calls").isZero();
    }

    private static long elapsedMillis(long startedNanos) {
        return (System.nanoTime() - startedNanos) / 1_000_000;
    }
}
