package io.sluice.emulator.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.emulator.Topology;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.controlplane.ControlHandlers;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.ResourcePath;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Serves a request from its bytes to its response: route, injected faults, signature, handler, log entry. The work runs
 * on a scheduler whose threads may block. Thread-safe.
 */
final class RequestPipeline {
    private static final Logger LOG = LoggerFactory.getLogger(RequestPipeline.class);
    private static final String RETRY_AFTER_MILLIS = "10";
    private static final int MAX_REDIRECTS = 5;
    private static final int WRITE_FORBIDDEN = 3;

    /** Probes come under any host's name, and learn nothing but that requests are served. */
    private static final List<String> HEALTH = List.of("health");

    private static final String BINARY_FORMAT = "CosmosBinary";
    private static final int FIRST_REDIRECTION = 300;
    private static final Set<RequestKind> WITH_ITEMS = EnumSet.of(
            RequestKind.ITEM_READ,
            RequestKind.ITEM_CREATE,
            RequestKind.ITEM_REPLACE,
            RequestKind.ITEM_UPSERT,
            RequestKind.ITEM_PATCH,
            RequestKind.QUERY,
            RequestKind.READ_FEED);

    private final Router router;
    private final Topology topology;
    private final MasterKeyAuthenticator authenticator;
    private final IdentityAuthenticator identities;
    private final RequestInterceptor interceptor;
    private final InstantSource clock;
    private final Scheduler scheduler;
    private final AtomicLong sequence = new AtomicLong();

    RequestPipeline(
            Router router,
            Topology topology,
            ServerSettings settings,
            RequestInterceptor interceptor,
            Scheduler scheduler) {
        this.router = router;
        this.topology = topology;
        this.authenticator = new MasterKeyAuthenticator(settings.key());
        this.identities = new IdentityAuthenticator(settings.key(), settings.clock());
        this.interceptor = interceptor;
        this.clock = settings.clock();
        this.scheduler = scheduler;
    }

    /**
     * What the server sends back.
     *
     * @param response to write, null when the connection is to be closed instead
     * @param activityId of the request
     */
    record Outcome(@Nullable WireResponse response, String activityId) {}

    /**
     * Serves a request as it came off its connection. A request that has been read is served to its end, even when the
     * client closes the connection meanwhile.
     */
    Mono<Outcome> process(String region, String method, String target, HttpHeaders headers, byte[] body) {
        var served =
                runInPool(() -> receive(region, method, target, headers, body)).flatMap(this::respond);
        return Mono.create(sink -> {
            var unused = served.subscribe(sink::success, sink::error);
        });
    }

    /**
     * Runs work on a thread of the pool. Unlike {@link Mono#fromCallable}, it does not interrupt the thread when the
     * client closes the connection: an interrupt while the store reads its file would close the file.
     */
    private <T> Mono<T> runInPool(Callable<T> work) {
        return Mono.create(sink -> scheduler.schedule(() -> {
            try {
                sink.success(work.call());
            } catch (Exception e) {
                sink.error(e);
            }
        }));
    }

    /** A request with its route, its log entry, and the fault to inject. */
    private record ReceivedRequest(
            WireRequest request, Route route, LoggedRequest logged, RequestInterceptor.Action action, long atNanos) {}

    private ReceivedRequest receive(String region, String method, String target, HttpHeaders headers, byte[] body) {
        long atNanos = System.nanoTime();
        ResourcePath path;
        StatusException unreadable = null;
        try {
            path = ResourcePath.parse(target);
        } catch (StatusException e) {
            path = new ResourcePath(List.of("unreadable"));
            unreadable = e;
        }
        var request = new WireRequest(region, method, path, headers, body);
        var route = unreadable == null ? router.route(request) : Router.unreadable(unreadable);
        var logged = LoggedRequests.withoutResponse(sequence.incrementAndGet(), clock.instant(), route.kind(), request);
        return new ReceivedRequest(request, route, logged, interceptor.intercept(logged), atNanos);
    }

    private Mono<Outcome> respond(ReceivedRequest received) {
        var action = received.action();
        if (action instanceof RequestInterceptor.Delay delay) {
            return later(delay.duration(), () -> complete(received, serve(received), "delay"));
        }
        if (action instanceof RequestInterceptor.Refuse refuse) {
            return now(complete(received, injectedError(received, refuse), "refuse"));
        }
        if (action instanceof RequestInterceptor.DropConnection) {
            complete(received, WireResponse.empty(0), "dropConnection");
            return now(new Outcome(null, received.request().activityId()));
        }
        if (action instanceof RequestInterceptor.AnswerInstead instead) {
            complete(received, serve(received), "answerInstead");
            return now(new Outcome(
                    injectedError(received, instead.answer()),
                    received.request().activityId()));
        }
        if (action instanceof RequestInterceptor.ServeLate late) {
            late.signal().thenRun(() -> scheduler.schedule(() -> complete(received, serve(received), "serveLate")));
            return now(new Outcome(null, received.request().activityId()));
        }
        if (action instanceof RequestInterceptor.ForgetConditions) {
            received.request().forgetConditions();
            return now(complete(received, serve(received), "forgetConditions"));
        }
        if (action instanceof RequestInterceptor.Before before) {
            var response = answer(received, () -> {
                before.work().accept(received.logged());
                return serve(received);
            });
            return now(complete(received, response, "before"));
        }
        if (action instanceof RequestInterceptor.After after) {
            var response = answer(received, () -> {
                var served = serve(received);
                after.work().accept(received.logged());
                return served;
            });
            return now(complete(received, response, "after"));
        }
        if (action instanceof RequestInterceptor.LoseAnswer) {
            complete(received, serve(received), "loseAnswer");
            return now(new Outcome(null, received.request().activityId()));
        }
        return now(complete(received, serve(received), null));
    }

