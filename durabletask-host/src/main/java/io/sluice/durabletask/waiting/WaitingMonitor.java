package io.sluice.durabletask.waiting;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.durabletask.dispatch.DaemonThreads;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.ProviderException;
import io.sluice.provider.work.WaitingWork;
import io.sluice.provider.work.WaitingWork.WaitingType;
import io.sluice.provider.work.WaitingWorkReader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads once an interval what waits in a task hub, and tells operators: by meters, by the status, and by one line in
 * the log when there begins to be work that no connected worker takes. Thread-safe.
 */
public final class WaitingMonitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingMonitor.class);
    /** After so many intervals without a report nobody knows what waits. */
    private static final int STALE_INTERVALS = 3;
    /** Of problems, and of types in a line of the log. */
    private static final int MOST_NAMED = 20;

    private final String hub;
    private final WaitingWorkReader reader;
    private final Workers workers;
    private final Duration interval;
    private final LongSupplier nanoTime;
    private final WaitingMeters meters;
    private final ScheduledThreadPoolExecutor timer;
    private volatile @Nullable Report report;
    private boolean isUntakenLogged;

    /**
     * A report that was read.
     *
     * @param suspects the types that nobody took by the report before: another host notes what it takes when it has
     *     read the report, so that one report alone does not tell
     */
    private record Report(WaitingWork work, Set<Type> suspects, long readNanos) {}

    /** What a worker takes or not, however much of it waits. */
    private record Type(
            WaitingWork.Kind kind, String name, @Nullable String version) {
        static Type of(WaitingType waiting) {
            return new Type(waiting.kind(), waiting.name(), waiting.version());
        }
    }

    /**
     * Of one hub; reads nothing before {@link #start}.
     *
     * @param reader made for the interval
     */
    public WaitingMonitor(
            String hub, WaitingWorkReader reader, Workers workers, MeterRegistry registry, Duration interval) {
        this.hub = hub;
        this.reader = reader;
        this.workers = workers;
        this.interval = interval;
        this.nanoTime = System::nanoTime;
        this.meters = new WaitingMeters(registry, hub, this::view);
        this.timer = new ScheduledThreadPoolExecutor(
                1, DaemonThreads.named("durabletask-waiting"), new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Looks from now on, the first time when workers have had a moment to connect. */
    public void start() {
        long period = interval.toMillis();
        long first = period / 4 + ThreadLocalRandom.current().nextLong(period / 4 + 1);
        // Its future is not needed: the task ends with the timer.
        var unused = timer.scheduleAtFixedRate(this::look, first, Math.max(1, period), TimeUnit.MILLISECONDS);
    }

    /** Looks now. A task that threw would not run again. */
    private void look() {
        try {
            WaitingWork work = reader.read(this::isTakenHere);
            report = new Report(work, suspects(report, work), nanoTime.getAsLong());
        } catch (ProviderException e) {
            LOG.atInfo()
                    .addKeyValue("hub", hub)
                    .addKeyValue("reason", e.getMessage())
                    .log("what waits in a task hub could not be read, it is tried again");
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("hub", hub).setCause(e).log("what waits in a task hub could not be read");
        }
        @Nullable WaitingView view = view();
        meters.show(view);
        if (view != null) {
            logUntaken(view);
        }
    }

    private Set<Type> suspects(@Nullable Report last, WaitingWork now) {
        if (last == null) {
            return Set.of();
        }
        return last.work().at().equals(now.at())
                ? last.suspects()
                : last.work().types().stream()
                        .filter(type -> !isTaken(type))
                        .map(Type::of)
                        .collect(Collectors.toSet());
    }

    /** By the report, or by a worker of this host that came since. */
    private boolean isTaken(WaitingType type) {
        return type.isTaken() || isTakenHere(type);
    }

    private void logUntaken(WaitingView view) {
        List<String> untaken = untaken(view);
        if (!untaken.isEmpty() && !isUntakenLogged) {
            LOG.atWarn()
                    .addKeyValue("hub", hub)
                    .addKeyValue("work", untaken)
                    .log("work waits that no connected worker takes");
        }
        isUntakenLogged = !untaken.isEmpty();
    }

    /** Whether a worker of this host takes it. */
    private boolean isTakenHere(WaitingType type) {
        WorkKind kind = kind(type);
        return workers.isTaken(kind, type.name(), type.version())
                && (kind == WorkKind.TURN || refusedVersion(type).isEmpty());
    }

    private Optional<String> refusedVersion(WaitingType activity) {
        return workers.refusedVersions()
                .within(interval.multipliedBy(2), activity.name())
                .filter(version -> !workers.isTaken(WorkKind.ACTIVITY, activity.name(), version));
    }

    private static WorkKind kind(WaitingType type) {
        return switch (type.kind()) {
            case TURN -> WorkKind.TURN;
            case ACTIVITY -> WorkKind.ACTIVITY;
        };
    }

    /** What waits; null where that is not known. A worker that came since the last look counts. */
    private @Nullable WaitingView view() {
        @Nullable Report last = report;
        if (last == null || nanoTime.getAsLong() - last.readNanos() > STALE_INTERVALS * interval.toNanos()) {
            return null;
        }
        Function<WaitingType, WaitingView.Waiting> judged = type -> {
            boolean isTaken = isTaken(type) || !last.suspects().contains(Type.of(type));
            return new WaitingView.Waiting(
                    kind(type),
                    type.name(),
                    isTaken || type.kind() == WaitingWork.Kind.TURN
                            ? type.version()
                            : refusedVersion(type).orElse(null),
                    type.count(),
                    Duration.between(type.since(), last.work().at()).toMillis() / 1_000.0,
                    isTaken);
        };
        return new WaitingView(
                last.work().at(),
                last.work().types().stream().map(judged).toList(),
                last.work().isCut());
    }

    /** What no connected worker takes, one sentence each; those that have waited longest. */
    public List<String> problems() {
        @Nullable WaitingView view = view();
        return view == null ? List.of() : untaken(view);
    }

    private List<String> untaken(WaitingView view) {
        return view.untaken().limit(MOST_NAMED).map(this::sentence).toList();
    }

    private String sentence(WaitingView.Waiting waiting) {
        boolean isTurn = waiting.kind() == WorkKind.TURN;
        String version = waiting.version() == null || waiting.version().isEmpty()
                ? ""
                : " of version '" + WaitingMeters.label(waiting.version()) + "'";
        return "task hub " + hub + ": no connected worker takes " + (isTurn ? "orchestration" : "activity") + " '"
                + WaitingMeters.label(waiting.name()) + "'" + version + ": " + waiting.count()
                + " wait, the oldest for "
                + Math.round(waiting.ageSeconds()) + " s";
    }

    /** For the status; empty where what waits is not known. */
    public Map<String, Object> status() {
        @Nullable WaitingView view = view();
        Map<String, Object> status = new LinkedHashMap<>();
        if (view != null) {
            status.put("turns", view.count(WorkKind.TURN));
            status.put("oldestTurnSeconds", Math.round(view.ageSeconds(WorkKind.TURN)));
            status.put("activities", view.count(WorkKind.ACTIVITY));
            status.put("oldestActivitySeconds", Math.round(view.ageSeconds(WorkKind.ACTIVITY)));
            status.put("mayBeMore", view.isCut());
            status.put("at", view.at().toString());
        }
        return status;
    }

    /** Looks no more. */
    @Override
    public void close() {
        timer.shutdownNow();
        meters.close();
    }
}
