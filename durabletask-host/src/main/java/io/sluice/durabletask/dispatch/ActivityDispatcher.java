package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.history.ActivityRequests;
import io.sluice.durabletask.history.HistoryFormatException;
import io.sluice.durabletask.wire.Protocol.ActivityRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.worker.WorkFilter;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerStream;
import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.work.WorkItem.ActivityExecute;
import java.time.Duration;
import java.util.Optional;

/** Fetches activities and hands them to workers. Thread-safe. */
final class ActivityDispatcher {
    /** Of a version that no worker here takes, by which a store does not choose: others get it meanwhile. */
    private static final Duration OTHERS = Duration.ofMillis(500);

    private final DispatchContext context;
    private final Provider provider;
    private final Workers workers;
    private final Board<ActivityExecute> board;

    ActivityDispatcher(DispatchContext context, Board<ActivityExecute> board) {
        this.context = context;
        this.provider = context.provider();
        this.workers = context.workers();
        this.board = board;
    }

    /** Fetches an activity that some worker takes, and assigns it. */
    void dispatch(WorkFilter filter) {
        long askedAt = context.nanoTime().getAsLong();
        Optional<LockedWorkItem> activity = provider.fetchWorkItem(
                context.timing().lock(), context.timing().poll(), null, ProviderFilters.activities(filter));
        activity.ifPresent(locked -> hand(locked, askedAt));
    }

    private void hand(LockedWorkItem locked, long askedAt) {
        if (!(locked.item() instanceof ActivityExecute activity)) {
            throw new IllegalStateException(
                    "a provider's queue of activities holds a " + locked.item().variant());
        }
        try {
            hand(locked, activity, ActivityRequests.of(activity), askedAt);
        } catch (HistoryFormatException e) {
            board.giveBackUnreadable(activity.instance(), locked.lockToken(), e);
        }
    }

    private void hand(LockedWorkItem locked, ActivityExecute activity, ActivityRequest request, long askedAt) {
        String name = request.getName();
        String version = ActivityRequests.versionOf(activity, request);
        Optional<WorkerStream> stream = workers.assign(WorkKind.ACTIVITY, name, version);
        if (stream.isEmpty()) {
            // Without a worker of that name it is no version that keeps it.
            if (!workers.isTaken(WorkKind.ACTIVITY, name, version) && workers.isTaken(WorkKind.ACTIVITY, name, null)) {
                workers.refusedVersions().note(name, version);
            }
            board.giveBack(activity.instance(), locked.lockToken(), ReturnCause.NO_WORKER, OTHERS, true);
            return;
        }
        CompletionToken token = new CompletionToken(
                context.host(),
                WorkKind.ACTIVITY,
                locked.lockToken(),
                activity.instance(),
                activity.executionId(),
                activity.id(),
                request.getTaskId());
        board.hand(
                new Assignment<>(
                        token,
                        legacyKey(activity.instance(), request.getTaskId()),
                        activity,
                        locked.attemptCount(),
                        stream.get(),
                        LockEnd.from(context.nanoTime(), askedAt, context.timing())),
                WorkItem.newBuilder()
                        .setCompletionToken(token.text())
                        .setActivityRequest(request)
                        .build());
    }

    /** What names an activity for workers that send no token. */
    static String legacyKey(String instance, int taskId) {
        return taskId + " " + instance;
    }
}
