package io.sluice.relay.cli;

import io.sluice.relay.RelayConfig;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.http.OpsToken;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands that talk to a running relay over its HTTP port. */
public final class OpsCommands {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int DONE = 0;
    private static final int REFUSED = 1;
    private static final int FIRST_REFUSAL = 400;

    private final Supplier<RelayConfig.Http> config;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--url",
            description = "Where it answers operators; by default at SLUICE_OPS_HOST and SLUICE_OPS_PORT.")
    private @Nullable URI url;

    private OpsCommands(Supplier<RelayConfig.Http> config) {
        this.config = config;
    }

    private URI at(RelayConfig.Http http, String path) {
        if (url == null && http.port() <= 0) {
            throw new ParameterException(spec.commandLine(), "name the relay: --url, or SLUICE_OPS_PORT");
        }
        if (url != null && !isOfHttp(url)) {
            throw new ParameterException(
                    spec.commandLine(), "--url must be as http://<host>:<port>, without a user's name and parameters");
        }
        var base = url == null ? "http://" + http.host() + ":" + http.port() : url.toString();
        return URI.create(base.replaceAll("/+$", "") + path);
    }

    private static boolean isOfHttp(URI url) {
        return ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
                && url.getHost() != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }

    /** As a segment of a path. */
    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private int send(String method, String path) throws InterruptedException {
        var http = config.get();
        var at = at(http, path);
        var request = HttpRequest.newBuilder(at).timeout(TIMEOUT).method(method, HttpRequest.BodyPublishers.noBody());
        if (http.token() != null) {
            request.header("Authorization", new OpsToken(http.token()).authorization());
        }
        HttpResponse<String> answer;
        try {
            answer = HttpClient.newBuilder()
                    .connectTimeout(TIMEOUT)
                    .build()
                    .send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new RelayStartException("no relay answers at " + at + " (" + e + "); check --url", e);
        }
        var refused = answer.statusCode() >= FIRST_REFUSAL;
        var to = refused ? spec.commandLine().getErr() : spec.commandLine().getOut();
        to.println(answer.body());
        to.flush();
        return refused ? REFUSED : DONE;
    }

    /** Prints a running relay's status. */
    @Command(name = "status", description = "Prints the status of a running relay as JSON.")
    public static final class Status implements Callable<Integer> {
        @Mixin
        private final OpsCommands relay;

        public Status(Supplier<RelayConfig.Http> config) {
            this.relay = new OpsCommands(config);
        }

        @Override
        public Integer call() throws InterruptedException {
            return relay.send("GET", "/status");
        }
    }

    /** Asks a running relay whether it does its work, for the probes of containers. */
    @Command(
            name = "health",
            description =
                    "Asks a running relay whether it does all of its work: ends with 0 when it does, else with 1.")
    public static final class Health implements Callable<Integer> {
        @Mixin
        private final OpsCommands relay;

        @Option(names = "--live", description = "Ask whether it is to be left alone rather than killed.")
        private boolean live;

        public Health(Supplier<RelayConfig.Http> config) {
            this.relay = new OpsCommands(config);
        }

        @Override
        public Integer call() throws InterruptedException {
            return relay.send("GET", live ? "/health/live" : "/health/ready");
        }
    }

    /** Sends a request about one pipeline, or all. */
    private abstract static class PipelineCommand implements Callable<Integer> {
        @Mixin
        private final OpsCommands relay;

        @Parameters(paramLabel = "PIPELINE", description = "intents, events, commands or all")
        private String pipeline = "";

        private final String path;

        private PipelineCommand(Supplier<RelayConfig.Http> config, String path) {
            this.relay = new OpsCommands(config);
            this.path = path;
        }

        @Override
        public Integer call() throws InterruptedException {
            return relay.send("POST", path + encoded(pipeline));
        }
    }

    /** Pauses a running relay. */
    @Command(name = "pause", description = "Pauses a pipeline of a running relay until it is resumed or restarted.")
    public static final class Pause extends PipelineCommand {
        public Pause(Supplier<RelayConfig.Http> config) {
            super(config, "/pause/");
        }
    }

    /** Resumes a paused relay. */
    @Command(name = "resume", description = "Resumes a paused pipeline of a running relay.")
    public static final class Resume extends PipelineCommand {
        public Resume(Supplier<RelayConfig.Http> config) {
            super(config, "/resume/");
        }
    }
}
