package io.sluice.relay.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.http.Answer;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.runtime.RelayConnections;
import io.sluice.relay.verify.Verification;
import io.sluice.relay.verify.VerificationReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares the histories in the store with the history topic. */
@Command(
        name = "verify",
        description =
                "Compares the histories in the store with the history topic, and reports events that are lost, there "
                        + "twice, altered or out of order, up to what is published. Reads only, also while relays run. Ends "
                        + "with 0 when nothing is wrong, with 1 when something is.")
final class VerifyCommand implements Callable<Integer> {
    private static final int REQUEST_UNITS = 400;
    private static final int FINDINGS = 100;
    /** Less than what a page costs would let none through. */
    private static final int LEAST_REQUEST_UNITS = 100;

    private static final int MOST_REQUEST_UNITS = 1_000_000;
    private static final int MOST_ONE_IN = 1_000_000;

    private final Supplier<RelayConfig> config;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only events written since this time (ISO 8601, the store's time); by default all.")
    private @Nullable Instant since;

    @Option(
            names = "--sample",
            paramLabel = "N",
            defaultValue = "1",
            description = "Only one instance in N, chosen at random; the topic is read whole.")
    private int oneIn;

    @Option(
            names = "--request-units",
            paramLabel = "N",
            description = "At most so many request units a second (" + REQUEST_UNITS
                    + ", or what SLUICE_THROUGHPUT_LIMIT or SLUICE_THROUGHPUT_SHARE say).")
    private @Nullable Integer requestUnits;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Names at most so many findings of each kind (100); all are counted.")
    private int limit;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "Where to sort what was read, about 100 bytes an event; by default the system's directory for "
                            + "temporary files. Emptied at the end.")
    private @Nullable Path work;

    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    VerifyCommand(Supplier<RelayConfig> config) {
        this.config = config;
    }

    @Override
    public Integer call() {
        var directory = work == null ? Path.of(System.getProperty("java.io.tmpdir")) : work;
        atLeastOne("--sample", oneIn);
        if (oneIn > MOST_ONE_IN) {
            throw new ParameterException(
                    spec.commandLine(), "--sample must be " + MOST_ONE_IN + " or less, was " + oneIn);
        }
        atLeastOne("--limit", limit);
        if (!Files.isDirectory(directory)) {
            throw new ParameterException(spec.commandLine(), "--work must be a directory, was " + directory);
        }
        if (since != null && since.isAfter(Instant.now())) {
            throw new ParameterException(spec.commandLine(), "--since must be in the past, was " + since);
        }
        var extent = new Verification.Extent(since, oneIn, limit, directory);
        return print(compare(throttled(config.get()), extent, false));
    }

    /** The whole history topic, or what is there since a time, as if all positions were of it. */
    static VerificationReport compareAdopting(RelayConfig config, @Nullable Instant since) {
        var extent = new Verification.Extent(since, 1, FINDINGS, Path.of(System.getProperty("java.io.tmpdir")));
        return compare(config.operations().isThrottled() ? config : limited(config, REQUEST_UNITS), extent, true);
    }

    private static VerificationReport compare(RelayConfig config, Verification.Extent extent, boolean adopts) {
        var report = new AtomicReference<VerificationReport>();
        RelayCommand.withConnections(config, connections -> report.set(verify(connections, extent, adopts)));
        return Objects.requireNonNull(report.get());
    }

    private void atLeastOne(String option, int given) {
        if (given < 1) {
            throw new ParameterException(spec.commandLine(), option + " must be 1 or more, was " + given);
        }
    }

    private RelayConfig throttled(RelayConfig relay) {
        if (requestUnits == null && relay.operations().isThrottled()) {
            return relay;
        }
        int wanted = requestUnits == null ? REQUEST_UNITS : requestUnits;
        if (wanted < LEAST_REQUEST_UNITS || wanted > MOST_REQUEST_UNITS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--request-units must be from " + LEAST_REQUEST_UNITS + " to " + MOST_REQUEST_UNITS + ", was "
                            + wanted);
        }
        return limited(relay, wanted);
    }

    private static RelayConfig limited(RelayConfig relay, int wanted) {
        // Each of a replica's two clients gets a half, and all that costs is asked for by one of them: first by scans,
        // then by reads of the feed, for each of which that is a half again.
        var limited = relay.withThroughputLimit(4 * wanted);
        return limited.withOperations(limited.operations().withScanLimit(2 * wanted));
    }

    private static VerificationReport verify(RelayConnections connections, Verification.Extent extent, boolean adopts) {
        connections.requirePrefix();
        try (var admin = connections.kafka().admin()) {
            var waiting = connections.historyDryRun(admin);
            return new Verification(
                            connections.feed().container(),
                            connections.kafka(),
                            admin,
                            connections.topics(),
                            adopts ? waiting.adopting() : waiting)
                    .run(extent);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrerequisiteException("interrupted while comparing", e);
        }
    }

    private int print(VerificationReport report) {
        var out = spec.commandLine().getOut();
        if (json) {
            out.println(Answer.json(200, report).body());
        } else {
            report.lines().forEach(out::println);
        }
        out.flush();
        return report.isExact() ? ExitCode.DONE : ExitCode.OTHER;
    }
}
