package io.sluice.examples.ledger;

import io.sluice.provider.history.HistoryEvent;

/** Names one event of one life of an instance. Ordered by execution, then event. */
record EventId(String instance, long executionId, long eventId) implements Comparable<EventId> {
    static EventId of(HistoryEvent event) {
        return new EventId(event.instanceId(), event.executionId(), event.eventId());
    }

    @Override
    public int compareTo(EventId other) {
        int byInstance = instance.compareTo(other.instance);
        if (byInstance != 0) {
            return byInstance;
        }
        int byExecution = Long.compare(executionId, other.executionId);
        return byExecution != 0 ? byExecution : Long.compare(eventId, other.eventId);
    }

    @Override
    public String toString() {
        return instance + ":" + executionId + ":" + eventId;
    }
}
