package io.sluice.provider.request;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A query of its own for each of several key ranges, all sent at once; after a failure those that have answered are not
 * asked again.
 */
final class RangedRead implements Read {
    private static final int PAGE_SIZE = 1_000;

    private final CosmosAsyncContainer container;
    private final Map<String, SqlQuery> queries;
    private final Map<String, List<ObjectNode>> answers = new LinkedHashMap<>();
    private int tries;
    private int answersOfTry;

    RangedRead(CosmosAsyncContainer container, Map<String, SqlQuery> queries) {
        this.container = container;
        this.queries = new LinkedHashMap<>(queries);
    }

    @Override
    public synchronized int atOnce() {
        return Math.max(1, open().size());
    }

    @Override
    public synchronized CompletableFuture<?> begin(PendingRequest pending) {
        int thisTry = ++tries;
        answersOfTry = 0;
        return Flux.fromIterable(open())
                .flatMap(range -> whole(range, pending, thisTry), pending.together(atOnce()))
                .then(Mono.just(true))
                .toFuture();
    }

    private List<String> open() {
        return queries.keySet().stream()
                .filter(range -> !answers.containsKey(range))
                .toList();
    }

    private Mono<Void> whole(String range, PendingRequest pending, int thisTry) {
        SqlQuery query = queries.getOrDefault(range, SqlQuery.of(""));
        return container
                .queryItems(query.spec(), pending.grouped(PlanlessQuery.options(range)), ObjectNode.class)
                .byPage(PAGE_SIZE)
                .doOnNext(pending::page)
                .map(FeedResponse::getResults)
                .collect(ArrayList<ObjectNode>::new, List::addAll)
                .doOnNext(rows -> answered(thisTry, range, rows))
                .then();
    }

    /** An answer to a try that was given up may still come. */
    private synchronized void answered(int ofTry, String range, List<ObjectNode> rows) {
        if (ofTry == tries) {
            answers.put(range, rows);
            answersOfTry++;
        }
    }

    @Override
    public synchronized boolean failed() {
        tries++;
        return answersOfTry > 0;
    }

    synchronized Map<String, List<ObjectNode>> answers() {
        return Map.copyOf(answers);
    }
}
