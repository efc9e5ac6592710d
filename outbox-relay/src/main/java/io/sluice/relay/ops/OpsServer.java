package io.sluice.relay.ops;

import java.net.BindException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Health and status over HTTP, on loopback: {@code GET /health/live}, {@code /health/ready} and {@code /status}, each a
 * JSON object; health answers 503 when it isn't well. Nothing here changes anything.
 */
public final class OpsServer implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int NONE = -1;

    private final int wantedPort;
    private final Answers answers;
    private @Nullable DisposableServer server;

    /** What it answers, each a JSON object. */
    public interface Answers {
        /** Whether the process is to be left alone rather than killed. */
        boolean isLive();

        /** Whether it does all of its work. */
        boolean isReady();

        /** Everything known about it. */
        String status();
    }

    /**
     * Opens nothing yet.
     *
     * @param port 0 for a free one, -1 for no server at all
     */
    public OpsServer(int port, Answers answers) {
        this.wantedPort = port;
        this.answers = answers;
    }

    /**
     * Opens the port.
     *
     * @throws StartFault when it is taken
     */
    public synchronized void start() {
        if (server != null || wantedPort == NONE) {
            return;
        }
        try {
            server = HttpServer.create()
                    .host(LOOPBACK)
                    .port(wantedPort)
                    .route(routes -> routes.get(
                                    "/health/live", (request, response) -> health(response, answers.isLive()))
                            .get("/health/ready", (request, response) -> health(response, answers.isReady()))
                            .get("/status", (request, response) -> json(response, answers.status())))
                    .bindNow(TIMEOUT);
        } catch (ChannelBindException e) {
            throw new StartFault(
                    "can't open port " + wantedPort + " on " + LOOPBACK + ": set SLUICE_OPS_PORT to a free one, 0 for "
                            + "any, -1 for none",
                    e.getCause() instanceof BindException cause ? cause : e);
        }
    }

    private static Mono<Void> health(HttpServerResponse response, boolean isWell) {
        return json(response.status(isWell ? 200 : 503), "{\"well\":" + isWell + "}");
    }

    private static Mono<Void> json(HttpServerResponse response, String body) {
        return response.header("Content-Type", "application/json")
                .sendString(Mono.just(body))
                .then();
    }

    /** The port that was opened, -1 for none. */
    public synchronized int port() {
        return server == null ? NONE : server.port();
    }

    @Override
    public synchronized void close() {
        if (server != null) {
            server.disposeNow(TIMEOUT);
            server = null;
        }
    }
}
