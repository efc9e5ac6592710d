package io.sluice.relay.soak;

import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.Drain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Does each failure of {@link Failure} to processes of its own, while orders come, and audits what was published as the
 * soak does. As a program it ends with 1 when anything was lost, repeated, out of order, altered or left over.
 */
public final class FailuresRun {
    private static final Duration BEFORE = Duration.ofSeconds(20);
    private static final Duration AFTER = Duration.ofSeconds(40);
    private static final Duration HANG = Duration.ofMinutes(5);

    private FailuresRun() {}

    /** {@code -Dfailures.names=kafka-away,…} chooses; all otherwise. */
    public static void main(String[] arguments) throws Exception {
        var chosen = Arrays.asList(System.getProperty("failures.names", "").split(","));
        boolean isSound = true;
        System.out.println(FailureReport.HEADER);
        for (var failure : Failure.all()) {
            if (chosen.contains(failure.name()) || chosen.equals(List.of(""))) {
                var report = of(failure);
                System.out.println(report.text());
                isSound &= report.isSound();
            }
        }
        System.exit(isSound ? 0 : 1);
    }

    private static FailureReport of(Failure failure) throws Exception {
        var day = LocalDate.now(ZoneOffset.UTC);
        long startMillis = System.currentTimeMillis();
        var folder = Path.of("target", "failures", failure.name() + "-" + startMillis)
                .toAbsolutePath();
        Files.createDirectories(folder);
        try (var bed = new FailureBed(folder, failure.setup())) {
            bed.orders().start();
            bed.rest(BEFORE);
            failure.deed().doTo(bed);
            bed.rest(AFTER);
            bed.orders().stop();
            var left = drain(bed);
            bed.mustLive();
            var given = bed.orders().givenMillis();
            var published = bed.topic().read();
            var stored = bed.store().histories().values().stream()
                    .flatMap(List::stream)
                    .map(HistoryJson::encode)
                    .toList();
            var audit = SoakAudit.of(published, new SoakAudit.Truth(given.size(), Journal.readAll(folder), stored));
            var span = new FailureReport.Span(startMillis, bed.beginMillis(), bed.endMillis());
            return new FailureReport(
                    failure.words(),
                    span,
                    HealthLines.read(folder, day, startMillis),
                    OrderTimes.of(published, given),
                    given.size(),
                    audit,
                    FailureReport.Requests.of(folder.resolve("emulator.log"), span),
                    left);
        }
    }

    private static String drain(FailureBed bed) {
        var progress = new Progress(bed.topic());
        int orders = bed.orders().givenMillis().size();
        var left = new Drain(
                        () -> {
                            progress.look();
                            return remaining(bed, progress, orders);
                        },
                        HANG)
                .awaitEnd();
        progress.lookUntilStill();
        return left;
    }

    private static String remaining(FailureBed bed, Progress progress, int orders) {
        long left = SoakRun.left(bed.store());
        return progress.finished() == orders && progress.deletions() >= 2 * orders && left == 0
                ? Drain.NOTHING
                : String.format(
                        Locale.ROOT,
                        "%d of %d orders ended, %d deletions published, %d documents left",
                        progress.finished(),
                        orders,
                        progress.deletions(),
                        left);
    }
}
