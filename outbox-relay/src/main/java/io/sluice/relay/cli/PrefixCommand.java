package io.sluice.relay.cli;

import com.azure.cosmos.CosmosException;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.PrefixRegistration;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The prefix under which the store is published, on the command line. */
@Command(
        name = "prefix",
        description = "Shows and releases the prefix under which the store is published.",
        synopsisSubcommandLabel = "show|release")
public final class PrefixCommand extends CommandGroup {
    private static final String WITHOUT_KAFKA = "--without-kafka";

    /** Reads the configuration only when a subcommand needs it. */
    public PrefixCommand(Supplier<RelayConfig> config) {
        super(config);
    }

    @Command(name = "show", description = "Shows it.")
    int show() {
        print(with(PrefixRegistration::prefix).orElse("the store is not published"));
        return DONE;
    }

    @Command(
            name = "release",
            description = "Frees the store for another prefix while no relay runs. The relays of another one publish"
                    + " the histories from the beginning, to topics of their own.")
    int release(
            @Option(names = "--yes", description = "Yes, free it.") boolean yes,
            @Option(
                            names = WITHOUT_KAFKA,
                            description = "Don't ask Kafka whether relays run, as when it was given up together with"
                                    + " them; only when no relay of the prefix runs any more: one that does would let"
                                    + " history be deleted that relays of another prefix have not read.")
                    boolean withoutKafka)
            throws InterruptedException {
        if (!yes) {
            throw wrongUsage("release frees the store for relays of another prefix: say --yes");
        }
        var prefix = config().kafka().prefix();
        with(registration -> {
            registration.requireFreeFor(prefix);
            return registration;
        });
        if (!withoutKafka && !findsRelaysStopped()) {
            return NOT_DONE;
        }
        print(
                with(registration -> registration.forget(prefix))
                        ? prefix + " is released"
                        : "the store is not published");
        return DONE;
    }

    private boolean findsRelaysStopped() throws InterruptedException {
        try {
            return areRelaysStopped();
        } catch (RelayStartException e) {
            throw new RelayStartException(
                    e.getMessage() + ", or say " + WITHOUT_KAFKA
                            + " if no relay of the prefix runs any more, as when Kafka was given up with them",
                    e);
        }
    }

    private <T> T with(Function<PrefixRegistration, T> task) {
        try (var client = FeedClient.open(config().cosmos())) {
            return task.apply(client.registration());
        } catch (PrerequisiteException | CosmosException e) {
            throw RelayStartException.of(e);
        }
    }
}
