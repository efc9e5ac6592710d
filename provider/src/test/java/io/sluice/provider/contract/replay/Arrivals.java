package io.sluice.provider.contract.replay;

import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which event or message answers which subscription: in order, first come, first served. A subscription that was called
 * off gives back what came for it; in histories that a runtime up to 0.1.30 began it keeps it, for so they were decided
 * then.
 */
final class Arrivals {
    private static final SemanticVersion LAST_THAT_KEEPS = SemanticVersion.of(0, 1, 30);

    /** Something that came, at this place; places below 1 are for what an earlier execution left. */
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

    /** The code waits for something from here on. */
    void subscribe(long id, String name, boolean queued) {
        subscriptions.add(new Subscription(id, name, queued));
    }

    /** What the subscription gets, and keeps from now on; those before it are served first. */
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

    /** The subscription lost its race; {@code eventId} is where the history says so, or will. */
    void calledOff(long subscription, long eventId) {
        subscriptions.removeIf(waiting -> waiting.id() == subscription);
        Arrival answer = answers.get(subscription);
        if (answer != null && !(keeps && answer.eventId() < eventId)) {
            answers.remove(subscription);
        }
    }

    /** Messages that nobody took, for the next execution. */
    List<CarriedEvent> left() {
        return all.stream()
                .filter(arrival -> arrival.queued() && !answers.containsValue(arrival))
                .map(arrival -> new CarriedEvent(arrival.name(), arrival.data()))
                .toList();
    }
}
