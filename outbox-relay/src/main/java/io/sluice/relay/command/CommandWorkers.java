package io.sluice.relay.command;

import io.sluice.relay.RelayConfig;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.loop.Threads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The threads that settle commands in the store. They start with the first command. Thread-safe. */
public final class CommandWorkers {
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);

    private final StopRequest stop = new StopRequest();
    private final CommandWorker worker;
    private final ExecutorService threads;

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
        // If the partition of one instance is unavailable, its whole batch waits: meanwhile every answer of the store
        // counts as a heartbeat.
        var retrying = new RetryingInbox(inbox.withCallback(control::beat), backoff, stop, memory);
        this.worker = new CommandWorker(retrying, config.commandMaxAge(), clock);
        this.threads = Executors.newFixedThreadPool(config.concurrency(), Threads.named("sluice-command"));
    }

    CommandWorker worker() {
        return worker;
    }

    Executor threads() {
        return threads;
    }

    /** Ends waits between retries; commands that are not settled stay so. */
    void requestStop() {
        stop.request();
    }

    /** Waits for the commands under way. */
    void drain(Duration timeout) {
        Threads.drain(threads, timeout);
    }
}
