package io.sluice.relay.cli;

import com.azure.cosmos.CosmosException;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.feed.FeedClient;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gives the intents of a mixed fleet back to its Rust reconcilers. */
@Command(
        name = "intents",
        description =
                "intents release: gives the intents of a mixed fleet back to Rust reconcilers, which then deliver them.",
        synopsisSubcommandLabel = "release")
public final class IntentsCommand implements Callable<Integer> {
    private static final int DONE = 0;
    private static final int NOT_DONE = 1;

    private final Supplier<RelayConfig> config;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "release", description = "what to do: release")
    private String operation = "";

    @Option(
            names = "--yes",
            description =
                    "No relay and no Sluice provider runs any more: the intents they work on would be delivered twice.")
    private boolean confirmed;

    /** Reads the configuration when it runs. */
    public IntentsCommand(Supplier<RelayConfig> config) {
        this.config = config;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (!operation.equals("release")) {
            throw new ParameterException(spec.commandLine(), "intents takes release, was \"" + operation + "\"");
        }
        if (!confirmed) {
            throw new ParameterException(
                    spec.commandLine(), "stop all relays and Sluice providers first, then say so with --yes");
        }
        var relay = config.get();
        try (var store = CosmosStore.open(relay.cosmos())) {
            requireNoRelay(relay);
            int released = new IntentOutbox(store.container(), store.clock()).release();
            spec.commandLine().getOut().println(released + " intents released");
            return DONE;
        } catch (ProviderException e) {
            throw RelayStartException.of(e);
        } catch (IllegalStateException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return NOT_DONE;
        }
    }

    /** A store that is not published never had a relay, and may have no Kafka. */
    private static void requireNoRelay(RelayConfig config) throws InterruptedException {
        try (var feed = FeedClient.open(config.cosmos())) {
            if (feed.registration().prefix().isEmpty()) {
                return;
            }
            feed.registration().requireFreeFor(config.kafka().prefix());
        } catch (PrerequisiteException | CosmosException e) {
            throw RelayStartException.of(e);
        }
        RunningRelays.requireNone(config);
    }
}
