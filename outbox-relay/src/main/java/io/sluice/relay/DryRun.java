package io.sluice.relay;

import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.command.CommandForecast;
import io.sluice.relay.delivery.IntentForecast;
import io.sluice.relay.delivery.IntentForecast.Fate;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.lifecycle.HistoryForecast;
import io.sluice.relay.ops.StartFault;
import io.sluice.relay.ops.TopicAdmin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/** What {@code run --dry-run} does: one look at all that waits, told in lines for people. Writes nothing anywhere. */
record DryRun(Ground ground) {
    private static final int PAIRS_SHOWN = 100;

    /**
     * Looks.
     *
     * @throws StartFault where a relay would refuse to start, or when Kafka doesn't answer
     * @throws RuntimeException when the store can't be read
     */
    List<String> run() {
        ground.mustBeOfPrefix();
        var report = new ArrayList<String>();
        try (Admin admin = ground.kafka().admin()) {
            intents(report);
            events(admin, report);
            commands(admin, report);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFault("interrupted while looking at what waits", e);
        }
        report.add("dry run: nothing was written");
        return report;
    }

    private void intents(List<String> report) {
        var delivery = ground.config().delivery();
        var container = ground.store().container();
        var clock = ground.store().clock();
        var forecast = new IntentForecast(
                        container, delivery.givingUp().maxAge(), delivery.fleet() == Fleet.MIXED, clock)
                .now();
        var pairs = forecast.pairs();
        pairs.stream()
                .sorted(Comparator.comparingLong((IntentForecast.Pair pair) -> -sum(pair.fates())))
                .limit(PAIRS_SHOWN)
                .forEach(pair -> report.add(
                        "intents of " + pair.source() + " to " + pair.target() + ": " + words(pair.fates())));
        if (pairs.size() > PAIRS_SHOWN) {
            report.add("intents of " + (pairs.size() - PAIRS_SHOWN) + " more pairs of source and target");
        }
        var all = new EnumMap<Fate, Long>(Fate.class);
        pairs.forEach(pair -> pair.fates().forEach((fate, count) -> all.merge(fate, count, Long::sum)));
        report.add("intents in all: " + words(all) + malformed(forecast.malformed()));
        report.add("dead letters to publish: " + unreported(new FailedIntents(container, clock)));
    }

    private static long unreported(FailedIntents failures) {
        long count = 0;
        String next = null;
        do {
            var page = failures.unreported(next);
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
        return count == 0 ? "" : "; " + count + " malformed, which nobody can deliver";
    }

    private void events(Admin admin, List<String> report) throws InterruptedException {
        var feed = ground.feed();
        int pageSize = ground.config().feed().pageSize();
        var source = new HistoryForecast.Source(
                ground.eventSource(),
                feed.containerRid(),
                range -> new RangeReader(feed.container(), range, pageSize),
                ground::newRanges);
        var ranges = new HistoryForecast(
                        ground.kafka(),
                        admin,
                        ground.topics(),
                        source,
                        ground.store().clock())
                .now(ground.firstPosition());
        ranges.forEach(range -> report.add("range " + range.range() + ": " + range.events() + " events to publish"
                + (range.begun() ? "" : ", nothing read yet")
                + (range.markers() == 0 ? "" : ", " + range.markers() + " purge markers to remove")));
        report.add("events in all: "
                + ranges.stream().mapToLong(HistoryForecast.Waiting::events).sum());
    }

    private void commands(Admin admin, List<String> report) throws InterruptedException {
        var topics = ground.topics();
        int partitions = new TopicAdmin(admin, ground.kafka(), topics).partitions(topics.commands());
        var maxAge = ground.config().delivery().commandMaxAge();
        var waiting = new CommandForecast(
                        ground.kafka(), admin, topics, maxAge, ground.store().clock())
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
