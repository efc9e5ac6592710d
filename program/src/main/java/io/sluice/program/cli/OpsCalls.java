package io.sluice.program.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.program.http.OpsPort;
import io.sluice.program.http.OpsToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Calls a running process at its port for operators. A part of commands that do. */
public final class OpsCalls {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int FIRST_REFUSAL = 400;

    private final String who;
    private final Supplier<OpsPort> port;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--url",
            description =
                    "Where it answers operators, such as http://127.0.0.1:8082; by default where the settings say.")
    private @Nullable URI url;

    /**
     * Calls nobody yet.
     *
     * @param who is called, such as relay
     * @param port where it is by the settings, and the token
     */
    public OpsCalls(String who, Supplier<OpsPort> port) {
        this.who = who;
        this.port = port;
    }

    /**
     * Calls, and prints the answer.
     *
     * @return {@link ExitCode#OTHER} when it is a refusal
     * @throws PrerequisiteException when there is no answer
     */
    public int send(String method, String path) throws InterruptedException {
        OpsPort known = port.get();
        URI at = at(known, path);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at).timeout(TIMEOUT).method(method, HttpRequest.BodyPublishers.noBody());
        if (known.token() != null) {
            request.header("Authorization", new OpsToken(known.token()).authorization());
        }
        HttpResponse<String> answer;
        try {
            answer = HttpClient.newBuilder()
                    .connectTimeout(TIMEOUT)
                    .build()
                    .send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new PrerequisiteException("no " + who + " answers at " + at + " (" + e + "); check --url", e);
        }
        boolean refused = answer.statusCode() >= FIRST_REFUSAL;
        var to = refused ? spec.commandLine().getErr() : spec.commandLine().getOut();
        to.println(answer.body());
        to.flush();
        return refused ? ExitCode.OTHER : ExitCode.DONE;
    }

    private URI at(OpsPort known, String path) {
        if (url == null && known.port() <= 0) {
            throw new ParameterException(
                    spec.commandLine(), "name the " + who + ": --url, or " + known.variables() + "PORT");
        }
        if (url != null && !isOfHttp(url)) {
            throw new ParameterException(
                    spec.commandLine(), "--url must be as http://<host>:<port>, without a user's name and parameters");
        }
        String base = url == null ? "http://" + known.host() + ":" + known.port() : url.toString();
        return URI.create(base.replaceAll("/+$", "") + path);
    }

    private static boolean isOfHttp(URI url) {
        return ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
                && url.getHost() != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }
}
