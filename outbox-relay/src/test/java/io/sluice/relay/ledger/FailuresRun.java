package io.sluice.relay.ledger;

import io.sluice.relay.ledger.audit.Audit;
import io.sluice.relay.ledger.audit.OrderTimes;
import io.sluice.relay.ledger.audit.Progress;
import io.sluice.relay.ledger.process.Servers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Does each failure of {@link Failure} to processes of its own, while orders come, and audits what was published as the
 * ledger does.
 */
final class FailuresRun {
    private static final Duration BEFORE = Duration.ofSeconds(20);
    private static final Duration AFTER = Duration.ofSeconds(40);

    private FailuresRun() {}

    /** {@code names=kafka-away,…} chooses; all otherwise. Prints a line each, and says whether all was well. */
    static boolean print(Settings settings) throws Exception {
        var chosen = Arrays.asList(settings.text("names", "").split(","));
        var failures = Failure.all(settings).stream()
                .filter(failure -> chosen.contains(failure.name()) || chosen.equals(List.of("")))
                .toList();
        settings.refuseUnknown();
        boolean isSound = !failures.isEmpty();
        System.out.println(FailureReport.HEADER);
        for (var failure : failures) {
            var report = of(failure);
            System.out.println(report.text());
            isSound &= report.isSound();
        }
        return isSound;
    }

    private static FailureReport of(Failure failure) throws Exception {
        long startMillis = System.currentTimeMillis();
        var folder = Servers.folder("failures", failure.name());
        try (var bed = new FailureBed(folder, failure.setup())) {
            bed.startOrders();
            bed.rest(BEFORE);
            failure.deed().doTo(bed);
            bed.rest(AFTER);
            bed.orders().stop();
            var given = bed.orders().givenMillis();
            var left = new Progress(bed.topic(), bed.store()).drain(given.size(), 2 * given.size(), () -> true);
            bed.fleet().requireAlive();
            var published = bed.topic().read();
            return new FailureReport(
                    failure.words(),
                    new FailureReport.Span(startMillis, bed.beginMillis()),
                    OrderTimes.of(published, given),
                    given.size(),
                    Audit.of(published, LedgerRun.truth(bed.store(), given.size(), folder, true)),
                    left);
        }
    }
}
