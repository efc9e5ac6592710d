package io.sluice.relay.cli;

import com.azure.cosmos.CosmosException;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.program.http.Answer;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.relay.RelayConfig;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.LeaseAdmin;
import io.sluice.relay.topic.Topics;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The leases by which replicas share the feed of intents, on the command line. */
@Command(
        name = "leases",
        description = "Lists, releases and resets the leases by which replicas share the feed of intents.",
        synopsisSubcommandLabel = "list|release|reset")
public final class LeasesCommand extends CommandGroup {
    /** Reads the configuration only when a subcommand needs it. */
    public LeasesCommand(Supplier<RelayConfig> config) {
        super(config);
    }

    @Command(name = "list", description = "Lists them: token, owner, seconds since the last renewal.")
    int list(@Option(names = "--json", description = "As a JSON array.") boolean json) {
        var all = with(LeaseAdmin::all);
        if (json) {
            print(Answer.json(200, all).body());
            return DONE;
        }
        all.forEach(lease -> print("%s  %s  renewed %s s ago"
                .formatted(
                        lease.token(),
                        lease.owner() == null ? "no owner" : lease.owner(),
                        lease.ageSeconds() == null ? "?" : lease.ageSeconds())));
        print(all.size() + " leases");
        return DONE;
    }

    @Command(
            name = "release",
            description =
                    "Clears the owner of one, so that another replica takes it. Harmless: an intent delivered twice is one.")
    int release(@Parameters(paramLabel = "TOKEN") String token) {
        if (with(admin -> admin.release(token))) {
            print(token + " is free");
            return DONE;
        }
        printError("there is no lease " + token + ", or its owner renewed it just now");
        return NOT_DONE;
    }

    @Command(
            name = "reset",
            description =
                    "Removes all while no relay runs. The next one reads the feed of intents from its beginning, which "
                            + "takes time and request units, and delivers nothing twice. Frees the store for another prefix.")
    int reset(@Option(names = "--yes", description = "Yes, remove them.") boolean yes) {
        if (!yes) {
            throw wrongUsage("reset removes all leases: say --yes");
        }
        try {
            print(with(LeaseAdmin::reset) + " documents removed");
            forgetPrefix();
            return DONE;
        } catch (IllegalStateException e) {
            printError(e.getMessage());
            return NOT_DONE;
        }
    }

    /** Without leases no relay publishes: the store is free for another prefix. */
    private void forgetPrefix() {
        var relay = config();
        try (var client = FeedClient.open(relay.cosmos())) {
            client.registration().forget(relay.kafka().prefix());
        } catch (PrerequisiteException | CosmosException e) {
            throw new RelayStartException(
                    e instanceof PrerequisiteException ? String.valueOf(e.getMessage()) : FailureReason.of(e), e);
        }
    }

    private <T> T with(Function<LeaseAdmin, T> task) {
        var relay = config();
        try (var store = CosmosStore.open(relay.cosmos());
                var client = FeedClient.open(relay.cosmos())) {
            client.ensureLeases(false);
            client.registration().requireFreeFor(relay.kafka().prefix());
            var topics = new Topics(relay.kafka().prefix());
            return task.apply(new LeaseAdmin(client.leases(), topics.leasePrefix(), store.clock()));
        } catch (PrerequisiteException | ProviderException | CosmosException e) {
            throw new RelayStartException(
                    e instanceof CosmosException ? FailureReason.of(e) : String.valueOf(e.getMessage()), e);
        }
    }
}
