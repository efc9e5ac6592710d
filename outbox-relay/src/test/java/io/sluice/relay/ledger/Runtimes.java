package io.sluice.relay.ledger;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.loop.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatchers of turns and activities, as a runtime has them, through the real provider. What they were told is
 * committed is kept.
 */
final class Runtimes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Runtimes.class);
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int TURN_DISPATCHERS = 6;
    private static final int WORKERS = 2;

    private final Provider provider;
    private final Turn.Load load;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, Long> confirmed = new ConcurrentHashMap<>();
    private final AtomicLong turns = new AtomicLong();
    private volatile boolean stopped;

    Runtimes(Provider provider, Turn.Load load) {
        this.provider = provider;
        this.load = load;
    }

    void start() {
        for (int i = 0; i < TURN_DISPATCHERS; i++) {
            repeat(this::turn, "turns-" + i);
        }
        for (int i = 0; i < WORKERS; i++) {
            repeat(this::activity, "activities-" + i);
        }
    }

    private void repeat(Runnable step, String name) {
        var thread = new Thread(
                () -> {
                    while (!stopped) {
                        try {
                            step.run();
                        } catch (ProviderException e) {
                            LOG.atDebug().setCause(e).log("given back, it comes again");
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void turn() {
        var fetched = provider.fetchOrchestrationItem(LOCK, POLL, null);
        if (fetched.isPresent()) {
            var ack = Turn.of(fetched.get(), load);
            commit(ack);
            turns.incrementAndGet();
            ack.historyDelta().stream()
                    .reduce((first, second) -> second)
                    .map(HistoryEvent::eventId)
                    .ifPresent(last -> confirmed.merge(fetched.get().item().instance(), last, Math::max));
        }
    }

    /** A runtime repeats an ack for as long as it is told that this may help. */
    private void commit(TurnAck ack) {
        while (true) {
            try {
                provider.ackOrchestrationItem(ack);
                return;
            } catch (ProviderException e) {
                if (!e.retryable() || stopped) {
                    throw e;
                }
            }
        }
    }

    private void activity() {
        var fetched = provider.fetchWorkItem(LOCK, POLL, null, TagFilter.any());
        if (fetched.isPresent() && fetched.get().item() instanceof WorkItem.ActivityExecute execute) {
            provider.ackWorkItem(
                    fetched.get().lockToken(),
                    new WorkItem.ActivityCompleted(
                            execute.instance(), execute.executionId(), execute.id(), execute.input()));
        }
    }

    /** Turns committed. */
    long turns() {
        return turns.get();
    }

    /** The last event of each instance of which the provider said that it is committed. */
    Map<String, Long> confirmed() {
        return Map.copyOf(confirmed);
    }

    /** Takes no more, and waits for what is under way. */
    void stop() {
        stopped = true;
        threads.forEach(thread -> Threads.join(thread, LOCK));
    }

    @Override
    public void close() {
        stop();
    }
}
