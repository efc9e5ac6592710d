package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerStream;
import io.sluice.durabletask.worker.Workers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns where applications that share a task hub fail each other's work: a worker without filters is given everything,
 * and its SDK fails what it does not know. Thread-safe.
 */
final class SharedHub {
    private static final Logger LOG = LoggerFactory.getLogger(SharedHub.class);
    /** Of one name, however often it fails. */
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);

    private static final int MOST_NAMES = 1_000;
    private static final int MOST_WORKERS = 5;

    /** By the SDKs for Python and JavaScript, for .NET and later Go, for Go 0.6. */
    private static final Set<String> TYPES = Set.of(
            "OrchestratorNotRegisteredError",
            "ActivityNotRegisteredError",
            "OrchestratorTaskNotFound",
            "ActivityTaskNotFound",
            "TaskActivityNotRegistered");
    /** Of SDKs whose types do not say it: for Go 0.6, and for Java, whose 1.5 finds no factory and goes on. */
    private static final List<String> TEXTS = List.of(
            "orchestrator named '%s' is not registered",
            "No orchestration factory registered for orchestration type '%s'",
            "No activity task named '%s' is registered",
            "TaskOrchestrationFactory.create()\" because");

    private final String hub;
    private final Workers workers;
    private final LongSupplier nanoTime;
    /** When each name was warned of; the oldest goes first. Guarded by this. */
    private final Map<String, Long> warned = new LinkedHashMap<>();

    /**
     * Of one task hub.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    SharedHub(String hub, Workers workers, LongSupplier nanoTime) {
        this.hub = hub;
        this.workers = workers;
        this.nanoTime = nanoTime;
    }

    /**
     * Notes that a worker has failed an orchestration, or an activity.
     *
     * @param name that it was given the work of
     * @param from who failed it
     */
    void noteFailure(WorkKind kind, String name, TaskFailureDetails failure, WorkerStream from) {
        if (!isUnknown(name, failure)) {
            return;
        }
        List<WorkerStream> others = workers.others(from);
        if (!others.isEmpty() && tryWarn(kind + " " + name)) {
            LOG.atWarn()
                    .addKeyValue("hub", hub)
                    .addKeyValue("kind", kind)
                    .addKeyValue("name", name)
                    .addKeyValue("worker", from.name())
                    .addKeyValue("othersWithoutFilters", unfiltered(others))
                    .log("a worker has failed work that it does not know, and other workers are connected to the task"
                            + " hub: workers without filters are given the work of every application. Give each"
                            + " application a task hub of its own, or let all workers of this one say what they take"
                            + " (docs/durabletask.md, section Sharing a task hub)");
        }
    }

    private static boolean isUnknown(String name, TaskFailureDetails failure) {
        String type = failure.getErrorType();
        return TYPES.contains(type.substring(type.lastIndexOf('.') + 1))
                || TEXTS.stream().anyMatch(text -> failure.getErrorMessage().contains(text.replace("%s", name)));
    }

    private static List<String> unfiltered(List<WorkerStream> others) {
        return others.stream()
                .filter(stream -> stream.offer().filters().isEmpty())
                .limit(MOST_WORKERS)
                .map(WorkerStream::name)
                .toList();
    }

    private synchronized boolean tryWarn(String what) {
        long now = nanoTime.getAsLong();
        Long before = warned.get(what);
        if (before != null && now - before < BETWEEN_WARNINGS.toNanos()) {
            return false;
        }
        warned.remove(what);
        if (warned.size() >= MOST_NAMES) {
            warned.remove(warned.keySet().iterator().next());
        }
        warned.put(what, now);
        return true;
    }
}
