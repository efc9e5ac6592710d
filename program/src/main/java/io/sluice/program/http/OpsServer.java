package io.sluice.program.http;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.program.PrerequisiteException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * The HTTP server for operators. A few threads of its own handle requests, apart for each kind of endpoint
 * ({@link Places}), so that a request that waits for the store or for another replica delays neither the program's work
 * nor requests of another kind; when too many wait, the response is 503.
 */
public final class OpsServer implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int NONE = -1;
    private static final int LARGEST_HEAD = 16 * 1024;

    private final OpsPort config;
    private final boolean changesSomething;
    private final Router router;
    private final HostNames hostNames;
    private final AnswerSender sender;
    private @Nullable Running running;

    private record Running(DisposableServer server, ChannelGroup connections, Places places) {}

    /** Opens nothing yet. */
    public OpsServer(OpsPort config, List<Endpoint> endpoints) {
        this(config, endpoints, AnswerSender.Limits.USUAL);
    }

    OpsServer(OpsPort config, List<Endpoint> endpoints, AnswerSender.Limits limits) {
        this(config, endpoints, limits, endpoints.stream().anyMatch(Endpoint::changes));
    }

    private OpsServer(OpsPort config, List<Endpoint> endpoints, AnswerSender.Limits limits, boolean changesSomething) {
        this.sender = new AnswerSender(limits);
        this.config = config;
        this.changesSomething = changesSomething;
        this.router = new Router(endpoints, config);
        this.hostNames = new HostNames(
                Stream.concat(Stream.of(config.host()), config.names().stream()).toList());
    }

    /**
     * Opens the port for a moment, as that of a program whose calls can change something.
     *
     * @throws PrerequisiteException as {@link #start}
     */
    public static void check(OpsPort port) {
        try (OpsServer server = new OpsServer(port, List.of(), AnswerSender.Limits.USUAL, true)) {
            server.start();
        }
    }

    /**
     * Opens the port.
     *
     * @throws PrerequisiteException if it is in use, or if other machines can reach it, calls can change something and
     *     there is no token
     */
    public synchronized void start() {
        if (running != null || config.port() == NONE) {
            return;
        }
        if (changesSomething && config.token() == null && !isOnLoopback(config.host())) {
            throw new PrerequisiteException(
                    config.variable("HOST") + " " + config.host() + " can be reached from other machines: "
                            + config.tokenVariables() + ", or use 127.0.0.1",
                    null);
        }
        var places = new Places(router.endpoints());
        var connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        try {
            var server = HttpServer.create()
                    .doOnConnection(connection -> {
                        connections.add(connection.channel());
                        sender.watch(connection);
                    })
                    .host(config.host())
                    .port(config.port())
                    .idleTimeout(Duration.ofSeconds(60))
                    .httpRequestDecoder(decoder ->
                            decoder.maxInitialLineLength(LARGEST_HEAD).maxHeaderSize(LARGEST_HEAD))
                    .handle((request, response) -> handle(request, response, places))
                    .bindNow(TIMEOUT);
            running = new Running(server, connections, places);
        } catch (ChannelBindException e) {
            places.close();
            throw new PrerequisiteException(
                    "can't open port " + config.port() + " on " + config.host()
                            + ": set " + config.variable("PORT") + " to a free one, 0 for any, -1 for none; and "
                            + config.variable("HOST") + " to an address of this machine",
                    e.getCause() instanceof BindException cause ? cause : e);
        }
    }

    private static boolean isOnLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // opening the port reports it
        }
    }

    private Mono<Void> handle(HttpServerRequest request, HttpServerResponse response, Places places) {
        var host = header(request, HttpHeaderNames.HOST);
        if (!hostNames.isKnown(host)) {
            return sender.sendAlways(
                    response,
                    Answer.error(
                            421,
                            "unknown host " + host + ": add it to " + config.variable("NAMES")
                                    + " if it is a name of this process"));
        }
        var route = router.route(new Router.Request(
                request.method().name(),
                request.uri(),
                header(request, HttpHeaderNames.AUTHORIZATION),
                hasBody(request)));
        return route instanceof Router.Route.Found found
                ? places.answer(found)
                        .flatMap(answer -> found.endpoint().kind() == Endpoint.Kind.PROBE
                                ? sender.sendAlways(response, answer)
                                : sender.send(response, answer))
                : sender.send(response, ((Router.Route.None) route).answer());
    }

    private static String header(HttpServerRequest request, CharSequence name) {
        var value = request.requestHeaders().get(name);
        return value == null ? "" : value;
    }

    private static boolean hasBody(HttpServerRequest request) {
        var length = header(request, HttpHeaderNames.CONTENT_LENGTH);
        return !(length.isEmpty() || length.equals("0"))
                || !header(request, HttpHeaderNames.TRANSFER_ENCODING).isEmpty();
    }

    /** The port that was opened, -1 for none. */
    public synchronized int port() {
        return running == null ? NONE : running.server().port();
    }

    @Override
    public synchronized void close() {
        if (running != null) {
            running.server().disposeNow(TIMEOUT);
            // Otherwise a client with an open connection would go on sending requests to this closed server, though
            // another one listens at the port by now.
            running.connections().close().awaitUninterruptibly(TIMEOUT.toMillis());
            running.places().close();
            running = null;
        }
    }
}
