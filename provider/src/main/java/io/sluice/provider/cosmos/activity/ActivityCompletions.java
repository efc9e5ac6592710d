package io.sluice.provider.cosmos.activity;

import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.IntentDocument;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.work.WorkItem;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the documents that bring completions to their instances. Thread-safe. */
public final class ActivityCompletions {
    private final TimeOrderedIds ids;
    private final IntentStatus intentStatus;
    private final InstantSource clock;

    /**
     * Makes none yet.
     *
     * @param intentStatus status of new intents, which says who delivers them
     */
    public ActivityCompletions(TimeOrderedIds ids, IntentStatus intentStatus, InstantSource clock) {
        this.ids = ids;
        this.intentStatus = intentStatus;
        this.clock = clock;
    }

    /**
     * How a completion comes to its instance.
     *
     * @param write a message in the activity's partition, or an intent when it is for another instance
     * @param message null for an intent
     */
    record Delivery(BatchWrite write, @Nullable QueueDocument message) {}

    /** How this completion does. */
    Delivery delivery(String operation, HeldActivity activity, WorkItem completion) {
        long now = clock.millis();
        String source = activity.instanceId();
        if (completion.routedInstance().equals(source)) {
            QueueDocument message = QueueDocuments.message(operation, ids.next(now), completion, now, now);
            return new Delivery(new BatchWrite.Create(message.toJson()), message);
        }
        long execution = Objects.requireNonNullElse(activity.item().document().executionId(), 1L);
        String key = DocumentIds.intentKey(source, execution, activity.token(), 0);
        QueueDocument target = QueueDocuments.message(operation, DocumentIds.outboxTarget(key), completion, now, now)
                .inTrace(activity.item().document().trace());
        IntentDocument intent = new IntentDocument(
                source,
                key,
                target.instanceId(),
                DocumentType.ORCHESTRATOR_QUEUE.wireName(),
                DocumentJson.write(target.toJson()),
                intentStatus,
                now,
                0,
                null,
                now,
                new Dispatch(
                        null,
                        execution,
                        activity.item().document().id(),
                        null,
                        activity.item().document().trace()));
        return new Delivery(new BatchWrite.Create(intent.toJson()), null);
    }
}
