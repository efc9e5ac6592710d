package io.sluice.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The emulator as a program: {@code java -jar sluice-cosmos-emulator.jar --help}. */
public final class Main {
    private static final int DEFAULT_PORT = 8081;
    private static final int OK = 200;
    private static final int NOT_SERVING = 1;
    private static final int USAGE_ERROR = 2;
    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(10);
    private static final String LOG_SETTINGS = "logback.configurationFile";
    private static final String USAGE = """
            Azure Cosmos DB for NoSQL, emulated.

              --listen <address>        127.0.0.1; 0.0.0.0 lets other machines and containers in
              --port <n>                8081; 0 for any free one
              --data-dir <folder>       keeps everything there; else in memory
              --fsync                   with --data-dir: forces each write to the disk before its answer
              --partitions <n>          physical partitions per container, 4
              --throughput <RU/s>       limit of containers for which none was bought, 0 for none
              --region <name>           repeat for several; the first takes writes
              --continuous-backup       change feeds know all versions and deletes
              --http2                   HTTP/2 without TLS too; with TLS, clients choose
              --key <base64>            the account's key; else the one all emulators share
              --tls                     HTTPS with a new self-signed certificate
              --cert <pem> --cert-key <pem>
                                        HTTPS with this certificate chain and PKCS#8 key
              --cert-out <file>         writes the certificate there, for clients to trust

              --health <url>            starts nothing: asks the emulator there, ends with 0 when it serves, else with 1
            """;

    private Main() {}

    /**
     * Runs until the process is asked to end.
     *
     * @param args as the usage says
     */
    public static void main(String[] args) throws InterruptedException {
        if (List.of(args).contains("--help")) {
            System.out.print(USAGE);
            return;
        }
        if (args.length == 2 && args[0].equals("--health")) {
            System.exit(checkHealth(args[1]) ? 0 : NOT_SERVING);
        }
        if (System.getProperty(LOG_SETTINGS) == null) {
            System.setProperty(LOG_SETTINGS, "io/sluice/emulator/program-logback.xml");
        }
        CosmosEmulator emulator;
        try {
            emulator = start(args);
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
            System.err.println(e.getMessage());
            System.exit(USAGE_ERROR);
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(emulator::close, "cosmos-emulator-close"));
        listening(emulator).forEach(System.out::println);
        Thread.currentThread().join();
    }

    /** A line for each region, with the address it listens on, not the one by which this machine reaches it. */
    static List<String> listening(CosmosEmulator emulator) {
        return emulator.topology().regions().stream()
                .map(region -> region + " listens at "
                        + emulator.topology().endpoint(region).replace("127.0.0.1", emulator.listenAddress()))
                .toList();
    }

    /**
     * Asks the emulator at a URL for its health, and prints the reason when it is not healthy. TLS uses this Java's
     * trust store.
     */
    static boolean checkHealth(String url) throws InterruptedException {
        try {
            var request = HttpRequest.newBuilder(URI.create(url.replaceAll("/+$", "") + "/health"))
                    .timeout(HEALTH_TIMEOUT)
                    .build();
            var answer = HttpClient.newBuilder()
                    .connectTimeout(HEALTH_TIMEOUT)
                    .build()
                    .send(request, BodyHandlers.discarding());
            if (answer.statusCode() == OK) {
                return true;
            }
            System.err.println(url + " answers " + answer.statusCode());
        } catch (IOException | IllegalArgumentException e) {
            System.err.println(url + " does not serve: " + e);
        }
        return false;
    }

    /**
     * Starts an emulator with the given arguments.
     *
     * @throws IllegalArgumentException when an argument is none, naming it
     */
    static CosmosEmulator start(String... args) {
        var options = new ArrayDeque<>(List.of(args));
        var config = EmulatorConfig.inMemory().withPort(DEFAULT_PORT);
        Path certificate = null;
        Path certificateKey = null;
        Path certificateOut = null;
        while (!options.isEmpty()) {
            var option = options.remove();
            switch (option) {
                case "--listen" -> config = config.withListenAddress(value(option, options));
                case "--port" -> config = config.withPort(number(option, options));
                case "--data-dir" -> config = config.withFolder(Path.of(value(option, options)));
                case "--fsync" -> config = config.withForcedWrites(true);
                case "--partitions" -> config = config.withPhysicalPartitions(number(option, options));
                case "--throughput" -> config = config.withContainerThroughput(number(option, options));
                case "--region" -> config = config.withFurtherRegion(value(option, options));
                case "--continuous-backup" -> config = config.withContinuousBackup(true);
                case "--http2" -> config = config.withPlainHttp2(true);
                case "--key" -> config = config.withKey(value(option, options));
                case "--tls" -> config = config.withSelfSignedTls();
                case "--cert" -> certificate = Path.of(value(option, options));
                case "--cert-key" -> certificateKey = Path.of(value(option, options));
                case "--cert-out" -> certificateOut = Path.of(value(option, options));
                default -> throw new IllegalArgumentException("Unknown option " + option + "; --help lists them");
            }
        }
        if (certificate != null && certificateKey != null) {
            config = config.withTls(certificate, certificateKey);
        } else if (certificate != null || certificateKey != null) {
            throw new IllegalArgumentException("--cert and --cert-key go together");
        }
        if (config.forcedWrites() && config.folder() == null) {
            throw new IllegalArgumentException("--fsync needs --data-dir");
        }
        var emulator = CosmosEmulator.start(config);
        writeCertificate(emulator, certificateOut);
        return emulator;
    }

    private static void writeCertificate(CosmosEmulator emulator, @Nullable Path file) {
        var certificate = emulator.certificate();
        if (file == null) {
            return;
        }
        if (certificate == null) {
            emulator.close();
            throw new IllegalArgumentException("--cert-out needs --tls or --cert");
        }
        try {
            Files.writeString(file, certificate);
        } catch (IOException e) {
            emulator.close();
            throw new UncheckedIOException("The certificate can't be written: " + file, e);
        }
    }

    private static String value(String option, Deque<String> options) {
        var value = options.poll();
        if (value == null || value.startsWith("--")) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return value;
    }

    private static int number(String option, Deque<String> options) {
        var value = value(option, options);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " must be a whole number, was " + value, e);
        }
    }
}
