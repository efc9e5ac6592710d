package io.sluice.relay.cli;

import com.azure.cosmos.CosmosException;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.relay.RelayConfig;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.control.PrerequisiteException;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.LeaseAdmin;
import io.sluice.relay.http.Answer;
import io.sluice.relay.log.FailureReason;
import io.sluice.relay.topic.Topics;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The leases by which replicas share the feed of intents. */
@Command(
        name = "leases",
        description = "Lists, releases and resets the leases by which replicas share the feed of intents.",
        synopsisSubcommandLabel = "list|release|reset")
public final class LeasesCommand implements Runnable {
    private static final int DONE = 0;
    private static final int NOT_DONE = 1;

    private final Supplier<RelayConfig> config;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Reads the configuration when a verb needs it. */
    public LeasesCommand(Supplier<RelayConfig> config) {
        this.config = config;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: list, release or reset");
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
                        lease.owner() == null ? "nobody" : lease.owner(),
                        lease.ageSeconds() == null ? "?" : lease.ageSeconds())));
        print(all.size() + " leases");
        return DONE;
    }

    @Command(
            name = "release",
            description =
                    "Clears the owner of one, so that another replica takes it. Harmless: an intent delivered twice is one.")
    int release(@Parameters(paramLabel = "TOKEN") String token) {
        if (with(desk -> desk.release(token))) {
            print(token + " is free");
            return DONE;
        }
        spec.commandLine().getErr().println("there is no lease " + token + ", or its owner renewed it just now");
        return NOT_DONE;
    }

    @Command(
            name = "reset",
            description =
                    "Removes all while no relay runs. The next one reads the feed of intents from its beginning, which "
                            + "takes time and request units, and delivers nothing twice. Frees the store for another prefix.")
    int reset(@Option(names = "--yes", description = "Yes, remove them.") boolean yes) {
        if (!yes) {
            throw new ParameterException(spec.commandLine(), "reset removes all leases: say --yes");
        }
        try {
            print(with(LeaseAdmin::reset) + " documents removed");
            forgetPrefix();
            return DONE;
        } catch (IllegalStateException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return NOT_DONE;
        }
    }

    /** Without leases nobody publishes: the store is free for another prefix. */
    private void forgetPrefix() {
        var relay = config.get();
        try (var client = FeedClient.open(relay.cosmos())) {
            client.registration().forget(relay.kafka().prefix());
        } catch (PrerequisiteException | CosmosException e) {
            throw new RelayStartException(
                    e instanceof PrerequisiteException ? String.valueOf(e.getMessage()) : FailureReason.of(e), e);
        }
    }

    private <T> T with(Function<LeaseAdmin, T> task) {
        var relay = config.get();
        try (var store = CosmosStore.open(relay.cosmos());
                var client = FeedClient.open(relay.cosmos())) {
            client.ensureLeases(false);
            client.registration().mustAllow(relay.kafka().prefix());
            var topics = new Topics(relay.kafka().prefix());
            return task.apply(new LeaseAdmin(client.leases(), topics.leasePrefix(), store.clock()));
        } catch (PrerequisiteException | ProviderException | CosmosException e) {
            throw new RelayStartException(
                    e instanceof CosmosException ? FailureReason.of(e) : String.valueOf(e.getMessage()), e);
        }
    }

    private void print(String line) {
        var out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
