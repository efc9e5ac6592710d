package io.sluice.relay.cli;

import io.sluice.program.http.Answer;
import io.sluice.provider.MalformedQueueDocument;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The queues of the store, which runtimes take work from. */
@Command(
        name = "queue",
        description = "Lists documents of the store's queues that no runtime can take.",
        synopsisSubcommandLabel = "malformed")
public final class QueueCommand extends CommandGroup {
    /** Reads the configuration only when a subcommand needs it. */
    public QueueCommand(Supplier<RelayConfig> config) {
        super(config);
    }

    @Command(
            name = "malformed",
            description =
                    "Lists documents that another program wrote badly: they are skipped until somebody repairs or deletes them. "
                            + "Reads both queues until so many are found: what it costs grows with what waits.")
    int malformed(
            @Option(names = "--limit", description = "At most so many (100).") @Nullable Integer limit,
            @Option(names = "--json", description = "As a JSON array.") boolean json) {
        int most = limit(limit);
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
                .config(config().cosmos())
                .reconciler(false)
                .shareDispatchSlots(false)
                .build()) {
            return provider.asManagementCapability().orElseThrow().listMalformedQueueDocuments(most);
        } catch (ProviderException e) {
            throw RelayStartException.of(e);
        }
    }
}
