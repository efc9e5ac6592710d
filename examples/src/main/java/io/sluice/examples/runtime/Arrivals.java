package io.sluice.examples.runtime;

import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which external event or message answers which subscription of the same name: in order, first come, first served. An
 * arrival without a subscription is kept for the next one. A subscription that was cancelled gives back its arrival; in
 * histories that a runtime up to 0.1.30 began it keeps it, because they were decided by this rule.
 */
final class Arrivals {
    private static final SemanticVersion LAST_THAT_KEEPS = SemanticVersion.of(0, 1, 30);

    /** An event or message with its place in the order of events; places below 1 are of the earlier execution. */
    record Arrival(long eventId, String name, String data, boolean queued) {}

    private record Subscription(long id, String name, boolean queued) {}

    private final List<Arrival> all = new ArrayList<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Map<Long, Arrival> answers = new HashMap<>();
    private final boolean keeps;

    Arrivals(EventLog log) {
        HistoryEvent first = log.all().get(0);
        keeps = SemanticVersion.parse(first.duroxideVersion()).compareTo(LAST_THAT_KEEPS) <= 0;
        List<CarriedEvent> carried = log.started().carryForwardEvents();
        if (carried != null) {
            for (CarriedEvent event : carried) {
                all.add(new Arrival(all.size() - carried.size(), event.name(), event.data(), true));
            }
        }
        for (HistoryEvent event : log.all()) {
            if (event.kind() instanceof EventKind.ExternalEvent raised) {
                all.add(new Arrival(event.eventId(), raised.name(), raised.data(), false));
            } else if (event.kind() instanceof EventKind.ExternalEventPersistent message) {
                all.add(new Arrival(event.eventId(), message.name(), message.data(), true));
            }
        }
    }

    /** The subscription that an external event of this name, arriving now, answers: the oldest without an event. */
    static Optional<Long> oldestWaiting(EventLog log, String name) {
        Deque<Long> waiting = new ArrayDeque<>();
        int early = 0;
        for (HistoryEvent event : log.all()) {
            if (event.kind() instanceof EventKind.ExternalSubscribed asked
                    && asked.name().equals(name)) {
                if (early > 0) {
                    early--;
                } else {
                    waiting.add(event.eventId());
                }
            } else if (event.kind() instanceof EventKind.ExternalEvent raised
                    && raised.name().equals(name)) {
                if (waiting.poll() == null) {
                    early++;
                }
            } else if (event.kind() instanceof EventKind.ExternalSubscribedCancelled) {
                waiting.removeIf(id -> id.equals(event.sourceEventId()));
            }
        }
        return Optional.ofNullable(waiting.peek());
    }

    /** The code waits for an arrival from here on. */
    void subscribe(long id, String name, boolean queued) {
        subscriptions.add(new Subscription(id, name, queued));
    }

    /** Gives the subscription its arrival permanently, after the subscriptions before it. */
    Optional<Arrival> take(long subscription) {
        for (Subscription waiting : subscriptions) {
            if (!answers.containsKey(waiting.id())) {
                all.stream()
                        .filter(arrival -> arrival.queued() == waiting.queued()
                                && arrival.name().equals(waiting.name()))
                        .filter(arrival -> !answers.containsValue(arrival))
                        .findFirst()
                        .ifPresent(arrival -> answers.put(waiting.id(), arrival));
            }
            if (waiting.id() == subscription) {
                break;
            }
        }
        return Optional.ofNullable(answers.get(subscription));
    }

    /** Cancels a subscription; {@code eventId} is the place of its cancellation in the history. */
    void cancel(long subscription, long eventId) {
        subscriptions.removeIf(waiting -> waiting.id() == subscription);
        Arrival answer = answers.get(subscription);
        if (answer != null && !(keeps && answer.eventId() < eventId)) {
            answers.remove(subscription);
        }
    }

    boolean isAnswered(long subscription) {
        return answers.containsKey(subscription);
    }

    /** Messages that no subscription took, for the next execution. */
    List<CarriedEvent> unreadMessages() {
        return all.stream()
                .filter(arrival -> arrival.queued() && !answers.containsValue(arrival))
                .map(arrival -> new CarriedEvent(arrival.name(), arrival.data()))
                .toList();
    }
}
