package io.sluice.examples.runtime;

import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** A runtime in one thread on a clock that jumps to the next timer: the same run every time. */
public final class Simulation implements AutoCloseable {
    private static final int STEPS = 10_000;

    private long nowMillis = 1_740_000_000_000L;
    private final LockRenewer locks = new LockRenewer(1);
    private final InMemoryProvider provider = new InMemoryProvider(() -> Instant.ofEpochMilli(nowMillis));
    private final TurnDispatcher dispatcher;
    private final ActivityWorker worker;

    /** A runtime that knows this code. */
    public Simulation(Registry registry) {
        RuntimeConfig config = RuntimeConfig.DEFAULT;
        RuntimeCounters counters = new RuntimeCounters();
        TurnRunner runner = new TurnRunner(registry, config, () -> Instant.ofEpochMilli(nowMillis));
        dispatcher = new TurnDispatcher(provider, runner, config, locks, counters);
        ActivityRunner activities = new ActivityRunner(provider, registry, config, locks, counters);
        worker = new ActivityWorker(provider, config, activities, null, new SessionSlots(0));
    }

    InMemoryProvider provider() {
        return provider;
    }

    /** Starts an instance. */
    public Simulation start(String instance, String orchestration, String input) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, orchestration, input, null, null, null, null, 1), null);
        return this;
    }

    /** Raises an external event. */
    public Simulation raise(String instance, String name, String data) {
        provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(instance, name, data), null);
        return this;
    }

    /** Cancels an instance. */
    public Simulation cancel(String instance, String reason) {
        provider.enqueueForOrchestrator(new WorkItem.CancelInstance(instance, reason), null);
        return this;
    }

    /** Works what is visible now. */
    public Simulation runVisible() {
        int before;
        do {
            before = provider.acks.size() + provider.completions.size() + provider.abandonments.size();
            dispatcher.step();
            worker.step();
        } while (before != provider.acks.size() + provider.completions.size() + provider.abandonments.size());
        return this;
    }

    /** Works one turn. */
    Simulation turn() {
        dispatcher.step();
        return this;
    }

    /** Works one activity. */
    Simulation activity() {
        worker.step();
        return this;
    }

    /** Works until nothing is left, jumping from timer to timer. */
    public Simulation runToEnd() {
        for (int i = 0; i < STEPS; i++) {
            runVisible();
            OptionalLong next = provider.nextVisibleAt();
            if (next.isEmpty()) {
                return this;
            }
            nowMillis = Math.max(nowMillis, next.getAsLong());
        }
        throw new AssertionError("not at its end after " + STEPS + " steps");
    }

    /** How long the clock has run. */
    public Duration elapsed() {
        return Duration.ofMillis(nowMillis - 1_740_000_000_000L);
    }

    /** The types of an instance's events in order. */
    public List<String> types(String instance) {
        return history(instance).stream().map(HistoryEvent::type).toList();
    }

    /** The history of an instance. */
    public List<HistoryEvent> history(String instance) {
        return provider.read(instance);
    }

    /** The last event's content. */
    public EventKind ending(String instance) {
        List<HistoryEvent> history = history(instance);
        return history.get(history.size() - 1).kind();
    }

    TurnAck lastAck() {
        return provider.acks.get(provider.acks.size() - 1);
    }

    @Override
    public void close() {
        locks.close();
    }
}
