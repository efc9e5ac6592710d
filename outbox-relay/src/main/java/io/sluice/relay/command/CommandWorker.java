package io.sluice.relay.command;

import io.opentelemetry.api.trace.SpanKind;
import io.sluice.provider.outbox.CommandOutcome;
import io.sluice.relay.command.CommandBatch.Entry;
import io.sluice.relay.command.CommandBatch.Settled;
import io.sluice.relay.command.parse.ParsedCommand;
import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.log.TraceSpan;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles commands: each is queued, or refused by a receipt in its instance's partition; only then the next command of
 * the instance follows. Thread-safe.
 */
final class CommandWorker {
    private static final Logger LOG = LoggerFactory.getLogger(CommandWorker.class);

    private final RetryingInbox inbox;
    private final Duration maxAge;
    private final InstantSource clock;

    CommandWorker(RetryingInbox inbox, Duration maxAge, InstantSource clock) {
        this.inbox = inbox;
        this.maxAge = maxAge;
        this.clock = clock;
    }

    /**
     * Settles the commands of one instance in order. Commands that are left at the stop, when their partition is
     * revoked, or when the lane is ended, stay unsettled.
     */
    void settleAll(Lane lane) throws InterruptedException {
        long latest = lane.floor();
        for (var entry : lane.entries()) {
            if (!lane.mayTry(entry)) {
                return;
            }
            lane.begin();
            var settled = settleTraced(lane, entry, latest);
            if (settled == null) {
                return;
            }
            entry.settle(settled);
            latest = Math.max(latest, settled.enqueuedAt());
        }
    }

    private @Nullable Settled settleTraced(Lane lane, Entry entry, long floor) throws InterruptedException {
        var trace = entry.command() instanceof ParsedCommand.Valid valid
                ? valid.headers().trace()
                : null;
        try (var span = TraceSpan.begin("settle command", SpanKind.CONSUMER, trace)) {
            span.with("sluice.command", entry.command().commandId())
                    .with("sluice.partition", entry.message().partition());
            var settled = settle(lane, entry, floor);
            if (settled != null) {
                span.recordOutcome(settled.letter() == null ? "queued" : "refused");
            }
            return settled;
        }
    }

    private @Nullable Settled settle(Lane lane, Entry entry, long floor) throws InterruptedException {
        if (entry.command() instanceof ParsedCommand.Valid valid) {
            var objection = objection(entry, valid);
            return objection == null ? queue(lane, entry, valid, floor) : refuse(lane, entry, valid, objection);
        }
        return entry.command() instanceof ParsedCommand.Bad bad ? deadLetter(entry, bad.reason()) : null;
    }

    /** Why a valid command has to be refused; null when it may be queued. */
    private @Nullable String objection(Entry entry, ParsedCommand.Valid command) {
        var late = tooLate(command, entry.message().timestamp(), maxAge, clock.millis());
        return late == null ? entry.replyFault() : late;
    }

    /** Why a command is too late; null when it is not. */
    static @Nullable String tooLate(ParsedCommand.Valid command, long sentMillis, Duration maxAge, long nowMillis) {
        var deadline = command.headers().deadlineMillis();
        if (deadline != null && nowMillis >= deadline) {
            return "its deadline has passed";
        }
        return Duration.ofMillis(nowMillis - sentMillis).compareTo(maxAge) > 0
                ? "the command is older than " + maxAge
                : null;
    }

    private @Nullable Settled queue(Lane lane, Entry entry, ParsedCommand.Valid command, long floor)
            throws InterruptedException {
        var outcome = inbox.accept(lane, entry, command, floor);
        if (outcome instanceof CommandOutcome.Accepted accepted) {
            return new Settled(accepted.enqueuedAt(), null);
        }
        return outcome instanceof CommandOutcome.Refused refusal
                ? refuse(lane, entry, command, refusal.reason())
                : null;
    }

    private @Nullable Settled refuse(Lane lane, Entry entry, ParsedCommand.Valid command, String reason)
            throws InterruptedException {
        var outcome = inbox.refuse(lane, entry, command, reason);
        if (outcome instanceof CommandOutcome.Accepted accepted) {
            return new Settled(accepted.enqueuedAt(), null);
        }
        return outcome == null ? null : deadLetter(entry, reason);
    }

    private static Settled deadLetter(Entry entry, String reason) {
        var letter = new DeadLetter(entry.message(), entry.command().commandId(), reason);
        LOG.atWarn()
                .addKeyValue(LogKeys.COMMAND, letter.commandId())
                .addKeyValue(LogKeys.REASON, reason)
                .log("command refused for the reason given, it becomes a dead letter");
        return new Settled(0, letter);
    }
}
