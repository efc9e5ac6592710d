package io.sluice.relay.cli;

import com.azure.cosmos.CosmosException;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.RelayConfig;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.history.HistoryTopics;
import io.sluice.relay.history.PositionAdmin;
import io.sluice.relay.topic.Topics;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The positions of the key ranges, on the command line. */
@Command(
        name = "positions",
        description = "Takes over the positions of an earlier release, or lets refused ones go on.",
        synopsisSubcommandLabel = "convert|trust")
public final class PositionsCommand extends CommandGroup {
    /** Reads the configuration only when a subcommand needs it. */
    public PositionsCommand(Supplier<RelayConfig> config) {
        super(config);
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
        });
    }

    @FunctionalInterface
    private interface Task {
        void run(FeedClient feed, HistoryTopics topics) throws InterruptedException;
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
            task.run(feed, new HistoryTopics(kafka.access(), topics));
            return DONE;
        } catch (PrerequisiteException | CosmosException e) {
            throw RelayStartException.of(e);
        }
    }
}
