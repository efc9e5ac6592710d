package io.sluice.provider.cosmos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.EarlyMessages;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.cosmos.admin.Summaries;
import io.sluice.provider.cosmos.turn.Turns;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.Stored;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.Operations;
import io.sluice.provider.request.WriteOutcome;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes a message by one batch: its receipt, the instance's document on condition of its version, and the message.
 * Thread-safe.
 *
 * <p>The receipt comes first: a try that finds it knows that an earlier one took effect, whatever has become of the
 * message and the instance since.
 */
final class CosmosEarlyMessages implements EarlyMessages {
    private static final String OPERATION = "sendBeforeFirstTurn";
    private static final int RECEIPT = 0;

    private final ContainerRequests requests;
    private final Operations operations;
    private final Turns turns;
    private final TimeOrderedIds ids;
    private final InstantSource clock;
    private final Duration patience;

    /**
     * Sends through these.
     *
     * @param patience for how long tries go on that get no answer, or are refused in passing
     */
    CosmosEarlyMessages(CosmosStarts.Parts parts, InstantSource clock, Duration patience) {
        this.requests = parts.requests();
        this.operations = parts.operations();
        this.turns = parts.turns();
        this.ids = parts.ids();
        this.clock = clock;
        this.patience = patience;
    }

    @Override
    public boolean send(WorkItem message, Function<InstanceSummary, Optional<InstanceExt>> change) {
        Arguments.message(OPERATION, "message", message);
        Arguments.required("change", change);
        return operations.run(OPERATION, () -> {
            long now = clock.millis();
            return trySend(QueueDocuments.message(OPERATION, ids.next(now), message, now, now), change);
        });
    }

    private boolean trySend(QueueDocument message, Function<InstanceSummary, Optional<InstanceExt>> change) {
        Call call = Call.onInstance(OPERATION, message.instanceId(), patience);
        Backoff backoff = new Backoff();
        boolean mayBeThere = false;
        while (true) {
            Optional<Stored<InstanceDocument>> changed = head(call, message.instanceId())
                    .flatMap(head -> change.apply(Summaries.of(head.document(), false))
                            .map(ext -> new Stored<>(head.document().withExt(ext), head.etag())));
            if (changed.isEmpty()) {
                return mayBeThere && findReceipt(call, message);
            }
            WriteOutcome outcome = requests.batchPatiently(call, message.instanceId(), writes(message, changed.get()));
            if (outcome.isCommitted() || isReceipt(outcome)) {
                turns.queue().queued(message);
                return true;
            }
            mayBeThere |= outcome.isAmbiguous();
            if (!outcome.needsReread() || !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    private Optional<Stored<InstanceDocument>> head(Call call, String instanceId) {
        return requests.read(call, instanceId, DocumentIds.instance(instanceId))
                .map(row -> new Stored<>(InstanceDocument.fromJson(row), DocumentJson.etag(row)))
                .filter(head -> head.document().isUnlockedBeforeFirstAck());
    }

    private List<BatchWrite> writes(QueueDocument message, Stored<InstanceDocument> changed) {
        InstanceDocument head = changed.document();
        ObjectNode json = head.toJson();
        // Not as it was created: a start that is found alone is not all that there is.
        FieldPatch patch = FieldPatch.set(InstanceDocument.EXT, json.path(InstanceDocument.EXT))
                .and(Fields.UPDATED_AT, Math.max(clock.millis(), head.updatedAt() + 1));
        return List.of(
                new BatchWrite.Create(Enqueuing.ownReceipt(message)),
                new BatchWrite.PatchFields(head.id(), patch, changed.etag()),
                new BatchWrite.Create(message.toJson()));
    }

    private static boolean isReceipt(WriteOutcome outcome) {
        return outcome.match(
                committed -> false,
                refused -> refused.isConflict() && refused.index() == RECEIPT,
                ambiguous -> false,
                failed -> false);
    }

    private boolean findReceipt(Call call, QueueDocument message) {
        return requests.read(call, message.instanceId(), DocumentIds.enqueueReceipt(message.id()))
                .isPresent();
    }
}
