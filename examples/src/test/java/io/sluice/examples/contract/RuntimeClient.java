package io.sluice.examples.contract;

import io.sluice.provider.InstanceInfo;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** What an application calls: start, signal, cancel, read, and wait for the end. */
public final class RuntimeClient {
    private static final Duration POLL = Duration.ofMillis(10);

    private final Provider provider;

    /** On a provider. */
    public RuntimeClient(Provider provider) {
        this.provider = provider;
    }

    /** How an execution ended; {@code error} is null when it completed. */
    public record Ending(String text, @Nullable ErrorDetails error) {}

    /** Starts an instance; the runtime chooses the version. */
    public void start(String instance, String name, String input) {
        start(instance, name, null, input);
    }

    /** Starts an instance of a version. */
    public void start(String instance, String name, @Nullable String version, String input) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, name, input, version, null, null, null, 1), null);
    }

    /** Raises an external event. */
    public void raise(String instance, String name, String data) {
        provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(instance, name, data), null);
    }

    /** Puts a message into an instance's queue. */
    public void send(String instance, String queue, String data) {
        provider.enqueueForOrchestrator(new WorkItem.QueueMessage(instance, queue, data), null);
    }

    /** Asks an instance to stop. */
    public void cancel(String instance, String reason) {
        provider.enqueueForOrchestrator(new WorkItem.CancelInstance(instance, reason), null);
    }

    /** Waits for the output of an instance that must complete. */
    public String output(String instance, Duration within) {
        Ending ending = ending(instance, within);
        if (ending.error() != null) {
            throw new AssertionError(instance + " failed: " + ending.error());
        }
        return ending.text();
    }

    /** Waits for the failure of an instance that must fail. */
    public ErrorDetails failure(String instance, Duration within) {
        Ending ending = ending(instance, within);
        if (ending.error() == null) {
            throw new AssertionError(instance + " should fail, but completed: " + ending.text());
        }
        return ending.error();
    }

    /** Waits until an instance has ended. */
    public Ending ending(String instance, Duration within) {
        await(instance + " to end", within, () -> endingNow(instance).isPresent());
        return endingNow(instance).orElseThrow();
    }

    private Optional<Ending> endingNow(String instance) {
        List<HistoryEvent> history = provider.read(instance);
        if (history.isEmpty()) {
            return Optional.empty();
        }
        EventKind last = history.get(history.size() - 1).kind();
        if (last instanceof EventKind.OrchestrationCompleted completed) {
            return Optional.of(new Ending(completed.output(), null));
        }
        return last instanceof EventKind.OrchestrationFailed failed
                ? Optional.of(new Ending(failed.details().text(), failed.details()))
                : Optional.empty();
    }

    /** Waits until an event of this kind is in the instance's history. */
    public void awaitEvent(String instance, Class<? extends EventKind> kind, Duration within) {
        await(
                kind.getSimpleName() + " in the history of " + instance,
                within,
                () -> provider.read(instance).stream().anyMatch(event -> kind.isInstance(event.kind())));
    }

    /** Waits for a condition; fails when it does not come true in time. */
    public void await(String what, Duration within, BooleanSupplier condition) {
        Awaitility.await(what).atMost(within).pollInterval(POLL).until(condition::getAsBoolean);
    }

    /** What the store knows of an instance; empty before its first turn. */
    public Optional<InstanceInfo> info(String instance) {
        try {
            return Optional.of(admin().getInstanceInfo(instance));
        } catch (ProviderException e) {
            if (e.retryable()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /** The admin operations. */
    public ProviderAdmin admin() {
        return provider.asManagementCapability().orElseThrow();
    }
}
