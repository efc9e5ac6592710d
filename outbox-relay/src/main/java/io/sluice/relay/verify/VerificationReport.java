package io.sluice.relay.verify;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a verification came to.
 *
 * @param counts what was compared
 * @param wrong how often each kind of fault was found
 * @param findings the first of each kind
 */
public record VerificationReport(Counts counts, Map<Finding.Kind, Long> wrong, List<Finding> findings) {
    /**
     * What was compared.
     *
     * @param instances of which store or topic has something
     * @param stored events in the store
     * @param published records read from the topic
     * @param same events that are on the topic as they should be
     * @param waiting events that the relay has not published yet
     * @param unknown events whose records retention may have taken, or that were written before the relay began
     * @param onlyPublished events on the topic that the store has not: of a purge, or written after the store was read
     * @param publishedSince events on the topic, counted above, which waited when the positions were read: a relay has
     *     published them since, or would publish them again
     * @param waitingEarlier events among those behind the positions that are older than the time since which is
     *     compared: it is not known whether they are on the topic
     */
    public record Counts(
            long instances,
            long stored,
            long published,
            long same,
            long waiting,
            long unknown,
            long onlyPublished,
            long publishedSince,
            long waitingEarlier) {}

    public VerificationReport {
        wrong = Collections.unmodifiableMap(new EnumMap<>(wrong));
        findings = List.copyOf(findings);
    }

    /** Whether nothing wrong was found. */
    @JsonProperty("exact")
    public boolean isExact() {
        return wrong.values().stream().allMatch(count -> count == 0);
    }

    /** The report for people. */
    @JsonIgnore
    public List<String> lines() {
        var lines = new ArrayList<String>();
        findings.forEach(finding -> lines.add(finding.toString()));
        lines.add("%d instances: %d events in the store, %d records on the topic"
                .formatted(counts.instances(), counts.stored(), counts.published()));
        lines.add(
                "%d as they should be, %d waiting to be published, %d unknown (retention, or before the relay began), "
                                .formatted(counts.same(), counts.waiting(), counts.unknown())
                        + "%d only on the topic (purged, or newer)".formatted(counts.onlyPublished()));
        lines.add("%d lost, %d twice, %d altered, %d out of order, %d foreign"
                .formatted(
                        wrong(Finding.Kind.LOST),
                        wrong(Finding.Kind.TWICE),
                        wrong(Finding.Kind.ALTERED),
                        wrong(Finding.Kind.OUT_OF_ORDER),
                        wrong(Finding.Kind.FOREIGN)));
        lines.add(isExact() ? "exact" : "NOT exact");
        return lines;
    }

    private long wrong(Finding.Kind kind) {
        return wrong.getOrDefault(kind, 0L);
    }
}
