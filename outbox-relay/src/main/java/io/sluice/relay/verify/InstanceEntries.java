package io.sluice.relay.verify;

import io.sluice.relay.event.EventId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What store and topic have of one instance.
 *
 * @param stored in the order of the history
 * @param waiting ids of events that the relay has not reached yet
 * @param published in the order of the topic, partition by partition
 */
record InstanceEntries(
        String instance, List<StoredEntry> stored, Set<EventId> waiting, List<PublishedEntry> published) {
    /** A place in a history. */
    record Place(long execution, long event) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparingLong(Place::execution).thenComparingLong(Place::event);

        static Place of(EventId id) {
            return new Place(id.execution(), id.event());
        }

        /** Of the record of an event. */
        static Place of(PublishedEntry entry) {
            return of(Objects.requireNonNull(entry.event(), "not an event"));
        }

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    InstanceEntries {
        stored = List.copyOf(stored);
        waiting = Set.copyOf(waiting);
        published = List.copyOf(published);
    }

    /** The records of each stored event, in the order of the topic; an event that has none is not among them. */
    Map<StoredEntry, List<PublishedEntry>> matches() {
        var byPlace = new HashMap<Place, List<PublishedEntry>>();
        for (var entry : published) {
            var event = entry.event();
            if (event != null) {
                byPlace.computeIfAbsent(Place.of(event), place -> new ArrayList<>())
                        .add(entry);
            }
        }
        var matches = new HashMap<StoredEntry, List<PublishedEntry>>();
        for (var event : stored) {
            var records = byPlace.getOrDefault(Place.of(event.id()), List.of()).stream()
                    .filter(entry -> isOf(event, entry))
                    .toList();
            if (!records.isEmpty()) {
                matches.put(event, records);
            }
        }
        return matches;
    }

    /**
     * Whether a record is of an event of the same place: another life of the instance has another time. A version that
     * could not decode an event has published it with another time, and with its value.
     */
    private static boolean isOf(StoredEntry event, PublishedEntry entry) {
        return event.id().equals(entry.event()) || event.value().equals(entry.value());
    }
}
