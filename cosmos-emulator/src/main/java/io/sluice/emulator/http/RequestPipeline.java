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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * From a request's bytes to its answer: signature, route, faults, handler, log. It runs on a scheduler whose threads may
 * block. Thread-safe.
 */
final class RequestPipeline {
    private static final Logger LOG = LoggerFactory.getLogger(RequestPipeline.class);
    private static final String RETRY_AFTER_MILLIS = "10";
    private static final int MAX_MOVES = 5;
    private static final int WRITE_FORBIDDEN = 3;

    private final Router router;
    private final Topology topology;
    private final MasterKeyAuthenticator key;
    private final RequestInterceptor traffic;
    private final InstantSource clock;
    private final Scheduler scheduler;
    private final AtomicLong sequence = new AtomicLong();

    RequestPipeline(
            Router router,
            Topology topology,
            ServerSettings settings,
            RequestInterceptor traffic,
            Scheduler scheduler) {
        this.router = router;
        this.topology = topology;
        this.key = new MasterKeyAuthenticator(settings.key());
        this.traffic = traffic;
        this.clock = settings.clock();
        this.scheduler = scheduler;
    }

    /**
     * What goes back.
     *
     * @param answer to write, null when the connection is to be closed instead
     * @param activityId of the request
     */
    record Outcome(@Nullable WireResponse answer, String activityId) {}

    /** Serves a request as it came off its connection. A client that goes away stops nothing: what it sent is applied all the same. */
    Mono<Outcome> process(String region, String method, String target, HttpHeaders headers, byte[] body) {
        var served =
                started(() -> arrive(region, method, target, headers, body)).flatMap(this::judge);
        return Mono.create(sink -> {
            var unused = served.subscribe(sink::success, sink::error);
        });
    }

    /**
     * Work on a thread of the pool. A client that goes away in the middle does not interrupt it, as a Mono of the callable would:
     * an interrupt in a read of the store's file closes the file.
     */
    private <T> Mono<T> started(Callable<T> work) {
        return Mono.create(sink -> scheduler.schedule(() -> {
            try {
                sink.success(work.call());
            } catch (Exception e) {
                sink.error(e);
            }
        }));
    }

    /** A request that has a route and a place in the log. */
    private record Arrival(
            WireRequest request, Route route, LoggedRequest logged, RequestInterceptor.Verdict verdict, long atNanos) {}

    private Arrival arrive(String region, String method, String target, HttpHeaders headers, byte[] body) {
        long atNanos = System.nanoTime();
        ResourcePath path;
        StatusException unreadable = null;
        try {
            path = ResourcePath.parse(target);
        } catch (StatusException refusal) {
            path = new ResourcePath(List.of("unreadable"));
            unreadable = refusal;
        }
        var request = new WireRequest(region, method, path, headers, body);
        var route = unreadable == null ? router.route(request) : Router.refused(unreadable);
        var logged = LoggedRequests.arriving(sequence.incrementAndGet(), clock.instant(), route.kind(), request);
        return new Arrival(request, route, logged, traffic.arriving(logged), atNanos);
    }

    private Mono<Outcome> judge(Arrival arrival) {
        var verdict = arrival.verdict();
        if (verdict instanceof RequestInterceptor.Delay delay) {
            return later(delay.duration(), () -> finish(arrival, serve(arrival), "delay"));
        }
        if (verdict instanceof RequestInterceptor.Refuse refuse) {
            return now(finish(arrival, refused(arrival, refuse), "refuse"));
        }
        if (verdict instanceof RequestInterceptor.DropConnection) {
            finish(arrival, WireResponse.empty(0), "dropConnection");
            return now(new Outcome(null, arrival.request().activityId()));
        }
        if (verdict instanceof RequestInterceptor.AnswerInstead instead) {
            finish(arrival, serve(arrival), "answerInstead");
            return now(new Outcome(
                    refused(arrival, instead.answer()), arrival.request().activityId()));
        }
        if (verdict instanceof RequestInterceptor.ServeLate late) {
            late.told().thenRun(() -> scheduler.schedule(() -> finish(arrival, serve(arrival), "serveLate")));
            return now(new Outcome(null, arrival.request().activityId()));
        }
        if (verdict instanceof RequestInterceptor.ForgetConditions) {
            arrival.request().forgetConditions();
            return now(finish(arrival, serve(arrival), "forgetConditions"));
        }
        if (verdict instanceof RequestInterceptor.LoseAnswer) {
            finish(arrival, serve(arrival), "loseAnswer");
            return now(new Outcome(null, arrival.request().activityId()));
        }
        return now(finish(arrival, serve(arrival), null));
    }

    private static Mono<Outcome> now(Outcome outcome) {
        return Mono.just(outcome);
    }

    private Mono<Outcome> later(Duration delay, Callable<Outcome> work) {
        return Mono.delay(delay).then(started(work));
    }

    private Outcome finish(Arrival arrival, WireResponse answer, @Nullable String fault) {
        var took = Duration.ofNanos(System.nanoTime() - arrival.atNanos());
        traffic.answered(LoggedRequests.answered(arrival.logged(), answer, took, fault));
        return new Outcome(answer, arrival.request().activityId());
    }

    private WireResponse refused(Arrival arrival, RequestInterceptor.Refuse refuse) {
        var refusal =
                new StatusException(refuse.status(), refuse.subStatus(), "Refused by a fault that a test ordered.");
        return refusal(refusal, arrival.request());
    }

    private WireResponse serve(Arrival arrival) {
        var request = arrival.request();
        try {
            if (arrival.route().signed()) {
                key.check(request);
            } else {
                ControlHandlers.checkHost(request);
            }
            checkRegion(arrival.route().kind(), request);
            return handled(arrival.route().handler(), request);
        } catch (StatusException refusal) {
            return refusal(refusal, request);
        } catch (StackOverflowError e) {
            return refusal(StatusException.badRequest("The request is nested too deep."), request);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("path", request.path()).setCause(e).log("a request failed for no good reason");
            return refusal(
                    new StatusException(
                            500, 0, "The emulator failed: " + e.getClass().getSimpleName()),
                    request);
        }
    }

    /** A region that takes no writes refuses them with 403 and sub-status 3, upon which a client reads the account anew. */
    private void checkRegion(RequestKind kind, WireRequest request) {
        if (kind.isWrite() && !topology.takesWrites(request.region())) {
            throw new StatusException(
                    403,
                    WRITE_FORBIDDEN,
                    "The requested operation cannot be performed at this region: " + request.region());
        }
    }

    /** A partition may split while a request is on its way to it; one that named no range is led to where its items are now. */
    private static WireResponse handled(RequestHandler handler, WireRequest request) {
        for (int moves = 0; request.header(Headers.PARTITION_KEY_RANGE) == null && moves < MAX_MOVES; moves++) {
            try {
                return handler.handle(request);
            } catch (StatusException refusal) {
                if (!refusal.isPartitionGone()) {
                    throw refusal;
                }
            }
        }
        return handler.handle(request);
    }

    private static WireResponse refusal(StatusException refusal, WireRequest request) {
        var answer = WireResponse.refusal(refusal, request.activityId());
        boolean retriable = refusal.status() == 429 || refusal.status() == 449;
        return retriable && refusal.retryAfterMillis() == 0
                ? answer.header(Headers.RETRY_AFTER, RETRY_AFTER_MILLIS)
                : answer;
    }
}
