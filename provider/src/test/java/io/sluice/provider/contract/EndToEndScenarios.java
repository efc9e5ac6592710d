package io.sluice.provider.contract;

import io.sluice.provider.contract.replay.Activity;
import io.sluice.provider.contract.replay.Code;
import io.sluice.provider.contract.replay.ReplayRuntime;
import io.sluice.provider.contract.replay.RuntimeClient;
import io.sluice.provider.contract.replay.RuntimeOptions;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/**
 * What scenarios with a whole runtime share. They run on the store's own clock as it goes, with waits far above what
 * they need.
 */
abstract class EndToEndScenarios extends ProviderContract {
    static final Duration SOON = Duration.ofSeconds(60);
    static final Activity UPPER = item -> item.input().toUpperCase(Locale.ROOT);
    static final Activity ECHO = item -> "echo:" + item.input();

    /** The application beside the runtime. */
    RuntimeClient client;

    EndToEndScenarios(ContractStores stores) {
        super(stores);
    }

    @Override
    final boolean needsRunningClock() {
        return true;
    }

    @BeforeEach
    void makeClient() {
        client = new RuntimeClient(provider());
    }

    final void during(Code code, RuntimeOptions options, Runnable work) {
        ReplayRuntime.<@Nullable Void>during(provider(), code, options, () -> {
            work.run();
            return null;
        });
    }

    /** Runs one instance to its end and returns its output. */
    final String outputOf(Code code, String orchestration, String input) {
        return outputOf(code, RuntimeOptions.DEFAULT, orchestration, input);
    }

    final String outputOf(Code code, RuntimeOptions options, String orchestration, String input) {
        client.start("x", orchestration, input);
        return ReplayRuntime.during(provider(), code, options, () -> client.output("x", SOON));
    }

    /** Why one instance failed. */
    final String failureOf(Code code, String orchestration, String input) {
        client.start("x", orchestration, input);
        return ReplayRuntime.during(
                provider(),
                code,
                RuntimeOptions.DEFAULT,
                () -> client.failure("x", SOON).text());
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
