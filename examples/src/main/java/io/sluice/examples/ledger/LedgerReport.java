package io.sluice.examples.ledger;

import io.sluice.testkit.judge.Finding;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an audit found.
 *
 * @param instances histories compared
 * @param storedEvents events they hold
 * @param publishedEvents records on the topic
 * @param subOrchestrations sub-orchestrations whose start was checked
 * @param findings what is wrong with the topic
 * @param wrongStarts sub-orchestrations that were not started exactly once by their parent
 */
public record LedgerReport(
        int instances,
        int storedEvents,
        int publishedEvents,
        int subOrchestrations,
        List<Finding> findings,
        List<String> wrongStarts) {
    public LedgerReport {
        findings = List.copyOf(findings);
        wrongStarts = List.copyOf(wrongStarts);
    }

    /** Everything that is wrong; empty when the ledger is exact. */
    public List<String> faults() {
        return Stream.concat(findings.stream().map(Finding::toString), wrongStarts.stream())
                .toList();
    }

    /**
     * Whether every stored event is on the topic exactly once, in order and unchanged, and every child was started
     * once.
     */
    public boolean isExact() {
        return faults().isEmpty();
    }

    /** How many findings are of this kind. */
    public long count(Finding.Kind kind) {
        return findings.stream().filter(finding -> finding.kind() == kind).count();
    }
}