    private static Mono<Outcome> now(Outcome outcome) {
        return Mono.just(outcome);
    }

    private Mono<Outcome> later(Duration delay, Callable<Outcome> work) {
        return Mono.delay(delay).then(runInPool(work));
    }

    private Outcome complete(ReceivedRequest received, WireResponse response, @Nullable String fault) {
        var took = Duration.ofNanos(System.nanoTime() - received.atNanos());
        response.header(Headers.REQUEST_DURATION, Double.toString(TimeUnit.NANOSECONDS.toMicros(took.toNanos()) / 1e3));
        interceptor.record(LoggedRequests.withResponse(received.logged(), response, took, fault));
        return new Outcome(response, received.request().activityId());
    }

    /** Items and results are binary JSON for clients that take it; all else is text. */
    private static boolean isBinaryAsked(RequestKind kind, WireRequest request, WireResponse response) {
        return WITH_ITEMS.contains(kind)
                && response.status() < FIRST_REDIRECTION
                && response.body().length > 0
                && request.list(Headers.SERIALIZATION_FORMATS).stream().anyMatch(BINARY_FORMAT::equalsIgnoreCase);
    }

    private void authenticate(WireRequest request, Route route) {
        if (route.kind() == RequestKind.CONTROL) {
            if (!request.path().segments().equals(HEALTH)) {
                ControlHandlers.checkHost(request);
            }
        } else if (!route.signed()) {
            return;
        } else if (IdentityAuthenticator.isAsked(request)) {
            identities.authenticate(request, route.kind());
        } else {
            authenticator.authenticate(request);
        }
    }

    private WireResponse injectedError(ReceivedRequest received, RequestInterceptor.Refuse refuse) {
        var error = new StatusException(refuse.status(), refuse.subStatus(), "Refused by a fault that a test ordered.");
        return errorResponse(error, received.request());
    }

    private WireResponse serve(ReceivedRequest received) {
        var request = received.request();
        return answer(received, () -> {
            authenticate(request, received.route());
            checkRegion(received.route().kind(), request);
            var response = handle(received.route().handler(), request);
            return isBinaryAsked(received.route().kind(), request, response) ? response.toBinary() : response;
        });
    }

    /** Makes an answer, of an exception too. */
    private static WireResponse answer(ReceivedRequest received, Supplier<WireResponse> work) {
        var request = received.request();
        try {
            return work.get();
        } catch (StatusException e) {
            return errorResponse(e, request);
        } catch (StackOverflowError e) {
            return errorResponse(StatusException.badRequest("The request is nested too deep."), request);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("path", request.path()).setCause(e).log("the emulator failed to serve a request");
            return errorResponse(
                    new StatusException(
                            500, 0, "The emulator failed: " + e.getClass().getSimpleName()),
                    request);
        }
    }

    /** A region that takes no writes refuses them with 403 and sub-status 3; clients then read the account again. */
    private void checkRegion(RequestKind kind, WireRequest request) {
        if (kind.isWrite() && !topology.takesWrites(request.region())) {
            throw new StatusException(
                    403,
                    WRITE_FORBIDDEN,
                    "The requested operation cannot be performed at this region: " + request.region());
        }
    }

    /**
     * Runs the handler. A partition may split after the handler has chosen it: a request that names no partition key
     * range is then handled again, and finds the partition that has its items now.
     */
    private static WireResponse handle(RequestHandler handler, WireRequest request) {
        for (int redirects = 0;
                request.header(Headers.PARTITION_KEY_RANGE) == null && redirects < MAX_REDIRECTS;
                redirects++) {
            try {
                return handler.handle(request);
            } catch (StatusException e) {
                if (!e.isPartitionGone()) {
                    throw e;
                }
            }
        }
        return handler.handle(request);
    }

    private static WireResponse errorResponse(StatusException error, WireRequest request) {
        var response = WireResponse.error(error, request.activityId());
        boolean retriable = error.status() == 429 || error.status() == 449;
        return retriable && error.retryAfterMillis() == 0
                ? response.header(Headers.RETRY_AFTER, RETRY_AFTER_MILLIS)
                : response;
    }
}
