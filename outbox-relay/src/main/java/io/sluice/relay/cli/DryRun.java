package io.sluice.relay.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.command.CommandDryRun;
import io.sluice.relay.delivery.IntentDryRun;
import io.sluice.relay.delivery.IntentDryRun.Fate;
import io.sluice.relay.history.HistoryDryRun;
import io.sluice.relay.runtime.RelayConnections;
import io.sluice.relay.topic.TopicReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/** The command {@code run --dry-run}: reads all waiting work once, and reports it as lines. Writes nothing. */
record DryRun(RelayConnections connections) {
    private static final int PAIRS_SHOWN = 100;

    /**
     * Reads the waiting work.
     *
     * @throws PrerequisiteException if a relay would refuse to start, or Kafka does not answer
     * @throws RuntimeException when the store can't be read
     */
    List<String> run() {
        connections.requirePrefix();
        var report = new ArrayList<String>();
        try (var admin = connections.kafka().admin()) {
            intents(report);
            events(admin, report);
            commands(admin, report);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrerequisiteException("interrupted while reading the waiting work", e);
        }
        report.add("dry run: nothing was written");
        return report;
    }

    private void intents(List<String> report) {
        var delivery = connections.config().delivery();
        var container = connections.store().container();
        var clock = connections.store().clock();
        var found =
                new IntentDryRun(container, delivery.givingUp().maxAge(), delivery.fleet() == Fleet.MIXED, clock).now();
        var pairs = found.pairs();
        pairs.stream()
                .sorted(Comparator.comparingLong((IntentDryRun.Pair pair) -> -sum(pair.fates())))
                .limit(PAIRS_SHOWN)
                .forEach(pair -> report.add(
                        "intents of " + pair.source() + " to " + pair.target() + ": " + words(pair.fates())));
        if (pairs.size() > PAIRS_SHOWN) {
            report.add("intents of " + (pairs.size() - PAIRS_SHOWN) + " more pairs of source and target");
        }
        var all = new EnumMap<Fate, Long>(Fate.class);
        pairs.forEach(pair -> pair.fates().forEach((fate, count) -> all.merge(fate, count, Long::sum)));
        report.add("intents in all: " + words(all) + malformed(found.malformed()));
        report.add("dead letters to publish: " + unreported(new FailedIntents(container, clock)));
    }

    private static long unreported(FailedIntents failures) {
        return failures.ranges().stream()
                .mapToLong(range -> unreported(failures, range))
                .sum();
    }

    private static long unreported(FailedIntents failures, String range) {
        long count = 0;
        String next = null;
        do {
            var page = failures.unreported(range, next);
            count += page.failed().size();
            next = page.next();
        } while (next != null);
        return count;
    }

    private static long sum(Map<Fate, Long> fates) {
        return fates.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String words(Map<Fate, Long> fates) {
        return fates.isEmpty()
                ? "none"
                : fates.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static String malformed(long count) {
        return count == 0 ? "" : "; " + count + " malformed, which can't be delivered";
    }

    private void events(Admin admin, List<String> report) throws InterruptedException {
        var ranges =
                connections.historyDryRun(admin).now(connections.config().feed().first());
        ranges.forEach(
                range -> report.add("range " + range.range().name() + ": " + range.events() + " events to publish"
                        + (range.begun() ? "" : ", nothing read yet")
                        + (range.markers() == 0 ? "" : ", " + range.markers() + " purge markers to remove")));
        report.add("events in all: "
                + ranges.stream().mapToLong(HistoryDryRun.Waiting::events).sum());
    }

    private void commands(Admin admin, List<String> report) throws InterruptedException {
        var topics = connections.topics();
        int partitions = new TopicReader(admin).partitions(topics.commands());
        var maxAge = connections.config().delivery().commandMaxAge();
        var waiting = new CommandDryRun(
                        connections.kafka(),
                        admin,
                        topics,
                        maxAge,
                        connections.store().clock())
                .now(partitions);
        waiting.forEach(each -> report.add("commands of partition " + each.partition() + ": " + each.queued()
                + " to queue, " + each.refused() + " to refuse"
                + (each.lost() == 0 ? "" : ", " + each.lost() + " offsets lost to retention: a replica stops there")));
        report.add("commands in all: "
                + waiting.stream()
                        .mapToLong(each -> each.queued() + each.refused())
                        .sum());
    }
}
