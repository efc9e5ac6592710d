package io.sluice.examples.features;

import io.sluice.examples.quickstart.QuietLogs;
import io.sluice.examples.runtime.OrchestrationRuntime;
import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.RuntimeConfig;
import io.sluice.examples.runtime.RuntimeConfig.Timing;
import io.sluice.examples.servers.ExampleException;
import io.sluice.examples.servers.Pause;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.work.WorkItem;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What the examples share: three orchestrations, a way to wait for them, and a way to show a refusal. */
final class Scene {
    static final String GREETING = "Greeting";
    static final String FAMILY = "Family";
    static final String WAITING = "Waiting";

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

    /**
     * A greeting made by an activity, the same made by a sub-orchestration, and an orchestration that waits for an
     * event named as its input.
     */
    private static final Registry REGISTRY = new Registry()
            .activity("greet", task -> "Hello, " + task.input() + "!")
            .orchestration(
                    GREETING, (context, name) -> context.activity("greet", name).await())
            .orchestration(
                    FAMILY,
                    (context, name) -> context.subOrchestration(GREETING, name).await())
            .orchestration(
                    WAITING, (context, event) -> context.externalEvent(event).await());

    private Scene() {}

    /** An example as a program. */
    @FunctionalInterface
    interface Example {
        void run(Map<String, String> environment, PrintStream out) throws Exception;
    }

    static void play(Example example) throws Exception {
        QuietLogs.choose();
        example.run(System.getenv(), System.out);
    }

    /** A runtime that runs the three orchestrations. */
    static OrchestrationRuntime runtime(Provider provider) {
        var config = RuntimeConfig.DEFAULT.withTiming(Timing.DEFAULT.withPollTimeout(Duration.ofMillis(500)));
        var runtime = new OrchestrationRuntime(provider, REGISTRY, config);
        runtime.start();
        return runtime;
    }

    static void start(Provider provider, String instance, String orchestration, String input) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, orchestration, input, null, null, null, null, 1), null);
    }

    static void awaitStatus(Provider provider, String instance, String status) {
        var admin = admin(provider);
        await(
                instance + " to be " + status,
                () -> admin.listInstancesByStatus(status).contains(instance));
    }

    static ProviderAdmin admin(Provider provider) {
        return provider.asManagementCapability().orElseThrow();
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (!condition.getAsBoolean()) {
            pauseUntil(deadline, what);
        }
    }

    /** Tries again as long as the store says that a later attempt may succeed. */
    static <T> T retry(String what, Supplier<T> attempt) {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (true) {
            try {
                return attempt.get();
            } catch (ProviderException e) {
                if (!e.retryable()) {
                    throw e;
                }
                pauseUntil(deadline, what);
            }
        }
    }

    private static void pauseUntil(long deadline, String what) {
        if (System.nanoTime() > deadline) {
            throw new ExampleException("waited " + LONGEST_WAIT.toSeconds() + " s in vain for " + what);
        }
        Pause.sleep(CHECK_INTERVAL);
    }

    /** The message with which the store refuses something. */
    static String refusal(Runnable refused) {
        try {
            refused.run();
        } catch (ProviderException e) {
            return String.valueOf(e.getMessage());
        }
        throw new ExampleException("this should have been refused");
    }

    /** A name for the database and the topics of one run. */
    static String runName(String example) {
        return "sluice-" + example + "-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    }
}
