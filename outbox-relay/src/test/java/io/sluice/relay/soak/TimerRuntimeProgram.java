package io.sluice.relay.soak;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SemverRange;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.StopSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.ConcurrentHistogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runtime as a process whose instances end with their timer, or in their first turn. Every second it prints how late
 * their turns came.
 */
final class TimerRuntimeProgram {
    static final String WORKS = "runtime works";
    static final String TURNS = "turns ";

    private static final Logger LOG = LoggerFactory.getLogger(TimerRuntimeProgram.class);
    private static final Duration LOCK = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofSeconds(30);
    private static final Duration REPORT = Duration.ofSeconds(1);
    private static final int DISPATCHERS = 8;
    private static final SemanticVersion OWN = SemanticVersion.of(0, 1, 32);
    private static final DispatcherCapabilityFilter FILTER =
            new DispatcherCapabilityFilter(List.of(new SemverRange(OWN, OWN)));

    private final CosmosProvider provider;
    private final ConcurrentHistogram timers = new ConcurrentHistogram(3);
    private final ConcurrentHistogram starts = new ConcurrentHistogram(3);

    private TimerRuntimeProgram(CosmosProvider provider) {
        this.provider = provider;
    }

    public static void main(String[] arguments) throws InterruptedException {
        var runtime = new TimerRuntimeProgram(StoreStart.retry(() -> RuntimeProgram.open(System.getenv())));
        for (int i = 0; i < DISPATCHERS; i++) {
            new Thread(runtime::work, "turns-" + i).start();
        }
        System.out.println(WORKS);
        var never = new StopSignal();
        while (!never.restFor(REPORT)) {
            System.out.println(runtime.line());
        }
    }

    private void work() {
        while (true) {
            try {
                provider.fetchOrchestrationItem(LOCK, POLL, FILTER).ifPresent(this::turn);
            } catch (ProviderException e) {
                LOG.atWarn().addKeyValue("reason", e.getMessage()).log("an operation failed, it will be tried again");
            }
        }
    }

    private void turn(LockedTurn locked) {
        long now = System.currentTimeMillis();
        var item = locked.item();
        var delta = new ArrayList<HistoryEvent>();
        var metadata = ExecutionMetadata.NONE.withStatus("Completed", "done");
        for (var message : item.messages()) {
            if (message instanceof WorkItem.TimerFired fired) {
                timers.recordValue(Math.max(0, now - fired.fireAtMillis()));
                add(item.instance(), item.history(), delta, new EventKind.TimerFired(fired.fireAtMillis()));
            } else if (message instanceof WorkItem.StartOrchestration start) {
                starts.recordValue(Math.max(0, now - Long.parseLong(start.input())));
                var started = new EventKind.OrchestrationStarted(
                        start.orchestration(), "1.0.0", start.input(), null, null, null, null, null);
                add(item.instance(), item.history(), delta, started);
                metadata = metadata.withOrchestration(start.orchestration(), "1.0.0");
            }
        }
        add(item.instance(), item.history(), delta, new EventKind.OrchestrationCompleted("done"));
        provider.ackOrchestrationItem(TurnAck.of(locked.lockToken(), item.executionId())
                .withHistory(delta)
                .withMetadata(metadata));
    }

    private static void add(String instance, List<HistoryEvent> before, List<HistoryEvent> delta, EventKind kind) {
        var event = HistoryEvent.of(
                before.size() + delta.size() + 1L,
                instance,
                1,
                System.currentTimeMillis(),
                WaitingTimers.VERSION,
                kind);
        delta.add(kind instanceof EventKind.TimerFired ? event.withSourceEventId((long) before.size()) : event);
    }

    private String line() {
        var runtime = Runtime.getRuntime();
        return String.format(
                Locale.ROOT,
                TURNS + "timers %s starts %s heap %d MB",
                late(timers),
                late(starts),
                (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }

    private static String late(ConcurrentHistogram late) {
        return String.format(
                Locale.ROOT,
                "%d late %d %d %d",
                late.getTotalCount(),
                late.getValueAtPercentile(50),
                late.getValueAtPercentile(99),
                late.getMaxValue());
    }
}
