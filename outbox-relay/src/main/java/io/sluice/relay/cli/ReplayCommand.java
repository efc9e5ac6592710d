package io.sluice.relay.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.ExitCode;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.topic.Topics;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Publishes history once more, to another topic. */
@Command(
        name = "replay",
        description =
                "Publishes history again, to a topic other than the relay's own: there an event may occur several times, "
                        + "always with the same id (ce_id), by which consumers recognize it. Needs no running relay and "
                        + "disturbs none.")
final class ReplayCommand implements Callable<Integer> {
    private final Supplier<RelayConfig> config;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--instance", paramLabel = "ID", description = "The whole history of this instance.")
    private @Nullable String instance;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "The events of all instances since this time (ISO 8601, the store's time).")
    private @Nullable Instant from;

    @Option(names = "--to", paramLabel = "TOPIC", description = "By default <prefix>.replay; created when missing.")
    private @Nullable String to;

    ReplayCommand(Supplier<RelayConfig> config) {
        this.config = config;
    }

    @Override
    public Integer call() {
        if ((instance == null) == (from == null)) {
            throw new ParameterException(spec.commandLine(), "replay takes either --instance or --from");
        }
        var relay = config.get();
        var topics = new Topics(relay.kafka().prefix());
        var topic = to == null ? topics.replay() : to;
        if (topics.isOwn(topic) || isNamedAsAnotherRelays(topic)) {
            throw ownTopic(topic);
        }
        var published = new AtomicLong();
        RelayCommand.withConnections(relay, connections -> {
            if (connections.isOwn(topic)) {
                throw ownTopic(topic);
            }
            published.set(replay(new HistoryReplay(connections, topic)));
        });
        if (instance != null && published.get() == 0) {
            spec.commandLine().getErr().println("the store has no history of an instance " + instance);
            return ExitCode.OTHER;
        }
        spec.commandLine().getOut().println(published + " events published to " + topic);
        return ExitCode.DONE;
    }

    private static boolean isNamedAsAnotherRelays(String topic) {
        return TopicCatalogue.suffixOf(topic)
                .filter(suffix -> !suffix.equals(TopicCatalogue.REPLAY.suffix()))
                .isPresent();
    }

    private long replay(HistoryReplay replay) {
        try {
            return instance == null ? replay.since(Objects.requireNonNull(from)) : replay.instance(instance);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrerequisiteException("interrupted while publishing to " + replay.topic(), e);
        }
    }

    private ParameterException ownTopic(String topic) {
        return new ParameterException(
                spec.commandLine(),
                "replay to another topic than " + topic
                        + ": the topics of relays, of whatever prefix, promise each record once");
    }
}
