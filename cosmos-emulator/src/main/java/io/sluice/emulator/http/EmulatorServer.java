package io.sluice.emulator.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.emulator.Replication;
import io.sluice.emulator.ServerCertificate;
import io.sluice.emulator.Topology;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.controlplane.AccountHandlers;
import io.sluice.emulator.http.controlplane.RegionHandlers;
import io.sluice.emulator.http.dataplane.ThroughputLimiter;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Account;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.ChannelBindException;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;

/**
 * The HTTP server. Its event loops only move bytes; requests are served on a bounded pool of threads. Thread-safe.
 */
public final class EmulatorServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmulatorServer.class);
    private static final String HOST = "127.0.0.1";
    private static final int MAX_LINE_BYTES = 32 * 1024;
    private static final int MAX_HEADER_BYTES = 128 * 1024;
    private static final long MAX_STREAMS = 1_000;
    private static final int EVENT_LOOPS = 2;
    private static final int WORKERS = 16;
    private static final int QUEUED_REQUESTS = 100_000;
    private static final int IDLE_WORKER_SECONDS = 30;
    private static final Duration EXPIRY_SWEEP = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private static final ApplicationProtocolConfig CLIENTS_CHOICE = new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2,
            ApplicationProtocolNames.HTTP_1_1);

    private final InstantSource clock;
    private final LoopResources loops;
    private final Scheduler workers;
    private final ExecutorService testThreads = Executors.newCachedThreadPool(EmulatorServer::testThread);
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final RequestPipeline pipeline;
    private final List<DisposableServer> servers = new ArrayList<>();
    private final @Nullable SslContext tls;
    private final HttpProtocol[] protocols;
    private final Topology topology;
    private final Replication replication;
    private final Disposable sweep;

    private EmulatorServer(ServerSettings settings, Account account, RequestInterceptor interceptor) {
        clock = settings.clock();
        loops = LoopResources.create("cosmos-emulator-loop", EVENT_LOOPS, true);
        workers = Schedulers.newBoundedElastic(WORKERS, QUEUED_REQUESTS, "cosmos-emulator", IDLE_WORKER_SECONDS, true);
        var certificate = settings.certificate();
        tls = certificate == null ? null : context(certificate);
        protocols = protocols(settings);
        topology = new Topology(settings.regions(), settings.multipleWriteRegions());
        var accounts = new AccountHandlers(topology, settings.continuousBackup(), settings.isBeyondLoopback());
        var limiter = new ThroughputLimiter(account, settings.containerThroughput(), clock);
        replication = new Replication(account, topology);
        var router = new Router(account, accounts, new RegionHandlers(topology, replication), limiter);
        var responder = new Responder(topology, settings);
        pipeline = new RequestPipeline(
                router,
                responder,
                interceptor,
                clock,
                new RequestPipeline.Pools(workers, Schedulers.fromExecutorService(testThreads)));
        listen(settings);
        sweep = workers.schedulePeriodically(
                account::sweep, EXPIRY_SWEEP.toMillis(), EXPIRY_SWEEP.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Starts a server and returns when it listens.
     *
     * @throws IllegalStateException when the port is taken
     */
    public static EmulatorServer start(ServerSettings settings, Account account, RequestInterceptor interceptor) {
        return new EmulatorServer(settings, account, interceptor);
    }

    /** Its regions. */
    public Topology topology() {
        return topology;
    }

    /** How far its regions are behind each other. */
    public Replication replication() {
        return replication;
    }

    @Override
    public void close() {
        sweep.dispose();
        // The listening socket first: a client whose connection is closed would come back at once.
        servers.forEach(server -> server.channel().close().awaitUninterruptibly(CLOSE_TIMEOUT.toMillis()));
        connections.close().awaitUninterruptibly(CLOSE_TIMEOUT.toMillis());
        servers.forEach(server -> server.disposeNow(CLOSE_TIMEOUT));
        // Without an interrupt: it would close the store's file under the work, or end a close that the work called.
        testThreads.shutdown();
        workers.disposeGracefully().timeout(CLOSE_TIMEOUT, Mono.empty()).block();
        loops.disposeLater(Duration.ZERO, CLOSE_TIMEOUT).block();
    }

    /** Gives each region a port of its own: from the configured one on, or any free ones. */
    private void listen(ServerSettings settings) {
        for (var region : settings.regions()) {
            int port = settings.port() == 0 ? 0 : settings.port() + servers.size();
            var server = bind(settings.listenAddress(), region, port);
            servers.add(server);
            topology.setEndpoint(region, (tls == null ? "http://" : "https://") + HOST + ":" + server.port() + "/");
        }
    }

    private static HttpProtocol[] protocols(ServerSettings settings) {
        if (settings.certificate() != null) {
            return new HttpProtocol[] {HttpProtocol.H2, HttpProtocol.HTTP11};
        }
        return settings.plainHttp2()
                ? new HttpProtocol[] {HttpProtocol.H2C, HttpProtocol.HTTP11}
                : new HttpProtocol[] {HttpProtocol.HTTP11};
    }

    private static SslContext context(ServerCertificate certificate) {
        try {
            return SslContextBuilder.forServer(stream(certificate.chainPem()), stream(certificate.keyPem()))
                    .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .applicationProtocolConfig(CLIENTS_CHOICE)
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalStateException("The emulator's certificate or key can't be used for TLS", e);
        }
    }

    private static ByteArrayInputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static Thread testThread(Runnable work) {
        var thread = new Thread(work, "cosmos-emulator-test");
        thread.setDaemon(true);
        return thread;
    }

    private DisposableServer bind(String address, String region, int port) {
        var context = tls;
        var server = HttpServer.create()
                .host(address)
                .port(port)
                .runOn(loops)
                .protocol(protocols)
                .http2Settings(http2 -> http2.maxConcurrentStreams(MAX_STREAMS).maxHeaderListSize(MAX_HEADER_BYTES))
                .channelGroup(connections)
                .httpRequestDecoder(
                        decoder -> decoder.maxInitialLineLength(MAX_LINE_BYTES).maxHeaderSize(MAX_HEADER_BYTES))
                .handle((request, response) -> handle(region, request, response));
        try {
            return (context == null ? server : server.secure(spec -> spec.sslContext(context))).bindNow();
        } catch (ChannelBindException e) {
            servers.forEach(DisposableServer::dispose);
            workers.dispose();
            loops.dispose();
            throw new IllegalStateException(
                    "The emulator can't listen on " + address + ", port " + port + "; is it taken?", e);
        }
    }

    private Publisher<Void> handle(String region, HttpServerRequest request, HttpServerResponse response) {
        return body(request)
                .flatMap(body -> pipeline.process(
                        region, request.method().name(), request.uri(), request.requestHeaders(), body))
                .onErrorResume(StatusException.class, refusal -> Mono.just(errorOutcome(request, refusal)))
                .flatMap(outcome -> write(outcome, response));
    }

    /** The outcome for a request that was not read to its end. */
    private static RequestPipeline.Outcome errorOutcome(HttpServerRequest request, StatusException refusal) {
        var given = request.requestHeaders().get(Headers.ACTIVITY_ID);
        var activityId = given == null ? UUID.randomUUID().toString() : given;
        return new RequestPipeline.Outcome(WireResponse.error(refusal, activityId), activityId);
    }

    private static Mono<byte[]> body(HttpServerRequest request) {
        int announced = request.requestHeaders().getInt(HttpHeaderNames.CONTENT_LENGTH, 0);
        return request.receive()
                .reduceWith(() -> new RequestBody(announced), RequestBody::append)
                .map(RequestBody::bytes);
    }

    private Mono<Void> write(RequestPipeline.Outcome outcome, HttpServerResponse out) {
        var response = outcome.response();
        if (response == null) {
            out.withConnection(EmulatorServer::closeConnection);
            return Mono.never();
        }
        out.status(response.status())
                .header(HttpHeaderNames.DATE, DATE.format(clock.instant()))
                .header(Headers.ACTIVITY_ID, outcome.activityId())
                .header(Headers.REQUEST_CHARGE, Double.toString(response.requestCharge()))
                .header(Headers.GATEWAY_VERSION, "version=2.14.0")
                .header(Headers.SERVICE_VERSION, "version=2.14.0.0");
        if (response.subStatus() != 0) {
            out.header(Headers.SUB_STATUS, Integer.toString(response.subStatus()));
        }
        response.headers().forEach(out::header);
        if (response.status() == 204 || response.status() == 304) {
            return out.send();
        }
        out.header(HttpHeaderNames.CONTENT_TYPE, response.contentType());
        out.header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(response.body().length));
        LOG.atTrace().addKeyValue("status", response.status()).log("response sent");
        return out.sendObject(Unpooled.wrappedBuffer(response.body())).then();
    }

    private static void closeConnection(Connection connection) {
        var unused = connection.channel().close();
    }
}
