package io.sluice.relay.cli;

import io.sluice.program.http.Answer;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.deadletter.DeadLetterAdmin;
import io.sluice.relay.deadletter.DeadLetterAdmin.Outcome;
import io.sluice.relay.deadletter.DeadLetterView;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Dead letters of the store on the command line. Needs no running relay; a retried intent waits for one. */
@Command(
        name = "dead-letters",
        description = "Lists, shows, retries and discards intents that failed permanently.",
        synopsisSubcommandLabel = "list|show|retry|discard")
public final class DeadLettersCommand extends CommandGroup {
    /** Reads the configuration only when a subcommand needs it. */
    public DeadLettersCommand(Supplier<RelayConfig> config) {
        super(config);
    }

    @Command(name = "list", description = "Lists them, the newest failure first.")
    int list(
            @Option(names = "--source", description = "Only dead letters of this instance.") @Nullable String source,
            @Option(names = "--json", description = "As a JSON array.") boolean json) {
        List<DeadLetterView> all = with(admin -> admin.list(source, Integer.MAX_VALUE));
        if (json) {
            print(Answer.json(200, all).body());
            return DONE;
        }
        all.forEach(one -> print("%s  %s -> %s  attempts %d%s%n    %s"
                .formatted(
                        one.failedAt(),
                        one.source(),
                        one.target(),
                        one.attempts(),
                        one.answered() ? "  (its source was notified)" : "",
                        one.id() + ": " + one.reason())));
        print(all.size() + " dead letters");
        return DONE;
    }

    @Command(name = "show", description = "Shows one as JSON, with its metadata and its original bytes.")
    int show(@Parameters(paramLabel = "ID") String id) {
        var found = with(admin -> admin.find(id));
        if (found.isEmpty()) {
            return gone(id);
        }
        print(Answer.json(200, found.get()).body());
        return DONE;
    }

    @Command(
            name = "retry",
            description = "Delivers them as if they were new; they have lost their place in the order. Exits with 1"
                    + " if one can't be retried, or is past its deadline.")
    int retry(
            @Parameters(paramLabel = "ID", arity = "0..*") List<String> ids,
            @Option(names = "--all", description = "All of them, at most SLUICE_DEAD_LETTERS_RETRY_RATE a second.")
                    boolean all,
            @Option(names = "--source", description = "With --all: only dead letters of this instance.") @Nullable
                    String source)
            throws InterruptedException {
        if (all == (ids != null && !ids.isEmpty())) {
            throw wrongUsage("retry takes either ids or --all");
        }
        if (!all) {
            return each(ids, DeadLetterAdmin::retry, "waits for delivery");
        }
        var ended = with(admin -> {
            try {
                return admin.retryAll(source, () -> true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while retrying", e);
            }
        });
        print(ended.words());
        if (ended.lastError() != null) {
            printError(ended.lastError());
        }
        if (!ended.complete()) {
            printError("ended before all were processed: try again");
        }
        return ended.isAll() ? DONE : NOT_DONE;
    }

    @Command(name = "discard", description = "Removes them permanently.")
    int discard(@Parameters(paramLabel = "ID", arity = "1..*") List<String> ids) {
        return each(ids, DeadLetterAdmin::discard, "discarded");
    }

    private int each(List<String> ids, BiFunction<DeadLetterAdmin, String, Outcome> operation, String done) {
        return with(admin -> {
            int code = DONE;
            for (String id : ids) {
                try {
                    if (operation.apply(admin, id) == Outcome.DONE) {
                        print(id + " " + done);
                    } else {
                        code = gone(id);
                    }
                } catch (ProviderException e) {
                    printError(e.getMessage());
                    code = NOT_DONE;
                }
            }
            return code;
        });
    }

    private int gone(String id) {
        printError("there is no dead letter " + id + ", or it was changed meanwhile");
        return NOT_DONE;
    }

    private <T> T with(Function<DeadLetterAdmin, T> task) {
        var relay = config();
        try (var store = CosmosStore.open(relay.cosmos())) {
            store.lowerPriorityOfScans();
            var failures = new FailedIntents(store.container(), store.clockObserver(), store.limits(), store.clock());
            return task.apply(new DeadLetterAdmin(failures, relay.operations().retriesPerSecond()));
        } catch (ProviderException e) {
            throw RelayStartException.of(e);
        }
    }
}
