package io.sluice.provider.cosmos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.admin.Summaries;
import io.sluice.provider.cosmos.turn.Turns;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.outbox.StartLimit;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.Operations;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Starts instances by one batch: a receipt, the instance's document and its first message. Thread-safe.
 *
 * <p>The receipt comes first, so that a try which finds it knows that an earlier one took effect, whatever has become
 * of the instance since: it may have been acked, or deleted, and both would look like another's doing without it.
 */
final class CosmosStarts implements InstanceStarts {
    private static final String OPERATION = "startInstance";
    private static final String RECEIPTS = "start";
    private static final int RECEIPT = 0;
    private static final int HEAD = 1;

    private final ContainerRequests requests;
    private final Operations operations;
    private final Turns turns;
    private final TimeOrderedIds ids;
    private final InstantSource clock;
    private final Duration patience;

    /** What every try of a start writes. */
    private record Plan(ReceiptDocument receipt, InstanceDocument head, QueueDocument message) {
        List<BatchWrite> writes() {
            return List.of(
                    new BatchWrite.Create(receipt.toJson()),
                    new BatchWrite.Create(head.toJson()),
                    new BatchWrite.Create(message.toJson()));
        }
    }

    /** What instances are started with. */
    record Parts(ContainerRequests requests, Operations operations, Turns turns, TimeOrderedIds ids) {}

    /**
     * Starts through these.
     *
     * @param patience for how long tries go on that get no answer, or are refused in passing
     */
    CosmosStarts(Parts parts, InstantSource clock, Duration patience) {
        this.requests = parts.requests();
        this.operations = parts.operations();
        this.turns = parts.turns();
        this.ids = parts.ids();
        this.clock = clock;
        this.patience = patience;
    }

    @Override
    public Outcome startInstance(InstanceStart start) {
        Arguments.required("start", start);
        return operations.run(OPERATION, () -> start(plan(start)));
    }

    private Plan plan(InstanceStart start) {
        String instanceId = start.instanceId();
        long now = clock.millis();
        long visibleAt = now + Arguments.delay(start.delay()).toMillis();
        QueueDocument message = QueueDocuments.message(
                        OPERATION, DocumentIds.firstMessage(ids.next(now)), start.item(), now, visibleAt)
                .inTrace(start.trace());
        InstanceDocument head = InstanceDocument.started(
                instanceId,
                start.item().orchestration(),
                Objects.requireNonNullElse(start.item().version(), ""),
                start.ext(),
                now);
        String content =
                message.workItem() + (start.ext() == null ? "" : start.ext().json());
        ReceiptDocument receipt = ReceiptDocument.delivered(
                        DocumentIds.requestReceipt(RECEIPTS, start.requestId()), instanceId, now, now)
                .ofCommand(DocumentIds.commandContent(content));
        Plan plan = new Plan(receipt, head, message);
        StartLimit.check(
                OPERATION,
                start.item(),
                message,
                plan.writes().stream().mapToLong(BatchWrite::sizeBytes).sum());
        return plan;
    }

    private Outcome start(Plan plan) {
        Call call = Call.onInstance(OPERATION, plan.head().instanceId(), patience);
        Backoff backoff = new Backoff();
        while (true) {
            WriteOutcome outcome = requests.batchPatiently(call, plan.head().instanceId(), plan.writes());
            Optional<Outcome> settled = outcome.match(
                    committed -> Optional.of(started(plan, committed)),
                    refused -> settle(call, plan, refused),
                    ambiguous -> Optional.empty(),
                    Failures.throwing(call));
            if (settled.isPresent()) {
                return settled.get();
            }
            if (!backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    private Outcome started(Plan plan, WriteOutcome.Committed committed) {
        turns.started(new Stored<>(plan.head(), committed.etags().get(HEAD)), plan.message());
        return new Started(Instant.ofEpochMilli(plan.head().createdAt()));
    }

    /** Nothing when what was in the way is gone. */
    private Optional<Outcome> settle(Call call, Plan plan, WriteOutcome.Refused refused) {
        if (!refused.isConflict()) {
            throw Failures.of(call, refused);
        }
        if (refused.index() == RECEIPT) {
            return startedBefore(call, plan);
        }
        return turns.reads()
                .instance(OPERATION, plan.head().instanceId())
                .map(found -> new AlreadyExists(Summaries.of(found, true)));
    }

    private Optional<Outcome> startedBefore(Call call, Plan plan) {
        Optional<ObjectNode> stored =
                requests.read(call, plan.head().instanceId(), plan.receipt().id());
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        ReceiptDocument receipt = ReceiptDocument.fromJson(stored.get());
        if (!Objects.equals(receipt.content(), plan.receipt().content())) {
            throw ProviderException.permanent(
                    OPERATION,
                    "the requestId was used for another start of instance '" + receipt.instanceId()
                            + "' before, so nothing was started; every start needs an id of its own");
        }
        turns.queue().startFor(receipt.instanceId());
        return Optional.of(new Started(Instant.ofEpochMilli(receipt.createdAt())));
    }
}
