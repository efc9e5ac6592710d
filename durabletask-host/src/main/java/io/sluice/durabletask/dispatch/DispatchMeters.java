package io.sluice.durabletask.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.Workers;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** What becomes of work, as Micrometer meters. Tags are task hubs, kinds and causes, never instances. Thread-safe. */
public final class DispatchMeters {
    private static final String HUB = "hub";
    private static final String KIND = "kind";

    private final Map<WorkKind, Timer> worked = new EnumMap<>(WorkKind.class);
    private final Map<WorkKind, Counter> lostLocks = new EnumMap<>(WorkKind.class);
    private final Map<WorkKind, Map<ReturnCause, Counter>> returned = new EnumMap<>(WorkKind.class);
    private final Counter misrouted;

    /** Meters of one hub. */
    public DispatchMeters(MeterRegistry registry, String hub, Workers workers) {
        Gauge.builder("sluice.host.workers", workers, Workers::count)
                .description("Workers that are connected")
                .tag(HUB, hub)
                .register(registry);
        for (WorkKind kind : WorkKind.values()) {
            String name = label(kind);
            Gauge.builder("sluice.host.work.in.hand", workers, all -> all.inHand(kind))
                    .description("Items that workers have")
                    .tags(HUB, hub, KIND, name)
                    .register(registry);
            worked.put(
                    kind,
                    Timer.builder("sluice.host.work")
                            .description("Time from handing an item to a worker until its answer was committed")
                            .tags(HUB, hub, KIND, name)
                            .publishPercentileHistogram()
                            .register(registry));
            lostLocks.put(
                    kind,
                    Counter.builder("sluice.host.locks.lost")
                            .description("Items whose lock was lost while a worker had them")
                            .tags(HUB, hub, KIND, name)
                            .register(registry));
            returned.put(kind, returned(registry, hub, name));
        }
        misrouted = Counter.builder("sluice.host.misrouted")
                .description("Answers to turns that another host, or this one before its start, has dispatched")
                .tag(HUB, hub)
                .register(registry);
    }

    private static Map<ReturnCause, Counter> returned(MeterRegistry registry, String hub, String kind) {
        Map<ReturnCause, Counter> counters = new EnumMap<>(ReturnCause.class);
        for (ReturnCause cause : ReturnCause.values()) {
            counters.put(
                    cause,
                    Counter.builder("sluice.host.returned")
                            .description("Items that were given back to the queue")
                            .tags(HUB, hub, KIND, kind, "cause", cause.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        return counters;
    }

    private static String label(WorkKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    void committed(WorkKind kind, long nanos) {
        Objects.requireNonNull(worked.get(kind)).record(nanos, TimeUnit.NANOSECONDS);
    }

    void lockLost(WorkKind kind) {
        Objects.requireNonNull(lostLocks.get(kind)).increment();
    }

    void returned(WorkKind kind, ReturnCause cause) {
        Objects.requireNonNull(Objects.requireNonNull(returned.get(kind)).get(cause))
                .increment();
    }

    void misrouted() {
        misrouted.increment();
    }
}
