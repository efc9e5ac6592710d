package io.sluice.relay.verify;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts what is met, and keeps the first findings of each kind. Not thread-safe. */
final class Tally {
    private final int findingsOfAKind;
    private final Map<Finding.Kind, Long> counts = new EnumMap<>(Finding.Kind.class);
    private final Map<Finding.Kind, List<Finding>> findings = new EnumMap<>(Finding.Kind.class);
    private long instances;
    private long stored;
    private long published;
    private long same;
    private long waiting;
    private long unknown;
    private long onlyPublished;
    private long publishedSince;
    private long waitingEarlier;

    /** @param findingsOfAKind how many are kept; all are counted */
    Tally(int findingsOfAKind) {
        this.findingsOfAKind = findingsOfAKind;
        for (var kind : Finding.Kind.values()) {
            counts.put(kind, 0L);
            findings.put(kind, new ArrayList<>());
        }
    }

    void found(Finding finding) {
        counts.merge(finding.kind(), 1L, Long::sum);
        var kept = findings.getOrDefault(finding.kind(), List.of());
        if (kept.size() < findingsOfAKind) {
            kept.add(finding);
        }
    }

    void judged(InstanceEntries entries) {
        instances++;
        stored += entries.stored().size();
    }

    /** A record was read. */
    void published() {
        published++;
    }

    /** An event is on the topic as it should be. */
    void same() {
        same++;
    }

    /** The relay has not reached an event yet. */
    void waiting() {
        waiting++;
    }

    /** An event may have been on the topic, or was skipped when a relay began. */
    void unknown() {
        unknown++;
    }

    /** A record's event is not in the store (any more). */
    void onlyPublished() {
        onlyPublished++;
    }

    /** An event is on the topic though it waited when the positions were read. */
    void publishedSince() {
        publishedSince++;
    }

    /** An event waits that is older than what is compared. */
    void waitingEarlier() {
        waitingEarlier++;
    }

    VerificationReport report() {
        return new VerificationReport(
                new VerificationReport.Counts(
                        instances,
                        stored,
                        published,
                        same,
                        waiting,
                        unknown,
                        onlyPublished,
                        publishedSince,
                        waitingEarlier),
                counts,
                findings.values().stream().flatMap(List::stream).toList());
    }
}
