package io.sluice.examples.runtime;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which external event answers which subscription of the same name: first come, first served, in the order of the
 * history. An event nobody waits for yet is kept for the next subscription; a subscription that was called off takes
 * none.
 */
final class EventSubscriptions {
    private final Map<Long, HistoryEvent> eventOfSubscription = new HashMap<>();
    private final Map<String, List<HistoryEvent>> waiting = new HashMap<>();

    static EventSubscriptions of(EventLog log) {
        EventSubscriptions matches = new EventSubscriptions();
        Map<String, Deque<HistoryEvent>> kept = new HashMap<>();
        for (HistoryEvent event : log.all()) {
            if (event.kind() instanceof EventKind.ExternalSubscribed subscribed) {
                HistoryEvent early = kept.computeIfAbsent(subscribed.name(), name -> new ArrayDeque<>())
                        .poll();
                if (early == null) {
                    matches.waitingFor(subscribed.name()).add(event);
                } else {
                    matches.eventOfSubscription.put(event.eventId(), early);
                }
            } else if (event.kind() instanceof EventKind.ExternalEvent raised) {
                List<HistoryEvent> open = matches.waitingFor(raised.name());
                if (open.isEmpty()) {
                    kept.computeIfAbsent(raised.name(), name -> new ArrayDeque<>())
                            .add(event);
                } else {
                    matches.eventOfSubscription.put(open.remove(0).eventId(), event);
                }
            } else if (event.kind() instanceof EventKind.ExternalSubscribedCancelled) {
                matches.waiting
                        .values()
                        .forEach(open -> open.removeIf(subscription ->
                                Long.valueOf(subscription.eventId()).equals(event.sourceEventId())));
            }
        }
        return matches;
    }

    Optional<HistoryEvent> eventFor(long subscriptionEventId) {
        return Optional.ofNullable(eventOfSubscription.get(subscriptionEventId));
    }

    /** The subscription that an event of this name, arriving now, would answer. */
    Optional<HistoryEvent> oldestWaiting(String name) {
        return waitingFor(name).stream().findFirst();
    }

    private List<HistoryEvent> waitingFor(String name) {
        return waiting.computeIfAbsent(name, any -> new ArrayList<>());
    }
}
