package io.sluice.relay.cli;

import com.azure.cosmos.CosmosException;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.history.HistoryTopics;
import io.sluice.relay.history.PositionAdmin;
import io.sluice.relay.topic.Topics;
import io.sluice.relay.verify.VerificationReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The positions of the key ranges, on the command line. */
@Command(
        name = "positions",
        description = "Takes over the positions of an earlier release, or lets refused ones go on.",
        synopsisSubcommandLabel = "convert|trust|adopt")
public final class PositionsCommand extends CommandGroup {
    private final Comparison comparison;

    /** Compares the histories in the store with the history topic, as if the positions were of that topic. */
    @FunctionalInterface
    public interface Comparison {
        /**
         * Reads both.
         *
         * @param since earlier events are left out; null for none
         */
        VerificationReport of(RelayConfig config, @Nullable Instant since);
    }

    /** Reads the configuration only when a subcommand needs it. */
    public PositionsCommand(Supplier<RelayConfig> config, Comparison comparison) {
        super(config);
        this.comparison = comparison;
    }

    @Command(
            name = "convert",
            description = "Writes the positions of a release that cut the key space into a fixed number of ranges in"
                    + " the present form, while no relay runs. Nothing is published twice or left out.")
    int convert(@Option(names = "--yes", description = "Yes, no relay runs any more.") boolean yes)
            throws InterruptedException {
        return whileStopped(yes, (feed, topics) -> {
            int ranges = new PositionAdmin(topics).convert(feed.containerRid());
            print(ranges == 0 ? "there is nothing to convert" : ranges + " positions converted");
            return DONE;
        });
    }

    @Command(
            name = "trust",
            description = "Lets ranges go on at positions that are refused for being ahead of the change feed, while no"
                    + " relay runs: after physical partitions were merged, and nothing else. After a restore or a failover"
                    + " that lost writes, events would be left out: use run --from. Verify the history afterwards.")
    int trust(
            @Option(names = "--yes", description = "Yes, no relay runs any more, and nothing was restored.")
                    boolean yes)
            throws InterruptedException {
        return whileStopped(yes, (feed, topics) -> {
            var result = new PositionAdmin(topics)
                    .trust(feed.containerRid(), range -> new RangeReader(feed.container(), range, 1));
            print(
                    result.trusted().isEmpty()
                            ? "there is no position to trust"
                            : result.trusted().size() + " positions trusted: " + String.join(", ", result.trusted()));
            result.others().forEach(why -> print("stays refused: " + why));
            return DONE;
        });
    }

    @Command(
            name = "adopt",
            description =
                    "Takes a history topic that was mirrored, or restored, with its events: lets all positions go on"
                            + " in it, while no relay runs. First the histories in the store are compared with the topic: each event"
                            + " that the positions count as published must be there, once, in order and unaltered, and none that"
                            + " waits. The partitions of instances are not compared: the topic must have as many as before.")
    int adopt(
            @Option(names = "--yes", description = "Yes, no relay runs any more.") boolean yes,
            @Option(
                            names = "--since",
                            paramLabel = "TIME",
                            description = "Compare only events written since this time (ISO 8601, the store's time), as"
                                    + " where retention has removed older ones; by default all.")
                    @Nullable
                    Instant since)
            throws InterruptedException {
        if (since != null && since.isAfter(Instant.now())) {
            throw wrongUsage("--since must be in the past, was " + since);
        }
        return whileStopped(yes, (feed, topics) -> {
            var positions = new PositionAdmin(topics);
            if (positions.ofAnotherTopic() == 0) {
                print("all positions are of this topic, there is nothing to adopt");
                return DONE;
            }
            var report = comparison.of(config(), since);
            report.lines().forEach(this::print);
            var reasons = reasonsAgainst(report);
            if (!reasons.isEmpty()) {
                printError("not adopted: " + String.join("; ", reasons)
                        + ". Or publish anew, with run --from-beginning or run --from <time>");
                return NOT_DONE;
            }
            print(positions.adopt() + " positions go on in this topic");
            return DONE;
        });
    }

    private static List<String> reasonsAgainst(VerificationReport report) {
        var counts = report.counts();
        var reasons = new ArrayList<String>();
        if (!report.isExact()) {
            reasons.add("events are wrong or missing");
        }
        if (counts.same() == 0) {
            reasons.add("none of the events that were published is on the topic, or none was compared");
        }
        if (counts.unknown() > 0) {
            reasons.add(
                    counts.unknown()
                            + " events are not on the topic and may have been: only if retention has removed them, leave them out with --since <time>");
        }
        if (counts.publishedSince() > 0) {
            reasons.add(counts.publishedSince() + " events are on the topic already and would come once more");
        }
        if (counts.waitingEarlier() > 0) {
            reasons.add(
                    counts.waitingEarlier()
                            + " events that were written before --since wait, and may be on the topic already: name an earlier time");
        }
        return reasons;
    }

    @FunctionalInterface
    private interface Task {
        int run(FeedClient feed, HistoryTopics topics) throws InterruptedException;
    }

    private int whileStopped(boolean yes, Task task) throws InterruptedException {
        if (!yes) {
            throw wrongUsage("stop all relays first, then say so with --yes");
        }
        if (!areRelaysStopped()) {
            return NOT_DONE;
        }
        try (var feed = FeedClient.open(config().cosmos())) {
            var kafka = config().kafka();
            var topics = new Topics(kafka.prefix());
            feed.registration().requireFreeFor(topics.prefix());
            return task.run(feed, new HistoryTopics(kafka.access(), topics));
        } catch (PrerequisiteException | CosmosException e) {
            throw RelayStartException.of(e);
        }
    }
}
