package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.document.DocumentNumbers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.json.Surrogates;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares an ack with its turn before anything is written: readers of a history trust the names in it. Pure. */
final class AckCheck {
    private final String operation;
    private final String instanceId;
    private final boolean refusesForeignEvents;

    AckCheck(String operation, String instanceId, boolean refusesForeignEvents) {
        this.operation = operation;
        this.instanceId = instanceId;
        this.refusesForeignEvents = refusesForeignEvents;
    }

    /**
     * The checked ack, to be written. Of an event that names another instance, as duroxide's own tests have some, the
     * name becomes the turn's: it is stored in the turn's partition, and whoever goes by the name in it – relays that
     * run already, which publish no event that names another, and consumers of the topic in any language – would take
     * it for the other's. Otherwise an event comes back as it was acked.
     *
     * @param fetched the execution that was current at the fetch
     * @throws ProviderException permanent, naming the field
     */
    TurnAck accept(TurnAck ack, long fetched) {
        check(ack, fetched);
        return ack.historyDelta().stream().allMatch(event -> event.instanceId().equals(instanceId))
                ? ack
                : ack.withHistory(ack.historyDelta().stream()
                        .map(event -> event.ofInstance(instanceId))
                        .toList());
    }

    /** Its execution is the fetched one, or the next after a continue-as-new. */
    private void check(TurnAck ack, long fetched) {
        if (ack.executionId() != fetched && ack.executionId() != fetched + 1) {
            throw refused("executionId", ack.executionId(), fetched + " or " + (fetched + 1));
        }
        checkNames(ack.historyDelta(), ack.executionId());
        checkQueues(ack);
        checkNumbers(ack);
        checkTexts(ack.metadata());
        if (instanceId.equals(ack.metadata().parentInstanceId())) {
            throw refused("metadata.parentInstanceId", instanceId, "another instance");
        }
        long before = -1;
        for (int i = 0; i < ack.historyDelta().size(); i++) {
            long id = ack.historyDelta().get(i).eventId();
            if (id <= before) {
                throw refused(
                        "duplicate event or wrong order: historyDelta[" + i + "].eventId",
                        id,
                        "more than " + before + ", the id of the event before");
            }
            before = id;
        }
        for (int i = 0; i < ack.cancelledActivities().size(); i++) {
            ScheduledActivityIdentifier activity = ack.cancelledActivities().get(i);
            if (!activity.instance().equals(instanceId)) {
                throw refused("cancelledActivities[" + i + "].instance", activity.instance(), instanceId);
            }
        }
    }

    /** An item in the wrong queue would be nobody's work. */
    private void checkQueues(TurnAck ack) {
        for (int i = 0; i < ack.workerItems().size(); i++) {
            WorkItem item = ack.workerItems().get(i);
            if (!(item instanceof WorkItem.ActivityExecute)) {
                throw refused("workerItems[" + i + "]", item.variant(), "ActivityExecute");
            }
        }
        for (int i = 0; i < ack.orchestratorItems().size(); i++) {
            WorkItem item = ack.orchestratorItems().get(i);
            if (item instanceof WorkItem.ActivityExecute) {
                throw refused(
                        "orchestratorItems[" + i + "]",
                        item.variant(),
                        "a message to an orchestration, activities belong to workerItems");
            }
        }
    }

    private void checkNumbers(TurnAck ack) {
        String about = "instance '" + instanceId + "': ";
        for (int i = 0; i < ack.historyDelta().size(); i++) {
            HistoryEvent event = ack.historyDelta().get(i);
            String field = about + "historyDelta[" + i + "].";
            DocumentNumbers.check(operation, field + "eventId", event.eventId());
            if (event.kind() instanceof EventKind.KeyValueSet set) {
                DocumentNumbers.check(operation, field + "lastUpdatedAtMillis", set.lastUpdatedAtMillis());
            }
        }
        for (int i = 0; i < ack.workerItems().size(); i++) {
            if (ack.workerItems().get(i) instanceof WorkItem.ActivityExecute activity) {
                String field = about + "workerItems[" + i + "].";
                DocumentNumbers.check(operation, field + "executionId", activity.executionId());
                DocumentNumbers.check(operation, field + "id", activity.id());
            }
        }
        SemanticVersion pinned = ack.metadata().pinnedDuroxideVersion();
        if (pinned != null) {
            DocumentNumbers.check(operation, about + "metadata.pinnedDuroxideVersion, packed", packed(pinned));
        }
    }

    private static long packed(SemanticVersion version) {
        try {
            return version.packed();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE; // far beyond what the store keeps
        }
    }

    private void checkTexts(ExecutionMetadata metadata) {
        try {
            checkText("output", metadata.output());
            checkText("orchestrationName", metadata.orchestrationName());
            checkText("orchestrationVersion", metadata.orchestrationVersion());
            checkText("parentInstanceId", metadata.parentInstanceId());
        } catch (IllegalArgumentException e) {
            throw ProviderException.permanent(
                    operation, "instance '" + instanceId + "': " + e.getMessage() + "; nothing was written", e);
        }
    }

    private static void checkText(String field, @Nullable String text) {
        if (text != null) {
            Surrogates.refuse("metadata." + field, text);
        }
    }

    private void checkNames(List<HistoryEvent> events, long executionId) {
        for (int i = 0; i < events.size(); i++) {
            HistoryEvent event = events.get(i);
            String field = "historyDelta[" + i + "].";
            if (refusesForeignEvents && !event.instanceId().equals(instanceId)) {
                throw refused(field + "instanceId", event.instanceId(), instanceId);
            }
            if (event.executionId() != executionId) {
                throw refused(field + "executionId", event.executionId(), String.valueOf(executionId));
            }
        }
    }

    private ProviderException refused(String field, Object was, String mustBe) {
        return ProviderException.permanent(
                operation,
                "instance '" + instanceId + "': " + field + " must be " + mustBe + "; nothing was written. It was "
                        + was);
    }
}
