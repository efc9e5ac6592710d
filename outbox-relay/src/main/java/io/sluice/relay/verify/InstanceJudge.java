package io.sluice.relay.verify;

import io.sluice.relay.event.EventId;
import io.sluice.relay.verify.InstanceEntries.Place;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares what store and topic have of an instance. It accuses only of what can't be otherwise: an event counts as
 * lost only if its record can't have been removed, and as out of order only within one life of the instance.
 */
final class InstanceJudge {
    private final Retention retention;
    private final Tally tally;
    private final Consumer<StoredEntry> candidates;

    /** @param candidates gets what seems to be lost */
    InstanceJudge(Retention retention, Tally tally, Consumer<StoredEntry> candidates) {
        this.retention = retention;
        this.tally = tally;
        this.candidates = candidates;
    }

    void judge(InstanceEntries entries) {
        var matches = entries.matches();
        tally.judged(entries);
        var proven = firstProven(matches);
        entries.stored().forEach(event -> judge(event, matches, entries, proven));
        findRepeated(entries.published());
        var known = matches.values().stream().flatMap(List::stream).collect(Collectors.toSet());
        findDisorder(entries, matches, known);
        entries.published().stream()
                .filter(entry -> entry.event() != null && !known.contains(entry))
                .forEach(entry -> tally.onlyPublished());
    }

    /** The earliest event whose record proves that what was published behind it is there; empty if there is none. */
    private Optional<StoredEntry> firstProven(Map<StoredEntry, List<PublishedEntry>> matches) {
        return matches.entrySet().stream()
                .filter(match -> match.getValue().stream().anyMatch(retention::provesWhatFollows))
                .map(Map.Entry::getKey)
                .min(Comparator.comparing(event -> Place.of(event.id())));
    }

    private void judge(
            StoredEntry event,
            Map<StoredEntry, List<PublishedEntry>> matches,
            InstanceEntries entries,
            Optional<StoredEntry> proven) {
        var records = matches.get(event);
        if (records == null) {
            judgeMissing(event, entries, proven);
            return;
        }
        if (entries.waiting().contains(event.id())) {
            tally.publishedSince();
        }
        var altered = records.stream()
                .filter(entry ->
                        !event.value().equals(Digest.NONE) && !entry.value().equals(event.value()))
                .findFirst();
        altered.ifPresentOrElse(
                entry -> tally.found(
                        Finding.at(Finding.Kind.ALTERED, entry, "its value is not the one that the store has")),
                tally::same);
    }

    private void judgeMissing(StoredEntry event, InstanceEntries entries, Optional<StoredEntry> proven) {
        if (entries.waiting().contains(event.id())) {
            tally.waiting();
        } else if (proven.filter(earlier -> isBehind(event, earlier)).isPresent()
                || !retention.mayHaveTaken(entries.instance(), event.writtenSecond())) {
            candidates.accept(event);
        } else {
            tally.unknown();
        }
    }

    /** What follows an event that is on the topic comes behind it, and nothing is removed but from the beginning. */
    private static boolean isBehind(StoredEntry event, StoredEntry earlier) {
        return Place.of(earlier.id()).compareTo(Place.of(event.id())) < 0
                && earlier.id().timestampMillis() <= event.id().timestampMillis();
    }

    private void findRepeated(List<PublishedEntry> published) {
        Map<String, PublishedEntry> seen = new HashMap<>();
        for (var entry : published) {
            var first = seen.putIfAbsent(entry.ceId(), entry);
            if (first != null) {
                tally.found(
                        Finding.at(Finding.Kind.TWICE, entry, "first at " + first.partition() + "@" + first.offset()));
            }
        }
    }

    /** More partitions move an instance to another one: records are compared within a partition only. */
    private void findDisorder(
            InstanceEntries entries, Map<StoredEntry, List<PublishedEntry>> matches, Set<PublishedEntry> known) {
        var firsts = matches.values().stream().map(records -> records.get(0)).collect(Collectors.toSet());
        Map<Integer, PublishedEntry> newest = new HashMap<>();
        var purged = new Life();
        for (var entry : entries.published()) {
            if (!known.contains(entry)) {
                if (entry.event() == null) {
                    newest.remove(entry.partition());
                }
                purged.next(entry);
            } else if (firsts.contains(entry)) {
                var last = newest.get(entry.partition());
                if (last == null || Place.of(entry).compareTo(Place.of(last)) > 0 || beginsAnew(entry, last)) {
                    newest.put(entry.partition(), entry);
                } else {
                    outOfOrder(entry, last);
                }
            }
        }
    }

    /** An instance that is purged and made again while the store is read is there in parts of both lives. */
    private static boolean beginsAnew(PublishedEntry entry, PublishedEntry last) {
        return isFirst(Place.of(entry)) && millis(entry) > millis(last);
    }

    private static long millis(PublishedEntry entry) {
        return Objects.requireNonNull(entry.event(), "not an event").timestampMillis();
    }

    private static boolean isFirst(Place place) {
        return place.execution() <= 1 && place.event() <= 1;
    }

    private void outOfOrder(PublishedEntry entry, PublishedEntry last) {
        tally.found(Finding.at(Finding.Kind.OUT_OF_ORDER, entry, "stands behind " + last.ceId()));
    }

    /**
     * The life of an instance that the store has nothing of, as its records tell it. A new one begins with the first
     * event of all, behind a deletion, or with an event that is later by its time and not by its place.
     */
    private final class Life {
        private @Nullable PublishedEntry newest;
        private final Set<String> seen = new HashSet<>();

        private void next(PublishedEntry entry) {
            var id = entry.event();
            if (id == null) {
                newest = null;
                return;
            }
            if (!seen.add(entry.ceId())) {
                return;
            }
            if (newest != null && isBehind(id, entry, newest)) {
                outOfOrder(entry, newest);
            } else {
                newest = entry;
            }
        }

        private static boolean isBehind(EventId id, PublishedEntry entry, PublishedEntry last) {
            return last.partition() == entry.partition()
                    && Place.of(id).compareTo(Place.of(last)) < 0
                    && !isFirst(Place.of(id))
                    && id.timestampMillis() <= millis(last);
        }
    }
}
