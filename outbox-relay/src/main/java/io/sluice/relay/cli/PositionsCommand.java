package io.sluice.relay.cli;

import com.azure.cosmos.CosmosException;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.RelayConfig;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.history.HistoryTopics;
import io.sluice.relay.history.PositionConversion;
import io.sluice.relay.topic.Topics;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The positions of the key ranges, on the command line. */
@Command(
        name = "positions",
        description = "Takes over the positions that an earlier release has written.",
        synopsisSubcommandLabel = "convert")
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
            var access = kafka.access();
            int ranges = new PositionConversion(new HistoryTopics(access, topics)).convert(feed.containerRid());
            print(ranges == 0 ? "there is nothing to convert" : ranges + " positions converted");
            return DONE;
        } catch (PrerequisiteException | CosmosException e) {
            throw RelayStartException.of(e);
        }
    }
}
