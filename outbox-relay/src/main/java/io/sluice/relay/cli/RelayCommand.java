package io.sluice.relay.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.cli.HealthCommand;
import io.sluice.program.cli.StatusCommand;
import io.sluice.program.cli.Version;
import io.sluice.program.http.OpsPort;
import io.sluice.provider.ProviderException;
import io.sluice.relay.OutboxRelay;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.StreamsOnlyReplica;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.config.RelaySettings;
import io.sluice.relay.runtime.RelayConnections;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "sluice-outbox-relay",
        description = "Carries intents and histories out of a Cosmos DB container, and commands from Kafka into it.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, or drained after SIGTERM",
            "1:not done: nothing of that name, refused, or any other failure",
            "2:the configuration or the command line is wrong",
            "3:Cosmos or Kafka can't be reached within SLUICE_START_TIMEOUT, or refuse at start"
        })
final class RelayCommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--config",
            scope = ScopeType.INHERIT,
            description = "Properties file with settings; also by SLUICE_CONFIG. The environment takes precedence.")
    private @Nullable Path file;

    private final Map<String, String> environment;

    RelayCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Command(name = "run", description = "Runs a replica until SIGTERM, which drains it.")
    int run(
            @Option(
                            names = "--from-beginning",
                            description = "Begin at the beginning of the feed where a position is missing, "
                                    + "though events were published.")
                    boolean fromBeginning,
            @Option(
                            names = "--from",
                            paramLabel = "TIME",
                            description =
                                    "The same, but begin at this time (ISO 8601, such as 2026-01-31T12:00:00Z): what was "
                                            + "written before is never published. Positions that are there stay as they are, but those refused for being "
                                            + "ahead of the feed.")
                    @Nullable
                    Instant from,
            @Option(
                            names = "--dry-run",
                            description =
                                    "Reads once what waits, prints what a replica would deliver, publish and settle, and ends. "
                                            + "Writes nothing to Cosmos (no deliveries, receipts, parkings, dead letters, "
                                            + "removals) nor to Kafka (no events, positions, offsets, replies, topics), joins no "
                                            + "group and takes no range or partition from a relay that runs; opens no "
                                            + "port. Does not ask targets whether they take what is due, and says nothing of "
                                            + "unfinished turns and deletions, which a replica's sweep finishes.")
                    boolean dryRun,
            @Option(
                            names = "--streams-only",
                            description =
                                    "Only derive lifecycle, status, statistics and stuck from the history topic; needs no store.")
                    boolean streamsOnly)
            throws InterruptedException {
        if (streamsOnly) {
            if (fromBeginning || from != null || dryRun) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--streams-only reads no feed: leave --from, --from-beginning and --dry-run out");
            }
            return runStreams();
        }
        if (fromBeginning && from != null) {
            throw new ParameterException(spec.commandLine(), "take either --from-beginning or --from");
        }
        if (from != null && from.isAfter(Instant.now())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--from must be in the past: events written until then would be lost, was " + from);
        }
        var config = from == null ? config().withFromBeginning(fromBeginning) : config().withFrom(from);
        if (dryRun) {
            withConnections(config, connections -> new DryRun(connections).run().forEach(out()::println));
            return ExitCode.DONE;
        }
        var relay = starting(() -> {
            var replica = OutboxRelay.builder().config(config).build();
            replica.start();
            return replica;
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(relay), "sluice-shutdown"));
        out().println("relay is running");
        out().flush();
        new CountDownLatch(1).await();
        return ExitCode.DONE;
    }

    private int runStreams() throws InterruptedException {
        var streamsConfig = RelayConfig.loadStreamsOnly(environment, path());
        var streams = starting(() -> {
            var replica = new StreamsOnlyReplica(streamsConfig);
            replica.start();
            return replica;
        });
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            streams.close();
                            Runtime.getRuntime().halt(ExitCode.DONE);
                        },
                        "sluice-shutdown"));
        out().println("streams are running");
        out().flush();
        new CountDownLatch(1).await();
        return ExitCode.DONE;
    }

    private static <T> T starting(Supplier<T> start) {
        try {
            return start.get();
        } catch (RelayStartException e) {
            throw new RelayStartException("The relay can't start: " + e.getMessage(), e);
        }
    }

    /** A drained process has succeeded: it exits with 0 instead of the signal's number. */
    private static void drain(OutboxRelay relay) {
        relay.close();
        Runtime.getRuntime().halt(ExitCode.DONE);
    }

    @Command(name = "provision", description = "Creates the container and the topics that are missing.")
    int provision(
            @Option(
                            names = "--connect-sinks",
                            description =
                                    "Also create the containers of the Kafka Connect sinks in connect-config: sluice-audit, "
                                            + "sluice-dead-letters, sluice-lifecycle and sluice-status.")
                    boolean connectSinks) {
        Provisioner.run(config(), connectSinks);
        out().println("all is there");
        return ExitCode.DONE;
    }

    static void withConnections(RelayConfig config, Consumer<RelayConnections> task) {
        try (var connections = RelayConnections.open(config)) {
            task.accept(connections);
        } catch (PrerequisiteException | ProviderException e) {
            throw RelayStartException.of(e);
        }
    }

    @Command(name = "settings", description = "Lists every setting: variable, range, default, meaning.")
    int settings() {
        out().print(settingsText());
        // A text without a line end is not flushed automatically.
        out().flush();
        return ExitCode.DONE;
    }

    static String settingsText() {
        return "Settings, as environment variables; in a file the same in lower case with dots (SLUICE_PREFIX is "
                + "sluice.prefix).%n".formatted() + RelaySettings.CATALOG.table()
                + "  KAFKA_SECURITY_*, KAFKA_SASL_*, KAFKA_SSL_*  handed on to Kafka's clients%n".formatted()
                + "  SLUICE_KAFKA_*  any other setting of Kafka's clients, such as SLUICE_KAFKA_COMPRESSION_TYPE%n"
                        .formatted();
    }

    private RelayConfig config() {
        return RelayConfig.load(environment, path());
    }

    private @Nullable Path path() {
        var named = environment.get(RelaySettings.FILE_VARIABLE);
        return file == null && named != null && !named.isBlank() ? Path.of(named) : file;
    }

    /** This command with all subcommands. */
    CommandLine commandLine() {
        Supplier<OpsPort> http = () -> RelayConfig.loadHttp(environment, path());
        return new CommandLine(this)
                .addSubcommand(new CheckCommand(this::config))
                .addSubcommand(new ReplayCommand(this::config))
                .addSubcommand(new VerifyCommand(this::config))
                .addSubcommand(new IntentsCommand(this::config))
                .addSubcommand(new DeadLettersCommand(this::config))
                .addSubcommand(new CommandsCommand(this::config))
                .addSubcommand(new PrefixCommand(this::config))
                .addSubcommand(new PositionsCommand(this::config, VerifyCommand::compareAdopting))
                .addSubcommand(new QueueCommand(this::config))
                .addSubcommand(new StatusCommand("relay", http))
                .addSubcommand(new HealthCommand("relay", http))
                .addSubcommand(new OpsCommands.Pause(http))
                .addSubcommand(new OpsCommands.Resume(http));
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
