package io.sluice.relay.cli;

import io.sluice.provider.MalformedQueueDocument;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.relay.RelayConfig;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.http.Answer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The queues of the store, which runtimes take work from. */
@Command(
        name = "queue",
        description = "Lists documents of the store's queues that no runtime can take.",
        synopsisSubcommandLabel = "malformed")
public final class QueueCommand implements Runnable {
    private static final int DONE = 0;
    private static final int SHOWN = 100;

    private final Supplier<RelayConfig> config;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Reads the configuration when a verb needs it. */
    public QueueCommand(Supplier<RelayConfig> config) {
        this.config = config;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: malformed");
    }

    @Command(
            name = "malformed",
            description =
                    "Lists documents that another program wrote badly: they are passed over until somebody repairs or deletes them. "
                            + "Reads both queues until so many are found: what it costs grows with what waits.")
    int malformed(
            @Option(names = "--limit", description = "At most so many (100).") @Nullable Integer limit,
            @Option(names = "--json", description = "As a JSON array.") boolean json) {
        int most = limit == null ? SHOWN : limit;
        if (most < 1) {
            throw new ParameterException(spec.commandLine(), "--limit must be 1 or more, was " + most);
        }
        var found = found(most);
        if (json) {
            print(Answer.json(200, found).body());
            return DONE;
        }
        found.forEach(one -> print("%s  partition %s  id %s%n    %s: %s"
                .formatted(
                        one.queue(),
                        one.partition().isEmpty() ? "none" : one.partition(),
                        one.id(),
                        one.field(),
                        one.reason())));
        print(found.size() + (found.size() == most ? " malformed documents, or more" : " malformed documents"));
        return DONE;
    }

    private List<MalformedQueueDocument> found(int most) {
        try (var provider = CosmosProvider.builder()
                .config(config.get().cosmos())
                .reconciler(false)
                .shareDispatchSlots(false)
                .build()) {
            return provider.asManagementCapability().orElseThrow().listMalformedQueueDocuments(most);
        } catch (ProviderException e) {
            throw new RelayStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private void print(String line) {
        var out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
