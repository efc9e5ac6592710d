package io.sluice.examples.contract;

import io.sluice.examples.runtime.Activity;
import io.sluice.examples.runtime.OrchestrationRuntime;
import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.RuntimeConfig;
import io.sluice.provider.Provider;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.contract.ProviderContract;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/**
 * What scenarios with a whole runtime share. They run on the store's own clock as it goes, with waits far above what
 * they need.
 */
abstract class EndToEndScenarios extends ProviderContract {
    static final Duration SOON = Duration.ofMinutes(2);
    /** With sessions and short polls; turns take no time, their lock is for a busy machine. */
    static final RuntimeConfig CONFIG = RuntimeConfig.DEFAULT
            .withSessions(RuntimeConfig.Sessions.DEFAULT)
            .withTiming(new RuntimeConfig.Timing(
                    Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(1)));

    static final Activity UPPER = item -> item.input().toUpperCase(Locale.ROOT);
    static final Activity ECHO = item -> "echo:" + item.input();

    /** What the application calls. */
    RuntimeClient client;

    EndToEndScenarios(ContractStores stores) {
        super(stores);
    }

    @Override
    protected final boolean needsRunningClock() {
        return true;
    }

    @BeforeEach
    void makeClient() {
        client = new RuntimeClient(provider());
    }

    final void during(Registry code, RuntimeConfig options, Runnable work) {
        EndToEndScenarios.<@Nullable Void>during(provider(), code, options, () -> {
            work.run();
            return null;
        });
    }

    /** Runs a runtime while {@code work} lasts. */
    static <T extends @Nullable Object> T during(
            Provider provider, Registry code, RuntimeConfig config, Supplier<T> work) {
        try (var runtime = new OrchestrationRuntime(provider, code, config)) {
            runtime.start();
            return work.get();
        }
    }

    /** All workers own sessions as one node, so many at a time. */
    static RuntimeConfig withNode(String node, int maxSessions) {
        return CONFIG.withSessions(
                new RuntimeConfig.Sessions(node, maxSessions, Duration.ofSeconds(30), Duration.ofMinutes(5)));
    }

    /** Runs one instance to its end and returns its output. */
    final String outputOf(Registry code, String orchestration, String input) {
        return outputOf(code, CONFIG, orchestration, input);
    }

    final String outputOf(Registry code, RuntimeConfig options, String orchestration, String input) {
        client.start("x", orchestration, input);
        return during(provider(), code, options, () -> client.output("x", SOON));
    }

    /** Why one instance failed. */
    final String failureOf(Registry code, String orchestration, String input) {
        client.start("x", orchestration, input);
        return during(provider(), code, CONFIG, () -> client.failure("x", SOON).text());
    }

    final <K extends EventKind> List<K> eventsOf(String instance, Class<K> kind) {
        return provider().read(instance).stream()
                .map(HistoryEvent::kind)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** An activity that takes this long. */
    static Activity taking(long millis, String result) {
        return item -> new CompletableFuture<String>()
                .completeOnTimeout(result, millis, TimeUnit.MILLISECONDS)
                .get();
    }
}
