package io.sluice.provider.outbox;

import com.azure.cosmos.CosmosAsyncContainer;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TraceContext;
import io.sluice.provider.cosmos.document.DocumentIds;
import io.sluice.provider.cosmos.document.QueueDocuments;
import io.sluice.provider.cosmos.document.ReceiptDocument;
import io.sluice.provider.cosmos.document.TimeOrderedIds;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.RequestObserver;
import io.sluice.provider.cosmos.request.WriteOutcome;
import io.sluice.provider.work.WorkItem;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Commands from outside, each put into its instance's queue at most once, however often it is offered. Thread-safe.
 */
public final class CommandInbox {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Receipts receipts;
    private final InstantSource clock;
    private final TimeOrderedIds ids = new TimeOrderedIds(new SecureRandom());

    /** Works on this container; the clock stamps messages and receipts. */
    public CommandInbox(CosmosAsyncContainer container, InstantSource clock) {
        this(new ContainerRequests(container), clock);
    }

    /** The same, where an observer sees every answer, such as the store's own that keeps its time right; the clock stamps messages and receipts. */
    public CommandInbox(CosmosAsyncContainer container, RequestObserver observer, InstantSource clock) {
        this(new ContainerRequests(container, observer), clock);
    }

    private CommandInbox(ContainerRequests requests, InstantSource clock) {
        this.receipts = new Receipts(requests);
        this.clock = clock;
    }

    /**
     * Puts a command's message into the queue of the instance it is routed to: receipt and message in one batch. One request, one more when it
     * was settled before.
     *
     * @param floorMillis largest {@code enqueuedAt} of earlier commands of the same key; this one is queued later, whatever the clock says
     * @throws ProviderException permanent, before anything is written, when the store can't hold the instance id or the message
     */
    public CommandOutcome accept(String commandId, WorkItem item, long floorMillis) {
        return accept(commandId, item, floorMillis, null);
    }

    /**
     * The same, as part of a trace: the message carries it, and what its turn sends to other instances.
     *
     * @throws ProviderException permanent, before anything is written, when the store can't hold the instance id or the message
     */
    public CommandOutcome accept(String commandId, WorkItem item, long floorMillis, @Nullable TraceContext trace) {
        String instanceId = item.routedInstance();
        DocumentIds.checkInstanceId("acceptCommand", instanceId);
        Call call = Call.onInstance("acceptCommand", instanceId, PATIENCE);
        long now = clock.millis();
        long enqueuedAt = Math.max(now, floorMillis + 1);
        var message = QueueDocuments.message("acceptCommand", ids.next(enqueuedAt), item, enqueuedAt, enqueuedAt)
                .inTrace(trace);
        var receipt = ReceiptDocument.delivered(DocumentIds.commandReceipt(commandId), instanceId, now, enqueuedAt);
        return settle(call, () -> receipts.create(call, receipt, message.toJson()), enqueuedAt);
    }

    /**
     * Gives a command up: its receipt forbids it from now on, unless it had gone through.
     *
     * @throws ProviderException permanent when the store can't hold the instance id
     */
    public CommandOutcome refuse(String commandId, String instanceId, String reason) {
        DocumentIds.checkInstanceId("refuseCommand", instanceId);
        Call call = Call.onInstance("refuseCommand", instanceId, PATIENCE);
        var receipt =
                ReceiptDocument.refused(DocumentIds.commandReceipt(commandId), instanceId, clock.millis(), reason);
        return settle(call, () -> receipts.createAlone(call, receipt), 0);
    }

    private static CommandOutcome settle(Call call, Attempt attempt, long enqueuedAt) {
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
            return new CommandOutcome.Accepted(enqueuedAt, true);
        }
        if (settled instanceof Receipts.Settled.Before before) {
            return decided(before.receipt());
        }
        WriteOutcome answer = ((Receipts.Settled.Open) settled).answer();
        if (answer instanceof WriteOutcome.Rejected rejected && !rejected.isAboutTheStore()) {
            throw Failures.of(call, answer);
        }
        return new CommandOutcome.Transient(IntentOutbox.describe(answer), IntentOutbox.retryAfter(answer));
    }

    private static CommandOutcome decided(ReceiptDocument receipt) {
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
