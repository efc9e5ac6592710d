package io.sluice.examples.ledger;

import java.util.List;

/**
 * What an audit found.
 *
 * @param instances histories compared
 * @param storedEvents events they hold
 * @param publishedEvents records on the topic
 * @param subOrchestrations sub-orchestrations whose start was checked
 * @param findings everything that is wrong; empty when the ledger is exact
 */
public record LedgerReport(
        int instances, int storedEvents, int publishedEvents, int subOrchestrations, List<Finding> findings) {
    public LedgerReport {
        findings = List.copyOf(findings);
    }

    /**
     * Whether every stored event is on the topic exactly once, in order and unchanged, and every child was started
     * once.
     */
    public boolean isExact() {
        return findings.isEmpty();
    }

    /** How many findings are of this kind. */
    public long count(Finding.Kind kind) {
        return findings.stream().filter(finding -> finding.kind() == kind).count();
    }
}
