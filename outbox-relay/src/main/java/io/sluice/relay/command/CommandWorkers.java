package io.sluice.relay.command;

import io.sluice.relay.command.parked.SickParts;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.loop.Threads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that settle commands in the store. They start with the first command. Thread-safe. */
public final class CommandWorkers {
    /** So many instances with parked commands are tried at once. */
    static final int PARKED = 4;

    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final Duration FIRST_OF_PARKED = Duration.ofMillis(250);
    private static final Duration LONGEST_OF_PARKED = Duration.ofSeconds(5);

    private final StopRequest stop = new StopRequest();
    private final CommandWorker worker;
    private final Inbox inbox;
    private final int places;
    private final ThreadPoolExecutor threads;
    private final ExecutorService ofParked;
    private int lent;

    /**
     * Threads that settle commands in an inbox.
     *
     * @param config how many commands at a time, their maximal age, and the longest wait between retries
     * @param control receives a heartbeat with every answer of the store
     * @param memory limits the heap for commands that are sent to the store
     */
    public CommandWorkers(
            Inbox inbox,
            RelayConfig.Delivery config,
            PipelineControl control,
            RelayMemory memory,
            InstantSource clock) {
        var backoff = new RetryBackoff(FIRST_BACKOFF, config.backoff().longest(), new Random());
        var retrying = new RetryingInbox(inbox.withCallback(control::beat), backoff, stop, memory);
        this.inbox = inbox;
        this.worker = new CommandWorker(retrying, config.commandMaxAge(), clock);
        this.places = config.concurrency();
        this.threads = new ThreadPoolExecutor(
                places, places, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), Threads.named("sluice-command"));
        this.ofParked = Executors.newFixedThreadPool(PARKED, Threads.named("sluice-parked"));
    }

    /** Settles a lane of a batch. */
    void settle(Lane lane) {
        threads.execute(() -> run(lane));
    }

    /** Tries parked commands. */
    void tryParked(Lane lane) {
        ofParked.execute(() -> run(lane));
    }

    private void run(Lane lane) {
        try {
            worker.settleAll(lane);
            lane.done().complete(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            lane.done().complete(null);
        } catch (RuntimeException | Error e) {
            lane.done().completeExceptionally(e);
            throw e;
        }
    }

    /**
     * A lane was ended while its request is under way: until that ends, others get another thread. There are twice as
     * many as places at most.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // giving a thread back does not fail
    void replace(Lane lane) {
        if (lane.isBegun() && !lane.done().isDone() && lend(1)) {
            lane.done().whenComplete((done, failure) -> lend(-1));
        }
    }

    private synchronized boolean lend(int more) {
        if (lent + more > places) {
            return false;
        }
        lent += more;
        if (more > 0) {
            threads.setMaximumPoolSize(places + lent);
            threads.setCorePoolSize(places + lent);
        } else {
            threads.setCorePoolSize(places + lent);
            threads.setMaximumPoolSize(places + lent);
        }
        return true;
    }

    /** Tries of parked commands on these threads. */
    ParkedTries tries() {
        var backoff = new RetryBackoff(FIRST_OF_PARKED, LONGEST_OF_PARKED, new Random());
        return new ParkedTries(this, backoff, new SickParts(inbox::partOf));
    }

    /** Ends waits between retries; commands that are not settled stay so. */
    void requestStop() {
        stop.request();
    }

    /** Waits for the commands under way. */
    void drain(Duration timeout) {
        long endNanos = System.nanoTime() + timeout.toNanos();
        ofParked.shutdown();
        Threads.drain(threads, timeout);
        Threads.drain(ofParked, Duration.ofNanos(Math.max(0, endNanos - System.nanoTime())));
    }
}
