package io.sluice.provider.request;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A query of its own for each of several key ranges, all sent at once; after a failure those that have answered are not
 * asked again. A try ends when each range has answered or failed. It may do with what some of them have answered.
 */
final class RangedRead implements Read {
    private static final int PAGE_SIZE = 1_000;

    private final CosmosAsyncContainer container;
    private final Map<String, SqlQuery> queries;
    private final Map<String, List<ObjectNode>> answers = new LinkedHashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final @Nullable Duration patience;
    private final long begunNanos = System.nanoTime();
    private int tries;
    private boolean isUnderWay;
    private int answersOfTry;
    private @Nullable Throwable failure;

    /**
     * A read that no request was made for yet.
     *
     * @param patience how long ranges that say nothing are waited for when others have answered, and half of that when
     *     these had rows; null: all have to answer
     */
    RangedRead(CosmosAsyncContainer container, Map<String, SqlQuery> queries, @Nullable Duration patience) {
        this.container = container;
        this.queries = new LinkedHashMap<>(queries);
        this.patience = patience;
    }

    @Override
    public synchronized int atOnce() {
        return Math.max(1, open().size());
    }

    @Override
    public synchronized CompletableFuture<?> begin(PendingRequest pending) {
        int thisTry = ++tries;
        answersOfTry = 0;
        failure = null;
        isUnderWay = true;
        return Flux.fromIterable(open())
                .flatMap(range -> whole(range, pending, thisTry), pending.together(atOnce()))
                .then(Mono.defer(() -> result(thisTry)))
                .toFuture();
    }

    private List<String> open() {
        return queries.keySet().stream()
                .filter(range -> !answers.containsKey(range))
                .toList();
    }

    /** Its failure is noted: others go on, and have somebody who hears of theirs. */
    private Mono<Void> whole(String range, PendingRequest pending, int thisTry) {
        SqlQuery query = queries.getOrDefault(range, SqlQuery.of(""));
        return container
                .queryItems(query.spec(), pending.grouped(PlanlessQuery.options(range)), ObjectNode.class)
                .byPage(PAGE_SIZE)
                .doOnNext(pending::page)
                .map(FeedResponse::getResults)
                .collect(ArrayList<ObjectNode>::new, List::addAll)
                .doOnNext(rows -> answered(thisTry, range, rows))
                .then()
                .onErrorResume(reason -> {
                    failed(thisTry, range, reason);
                    return Mono.empty();
                });
    }

    /** An answer to a try that was given up may still come. */
    private synchronized void answered(int ofTry, String range, List<ObjectNode> rows) {
        if (ofTry == tries) {
            answers.put(range, rows);
            refused.remove(range);
            answersOfTry++;
        }
    }

    private synchronized void failed(int ofTry, String range, Throwable reason) {
        if (ofTry == tries) {
            refused.add(range);
            failure = failure == null ? reason : failure;
        }
    }

    private synchronized Mono<Boolean> result(int ofTry) {
        if (ofTry != tries) {
            return Mono.just(true);
        }
        isUnderWay = false;
        return failure == null ? Mono.just(true) : Mono.error(failure);
    }

    @Override
    public synchronized boolean failed() {
        tries++;
        return answersOfTry > 0;
    }

    @Override
    public synchronized boolean isOfUse() {
        return patience != null && !answers.isEmpty();
    }

    /** Whether more is to be waited for than what has come. */
    synchronized boolean isWorthWaiting() {
        if (patience == null || answers.isEmpty()) {
            return true;
        }
        boolean hasRows = answers.values().stream().anyMatch(rows -> !rows.isEmpty());
        long nanos = hasRows ? (isUnderWay ? patience.toNanos() / 2 : 0) : patience.toNanos();
        return System.nanoTime() - begunNanos < nanos;
    }

    /** Nothing that comes from now on is noted. */
    synchronized ContainerRequests.PartialAnswer partialAnswer() {
        tries++;
        return new ContainerRequests.PartialAnswer(answers, refused);
    }

    synchronized Map<String, List<ObjectNode>> answers() {
        return Map.copyOf(answers);
    }
}
