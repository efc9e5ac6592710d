package io.sluice.emulator.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.ResourcePath;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Takes a request from its bytes to its response: route, signature, injected faults, {@linkplain Responder response},
 * log entry. The work runs on a scheduler whose threads may block. Thread-safe.
 */
final class RequestPipeline {
    private final Router router;
    private final Responder responder;
    private final RequestInterceptor interceptor;
    private final LoggedRequests entries;
    private final Pools pools;

    RequestPipeline(
            Router router, Responder responder, RequestInterceptor interceptor, InstantSource clock, Pools pools) {
        this.router = router;
        this.responder = responder;
        this.interceptor = interceptor;
        this.entries = new LoggedRequests(clock);
        this.pools = pools;
    }

    /**
     * The threads that work runs on.
     *
     * @param requests serve requests; they are few
     * @param tests run what tests want done while a request is in flight; as many as needed, for it may call the
     *     emulator again
     */
    record Pools(Scheduler requests, Scheduler tests) {}

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
        var served = runOn(pools.requests(), () -> start(receive(region, method, target, headers, body)))
                .flatMap(outcome -> outcome);
        return Mono.create(sink -> {
            var unused = served.subscribe(sink::success, sink::error);
        });
    }

    /**
     * Runs work on a thread of a pool. Unlike {@link Mono#fromCallable}, it does not interrupt the thread when the
     * client closes the connection: an interrupt while the store reads its file would close the file.
     */
    private static <T> Mono<T> runOn(Scheduler pool, Callable<T> work) {
        return Mono.create(sink -> pool.schedule(() -> {
            try {
                sink.success(work.call());
            } catch (Exception | Error e) {
                sink.error(e);
            }
        }));
    }

    private Mono<Outcome> start(Exchange exchange) {
        return interceptor.intercept(exchange.logged).perform(exchange);
    }

    private Exchange receive(String region, String method, String target, HttpHeaders headers, byte[] body) {
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
        // Before the log entry, for which the body is parsed: megabytes that nobody signed are not.
        var refusal = responder.refuse(route, request);
        var logged = refusal == null ? entries.accepted(route.kind(), request) : entries.refused(route.kind(), request);
        return new Exchange(request, route, refusal, logged, atNanos);
    }

    /** A request on its way to its outcome, with what may befall it. Used by one thread at a time. */
    final class Exchange {
        private final WireRequest request;
        private final Route route;
        private final @Nullable WireResponse refusal;
        private final LoggedRequest logged;
        private final long atNanos;

        /** @param refusal the response when the request is not authenticated, else null */
        private Exchange(
                WireRequest request, Route route, @Nullable WireResponse refusal, LoggedRequest logged, long atNanos) {
            this.request = request;
            this.route = route;
            this.refusal = refusal;
            this.logged = logged;
            this.atNanos = atNanos;
        }

        /** Serves the request, and logs it with the fault that it met, null for none. */
        Outcome serve(@Nullable String fault) {
            return complete(response(), fault);
        }

        private WireResponse response() {
            return refusal == null ? responder.respond(route, request) : refusal;
        }

        /** Serves the request without the conditions of its batch. */
        Outcome serveWithoutConditions(String fault) {
            if (refusal == null) {
                request.forgetConditions();
            }
            return serve(fault);
        }

        /** Answers the request with an error in place of serving it. */
        Outcome refuse(int status, int subStatus, String fault) {
            return complete(error(status, subStatus), fault);
        }

        /** The outcome of an error in place of the response that was made and logged. */
        Outcome instead(int status, int subStatus) {
            return new Outcome(error(status, subStatus), request.activityId());
        }

        private WireResponse error(int status, int subStatus) {
            var error = new StatusException(status, subStatus, "Refused by a fault that a test ordered.");
            return Responder.error(error, request);
        }

        /** Logs the request as one that was not served. */
        void drop(String fault) {
            complete(WireResponse.empty(0), fault);
        }

        /** The outcome of a connection that is closed in place of a response. */
        Outcome noResponse() {
            return new Outcome(null, request.activityId());
        }

        /** Serves the request after a delay. */
        Mono<Outcome> serveLater(Duration delay, String fault) {
            return Mono.delay(delay).then(runOn(pools.requests(), () -> serve(fault)));
        }

        /** Serves the request when a signal completes. Its client gets nothing of it. */
        void serveOn(CompletionStage<?> signal, String fault) {
            signal.thenRun(() -> pools.requests().schedule(() -> serve(fault)));
        }

        /** Runs a test's work, and serves the request when it has ended well. */
        Mono<Outcome> runThenServe(Consumer<LoggedRequest> work, String fault) {
            return run(work, fault).switchIfEmpty(runOn(pools.requests(), () -> serve(fault)));
        }

        /** Serves the request, and holds its response back while a test's work runs. */
        Mono<Outcome> serveThenRun(Consumer<LoggedRequest> work, String fault) {
            var response = response();
            return run(work, fault).switchIfEmpty(Mono.fromCallable(() -> complete(response, fault)));
        }

        /** Empty when the work has ended well, so that the request goes on; else its error is the outcome. */
        private Mono<Outcome> run(Consumer<LoggedRequest> work, String fault) {
            return runOn(pools.tests(), () -> {
                        work.accept(logged);
                        return true;
                    })
                    .then(Mono.<Outcome>empty())
                    .onErrorResume(
                            failure -> Mono.fromCallable(() -> complete(Responder.failure(failure, request), fault)));
        }

        private Outcome complete(WireResponse response, @Nullable String fault) {
            var took = Duration.ofNanos(System.nanoTime() - atNanos);
            response.header(Headers.REQUEST_DURATION, millis(took));
            interceptor.record(LoggedRequests.withResponse(logged, response, took, fault));
            return new Outcome(response, request.activityId());
        }
    }

    /** With three decimals. */
    private static String millis(Duration took) {
        return BigDecimal.valueOf(TimeUnit.NANOSECONDS.toMicros(took.toNanos()), 3)
                .toPlainString();
    }
}
