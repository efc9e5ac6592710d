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
        var served = runOn(pools.requests(), () -> receive(region, method, target, headers, body))
                .flatMap(this::respond);
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

    /**
     * A request with its route, its log entry, and the fault to inject.
     *
     * @param refusal its response when its signature is wrong, else null
     */
    private record ReceivedRequest(
            WireRequest request,
            Route route,
            @Nullable WireResponse refusal,
            LoggedRequest logged,
            RequestInterceptor.Action action,
            long atNanos) {}

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
        // Before the log entry, for which the body is parsed: megabytes that nobody signed are not.
        var refusal = responder.refuse(route, request);
        var logged = refusal == null ? entries.accepted(route.kind(), request) : entries.refused(route.kind(), request);
        return new ReceivedRequest(request, route, refusal, logged, interceptor.intercept(logged), atNanos);
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
            late.signal()
                    .thenRun(() -> pools.requests().schedule(() -> complete(received, serve(received), "serveLate")));
            return now(new Outcome(null, received.request().activityId()));
        }
        if (action instanceof RequestInterceptor.ForgetConditions) {
            if (received.refusal() == null) {
                received.request().forgetConditions();
            }
            return now(complete(received, serve(received), "forgetConditions"));
        }
        if (action instanceof RequestInterceptor.RunBefore run) {
            return duringTest(received, run.work(), "runBefore")
                    .switchIfEmpty(runOn(pools.requests(), () -> complete(received, serve(received), "runBefore")));
        }
        if (action instanceof RequestInterceptor.RunAfter run) {
            var response = serve(received);
            return duringTest(received, run.work(), "runAfter")
                    .switchIfEmpty(Mono.fromCallable(() -> complete(received, response, "runAfter")));
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
        return Mono.delay(delay).then(runOn(pools.requests(), work));
    }

    /** Runs a test's work. Empty when it has ended well, so that the request goes on; else its error is the outcome. */
    private Mono<Outcome> duringTest(ReceivedRequest received, Consumer<LoggedRequest> work, String fault) {
        return runOn(pools.tests(), () -> {
                    work.accept(received.logged());
                    return true;
                })
                .then(Mono.<Outcome>empty())
                .onErrorResume(failure -> Mono.fromCallable(
                        () -> complete(received, Responder.failure(failure, received.request()), fault)));
    }

    private Outcome complete(ReceivedRequest received, WireResponse response, @Nullable String fault) {
        var took = Duration.ofNanos(System.nanoTime() - received.atNanos());
        response.header(Headers.REQUEST_DURATION, millis(took));
        interceptor.record(LoggedRequests.withResponse(received.logged(), response, took, fault));
        return new Outcome(response, received.request().activityId());
    }

    /** With three decimals. */
    private static String millis(Duration took) {
        return BigDecimal.valueOf(TimeUnit.NANOSECONDS.toMicros(took.toNanos()), 3)
                .toPlainString();
    }

    private static WireResponse injectedError(ReceivedRequest received, RequestInterceptor.Refuse refuse) {
        var error = new StatusException(refuse.status(), refuse.subStatus(), "Refused by a fault that a test ordered.");
        return Responder.error(error, received.request());
    }

    private WireResponse serve(ReceivedRequest received) {
        var refusal = received.refusal();
        return refusal == null ? responder.respond(received.route(), received.request()) : refusal;
    }
}
