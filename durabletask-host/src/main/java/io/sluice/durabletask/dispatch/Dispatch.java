package io.sluice.durabletask.dispatch;

import io.grpc.stub.ServerCallStreamObserver;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.HealthPing;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerOffer;
import io.sluice.durabletask.worker.WorkerStream;
import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.work.WorkItem.ActivityExecute;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one task hub's work to its workers, and their answers into the store. Thread-safe.
 *
 * <p>A turn or an activity is locked as long as the stream lives that its worker got it by: its lock is renewed,
 * and it is given back when the stream ends, so that a worker that dies costs no lock's time.
 */
public final class Dispatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);
    private static final Duration PING = Duration.ofSeconds(30);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final int BACKGROUND_THREADS = 8;
    private static final WorkItem SIGN_OF_LIFE =
            WorkItem.newBuilder().setHealthPing(HealthPing.getDefaultInstance()).build();

    private final Workers workers;
    private final Board<TurnWork> turns;
    private final Board<ActivityExecute> activities;
    private final TurnCommits turnCompletion;
    private final ActivityCommits activityResults;
    private final DispatchTiming timing;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService dispatchers;
    private final ExecutorService background;
    private final ScheduledExecutorService timer;

    /**
     * How many items of a kind are fetched at the same time.
     *
     * @param turns at least 1
     * @param activities at least 1
     */
    public record Dispatchers(int turns, int activities) {
        /** Enough for a store within a few milliseconds' reach. */
        public static final Dispatchers USUAL = new Dispatchers(4, 4);

        public Dispatchers {
            if (turns < 1 || activities < 1) {
                throw new IllegalArgumentException(
                        "dispatchers of turns and activities must be at least 1, were " + turns + " and " + activities);
            }
        }
    }

    /**
     * Starts.
     *
     * @param onCommitted told which instance a turn has changed, and into which state
     */
    public Dispatch(DispatchContext context, Dispatchers numbers, BiConsumer<String, OrchestrationStatus> onCommitted) {
        this.workers = context.workers();
        this.timing = context.timing();
        this.turns = new Board<>(WorkKind.TURN, LockOperations.ofTurns(context.provider()), context);
        this.activities = new Board<>(WorkKind.ACTIVITY, LockOperations.ofActivities(context.provider()), context);
        Commit commit = new Commit(closed);
        SharedHub sharedHub = new SharedHub(context.hub(), workers, context.nanoTime());
        this.turnCompletion = new TurnCommits(context, turns, commit, sharedHub, onCommitted);
        this.activityResults = new ActivityCommits(context, activities, commit, sharedHub);
        this.background = Executors.newFixedThreadPool(BACKGROUND_THREADS, DaemonThreads.named("durabletask-locks"));
        this.timer = timer();
        this.dispatchers = Executors.newCachedThreadPool(DaemonThreads.named("durabletask-dispatcher"));
        begin(WorkKind.TURN, numbers.turns(), new TurnDispatcher(context, turns)::dispatch);
        begin(WorkKind.ACTIVITY, numbers.activities(), new ActivityDispatcher(context, activities)::dispatch);
        every(context.timing().tick(), () -> {
            turns.renewDue(background);
            activities.renewDue(background);
        });
        every(PING, () -> workers.ping(SIGN_OF_LIFE));
    }

    /** A stream may end while the host closes, which gives back all that is held: then nothing is left to do. */
    private static ScheduledExecutorService timer() {
        return new ScheduledThreadPoolExecutor(
                1, DaemonThreads.named("durabletask-timer"), new ThreadPoolExecutor.DiscardPolicy());
    }

    private void begin(WorkKind kind, int number, DispatchLoop.Step step) {
        for (int i = 0; i < number; i++) {
            dispatchers.execute(new DispatchLoop(kind, workers, step, closed));
        }
    }

    private void every(Duration period, Runnable task) {
        // Its future is not needed: the task ends with the timer.
        var unused = timer.scheduleAtFixedRate(
                () -> runSafely(task), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A task that throws would not run again, and no lock be renewed. */
    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a task of the dispatch failed, it runs again");
        }
    }

    /**
     * Opens the stream of a worker; it ends with the call.
     *
     * @param connection of the call
     */
    public void connect(WorkerOffer offer, Connection connection, ServerCallStreamObserver<WorkItem> observer) {
        WorkerStream stream = workers.connect(offer, connection, observer);
        observer.setOnReadyHandler(workers::changed);
        observer.setOnCancelHandler(() -> disconnect(stream, connection));
    }

    /** A worker that stops in good order answers what it holds after its stream, if its connection lives. */
    private void disconnect(WorkerStream stream, Connection connection) {
        workers.disconnect(stream);
        if (isClosed()) {
            return;
        }
        Runnable giveBack = () -> giveBackAllOf(stream);
        connection.onEnd(giveBack);
        var unused = timer.schedule(
                () -> {
                    connection.forget(giveBack);
                    giveBack.run();
                },
                timing.farewell().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void giveBackAllOf(WorkerStream stream) {
        if (!isClosed()) {
            turns.streamEnded(stream, background);
            activities.streamEnded(stream, background);
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /**
     * Commits what a worker has decided in a turn.
     *
     * @param connection that the answer came by
     * @throws io.grpc.StatusRuntimeException when it is not committed
     */
    public void complete(OrchestratorResponse response, Connection connection) {
        turnCompletion.complete(response, connection);
    }

    /**
     * Commits what an activity has come to.
     *
     * @param connection that the answer came by
     * @throws io.grpc.StatusRuntimeException when it is not committed
     */
    public void complete(ActivityResponse response, Connection connection) {
        activityResults.complete(response, connection);
    }

    /** Gives back a turn that its worker does not want. */
    public void abandonTurn(String completionToken) {
        turnCompletion.abandon(completionToken);
    }

    /** Gives back an activity that its worker does not want. */
    public void abandonActivity(String completionToken) {
        activityResults.abandon(completionToken);
    }

    /** Ends all streams and gives back what workers hold. Waits up to ten seconds. */
    @Override
    public void close() {
        closed.countDown();
        workers.close();
        timer.shutdown();
        turns.giveBackAll(background);
        activities.giveBackAll(background);
        dispatchers.shutdown();
        awaitEnd(dispatchers);
        // What a dispatcher has assigned meanwhile found its stream closed and is given back there.
        background.shutdown();
        awaitEnd(background);
    }

    private static void awaitEnd(ExecutorService executor) {
        try {
            if (!executor.awaitTermination(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
