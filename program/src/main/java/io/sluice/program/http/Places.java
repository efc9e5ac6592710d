package io.sluice.program.http;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads that handle requests. Each kind of endpoint has its own, because each waits for something else: a
 * container runtime kills a process whose health check waits behind a query of the store, and two replicas that ask
 * each other would wait for one another if the threads that ask were those that answer. Thread-safe.
 */
final class Places implements AutoCloseable {
    private static final int MOST_WAITING = 64;
    private static final int IDLE_SECONDS = 60;

    private final Map<Endpoint.Kind, Scheduler> threads = new EnumMap<>(Endpoint.Kind.class);
    private final Map<Endpoint, SharedReads> reads = new HashMap<>();

    /** Threads for these endpoints; none is started before there is a request for it. */
    Places(List<Endpoint> endpoints) {
        for (var kind : Endpoint.Kind.values()) {
            var ofKind = endpoints.stream()
                    .filter(endpoint -> endpoint.kind() == kind)
                    .toList();
            if (!ofKind.isEmpty()) {
                threads.put(kind, threads(kind, ofKind));
            }
        }
    }

    private Scheduler threads(Endpoint.Kind kind, Collection<Endpoint> endpoints) {
        return switch (kind) {
            case PROBE -> threads(2, "sluice-probes");
            case SHOWS -> threads(2, "sluice-ops");
            case PART -> threads(4, "sluice-ops-part");
            case GATHERS -> threads(4, "sluice-ops-gather");
            case CHANGES -> threads(4, "sluice-ops-change");
            case READS -> {
                var scheduler = threads(endpoints.size(), "sluice-ops-read");
                endpoints.forEach(endpoint -> reads.put(endpoint, new SharedReads(scheduler, System::nanoTime)));
                yield scheduler;
            }
        };
    }

    private static Scheduler threads(int most, String name) {
        return Schedulers.newBoundedElastic(most, MOST_WAITING, name, IDLE_SECONDS, true);
    }

    /** Answers a call on the threads of its kind; 503 if too many wait there. */
    Mono<Answer> answer(Router.Route.Found found) {
        return Mono.defer(() -> begun(found))
                .onErrorResume(
                        RejectedExecutionException.class, e -> Mono.just(Answer.busy("too many requests at a time")));
    }

    private Mono<Answer> begun(Router.Route.Found found) {
        var kind = found.endpoint().kind();
        var shared = reads.get(found.endpoint());
        if (shared != null) {
            return shared.answer(found.call(), found.trusted(), () -> Router.answer(found));
        }
        return Mono.fromCallable(() -> kind == Endpoint.Kind.CHANGES ? changed(found) : Router.answer(found))
                .subscribeOn(threads.getOrDefault(kind, Schedulers.immediate()));
    }

    /** What was read before a change is not shown after it. */
    private Answer changed(Router.Route.Found found) {
        try {
            return Router.answer(found);
        } finally {
            forget();
        }
    }

    private void forget() {
        reads.values().forEach(SharedReads::forget);
    }

    @Override
    public void close() {
        threads.values().forEach(Scheduler::dispose);
    }
}
