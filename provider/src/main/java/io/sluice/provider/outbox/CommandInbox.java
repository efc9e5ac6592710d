package io.sluice.provider.outbox;

import com.azure.cosmos.CosmosAsyncContainer;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.request.WriteOutcome;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Commands from outside, each put into its instance's queue at most once, however often it is offered. Thread-safe.
 */
public final class CommandInbox {
    /** How long a repeated command is distinguished from a new one. */
    public static final Duration RECEIPT_LIFE = Duration.ofSeconds(ReceiptDocument.TTL_SECONDS);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Receipts receipts;
    private final InstantSource clock;
    private final TimeOrderedIds ids = new TimeOrderedIds(new SecureRandom());

    /** Works on this container; the clock stamps messages and receipts. */
    public CommandInbox(CosmosAsyncContainer container, InstantSource clock) {
        this(new ContainerRequests(container), clock);
    }

    /**
     * The same, where an observer sees every answer, such as the store's own that keeps its time right; the clock
     * stamps messages and receipts.
     */
    public CommandInbox(CosmosAsyncContainer container, RequestObserver observer, InstantSource clock) {
        this(new ContainerRequests(container, observer), clock);
    }

    private CommandInbox(ContainerRequests requests, InstantSource clock) {
        this.receipts = new Receipts(requests);
        this.clock = clock;
    }

    /**
     * Puts a command's message into the queue of the instance it is routed to: receipt and message in one batch. One
     * request, one more when it was settled before; one more in front where an earlier version may have settled it.
     *
     * @param floorMillis largest {@code enqueuedAt} of earlier commands of the same key; this one is queued later,
     *     whatever the clock says
     * @return {@link CommandOutcome.Refused} also when the key was used by a command of other content
     * @throws ProviderException permanent, before anything is written, when the store can't hold the instance id or the
     *     message, or the first turn of what it starts
     */
    public CommandOutcome accept(InboxCommand command, long floorMillis) {
        String instanceId = command.item().routedInstance();
        DocumentIds.checkInstanceId("acceptCommand", instanceId);
        Call call = Call.onInstance("acceptCommand", instanceId, PATIENCE);
        long now = clock.millis();
        long enqueuedAt = Math.max(now, floorMillis + 1);
        var message = QueueDocuments.message(
                        "acceptCommand", ids.next(enqueuedAt), command.item(), enqueuedAt, enqueuedAt)
                .inTrace(command.trace());
        StartLimit.check("acceptCommand", command.item(), message);
        var receipt = ReceiptDocument.delivered(DocumentIds.commandReceipt(command.key()), instanceId, now, enqueuedAt)
                .ofCommand(DocumentIds.commandContent(message.workItem()));
        return settle(
                receipt,
                () -> {
                    Receipts.Settled before = findEarlier(call, command);
                    return before == null ? receipts.create(call, receipt, message.toJson()) : before;
                },
                call);
    }

    /**
     * Gives a command up: its receipt forbids it from now on, unless it had gone through.
     *
     * @return {@link CommandOutcome.Accepted} when it had, but not when a command of other content had under its key
     * @throws ProviderException permanent when the store can't hold the instance id
     */
    public CommandOutcome refuse(InboxCommand command, String reason) {
        String instanceId = command.item().routedInstance();
        DocumentIds.checkInstanceId("refuseCommand", instanceId);
        Call call = Call.onInstance("refuseCommand", instanceId, PATIENCE);
        var receipt = ReceiptDocument.refused(
                        DocumentIds.commandReceipt(command.key()), instanceId, clock.millis(), reason)
                .ofCommand(DocumentIds.commandContent(QueueDocuments.encode("refuseCommand", command.item())));
        return settle(
                receipt,
                () -> {
                    Receipts.Settled before = findEarlier(call, command);
                    return before == null ? receipts.createAlone(call, receipt) : before;
                },
                call);
    }

    /** What an earlier version made of it, under the key that it had there; null for nothing. */
    private Receipts.@Nullable Settled findEarlier(Call call, InboxCommand command) {
        InboxCommand.Earlier earlier = command.earlier();
        return earlier == null
                ? null
                : receipts.find(call, command.item().routedInstance(), DocumentIds.commandReceipt(earlier.key()))
                        .filter(settled -> !(settled instanceof Receipts.Settled.Before before)
                                || earlier.isAbout(before.receipt()))
                        .orElse(null);
    }

    private static CommandOutcome settle(ReceiptDocument wanted, Attempt attempt, Call call) {
        Receipts.Settled settled;
        try {
            settled = attempt.run();
        } catch (ProviderException e) {
            if (Thread.currentThread().isInterrupted() || !e.retryable()) {
                throw e;
            }
            return new CommandOutcome.Transient(Objects.toString(e.getMessage()), null);
        }
        if (settled instanceof Receipts.Settled.Now) {
            return new CommandOutcome.Accepted(Objects.requireNonNullElse(wanted.enqueuedAt(), 0L), true);
        }
        if (settled instanceof Receipts.Settled.Before before) {
            return judge(wanted, before.receipt());
        }
        if (settled instanceof Receipts.Settled.Unreadable unreadable) {
            return new CommandOutcome.Refused(unreadable.reason());
        }
        WriteOutcome answer = ((Receipts.Settled.Open) settled).answer();
        if (answer instanceof WriteOutcome.Rejected rejected && !rejected.isAboutTheStore()) {
            throw Failures.of(call, answer);
        }
        return new CommandOutcome.Transient(IntentOutbox.describe(answer), answer.retryAfter());
    }

    /** A receipt without a hash is an earlier version's, which took every command of an id for the same. */
    private static CommandOutcome judge(ReceiptDocument wanted, ReceiptDocument receipt) {
        if (receipt.content() != null && !receipt.content().equals(wanted.content())) {
            return new CommandOutcome.Refused("its id was used by another command, settled at "
                    + Instant.ofEpochMilli(receipt.createdAt()) + "; every command needs an id of its own");
        }
        if (receipt.isDelivered()) {
            Long at = receipt.enqueuedAt();
            return new CommandOutcome.Accepted(at == null ? receipt.createdAt() : at, false);
        }
        return new CommandOutcome.Refused(Objects.requireNonNullElse(receipt.reason(), "refused"));
    }

    /** One try. */
    private interface Attempt {
        Receipts.Settled run();
    }
}
