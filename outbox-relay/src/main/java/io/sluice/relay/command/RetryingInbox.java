package io.sluice.relay.command;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.CommandOutcome;
import io.sluice.relay.command.CommandBatch.Entry;
import io.sluice.relay.command.parse.ParsedCommand;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.loop.StopRequest;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An inbox that repeats requests after transient failures, within the memory budget. A request returns null if it was
 * given up before an answer: at the stop, because the partition of the command was revoked, or because its lane was
 * ended. Thread-safe.
 */
final class RetryingInbox {
    private static final Logger LOG = LoggerFactory.getLogger(RetryingInbox.class);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Inbox inbox;
    private final RetryBackoff backoff;
    private final StopRequest stop;
    private final RelayMemory memory;

    RetryingInbox(Inbox inbox, RetryBackoff backoff, StopRequest stop, RelayMemory memory) {
        this.inbox = inbox;
        this.backoff = backoff;
        this.stop = stop;
        this.memory = memory;
    }

    /** Queues a command. */
    @Nullable
    CommandOutcome accept(Lane lane, Entry entry, ParsedCommand.Valid command, long floorMillis)
            throws InterruptedException {
        return retry(lane, entry, () -> inbox.accept(entry.offered(command), floorMillis));
    }

    /** Writes the receipt that refuses the command for all later attempts, unless the command was queued before. */
    @Nullable
    CommandOutcome refuse(Lane lane, Entry entry, ParsedCommand.Valid command, String reason)
            throws InterruptedException {
        return retry(lane, entry, () -> inbox.refuse(entry.offered(command), reason));
    }

    private @Nullable CommandOutcome retry(Lane lane, Entry entry, Supplier<CommandOutcome> request)
            throws InterruptedException {
        while (!stop.isRequested() && lane.mayTry(entry)) {
            var outcome = memory.sending(entry.message().serializedValueSize(), () -> call(request));
            if (!(outcome instanceof CommandOutcome.Transient failure)) {
                return outcome;
            }
            int failures = lane.failed();
            if (failures == 0) {
                return null;
            }
            LOG.atWarn()
                    .addKeyValue(LogKeys.COMMAND, entry.command().commandId())
                    .addKeyValue(LogKeys.ATTEMPTS, failures)
                    .addKeyValue(LogKeys.REASON, failure.error())
                    .log("the store could not take a command or its refusal now, will try again");
            rest(lane, entry, failure.retryAfter() == null ? backoff.after(failures) : failure.retryAfter());
        }
        return null;
    }

    /** Ends early when the lane is ended: others wait for the thread. */
    private void rest(Lane lane, Entry entry, Duration time) throws InterruptedException {
        long endNanos = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos();
                left > 0 && lane.mayTry(entry) && !stop.isRequested();
                left = endNanos - System.nanoTime()) {
            stop.await(Duration.ofNanos(Math.min(left, LOOK.toNanos())));
        }
    }

    private static CommandOutcome call(Supplier<CommandOutcome> request) {
        try {
            return request.get();
        } catch (ProviderException e) {
            return e.retryable()
                    ? new CommandOutcome.Transient(String.valueOf(e.getMessage()), null)
                    : new CommandOutcome.Refused(String.valueOf(e.getMessage()));
        }
    }
}
