package io.sluice.provider.request;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.util.CosmosPagedFlux;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The rows of one query, read page by page over as many tries as it takes: what came before a failure is kept where the
 * query can be gone on with, and read from the start where it can't. Its maker begins one try after the other, the
 * SDK's threads add the pages.
 *
 * <p>The SDK returns a page only when it has the next one, so two have to succeed one after the other. A store that
 * is throttled allows that sooner with small pages, and with partitions asked one at a time.
 */
final class PagedRead<T> implements Read {
    private static final int PAGE_SIZE = 1_000;
    private static final int SHRINK_BY = 4;
    private static final int FRUITLESS_BEFORE_SHRINKING = 2;
    /** Lets the SDK read all partitions at once; it chooses how many. */
    private static final int PARALLEL = -1;

    private static final int ONE_AT_A_TIME = 0;

    private final CosmosAsyncContainer container;
    private final SqlQuery query;
    private final @Nullable String instanceId;
    private final Class<T> type;
    private final List<T> rows = new ArrayList<>();
    private long mostCharacters = Long.MAX_VALUE;
    private int mostRows = Integer.MAX_VALUE;
    private long characters;
    private boolean isCut;
    private int pages;
    private String sessionToken = "";
    private @Nullable String continuation;
    private int pageSize = PAGE_SIZE;
    private int tries;
    private int pagesOfTry;
    private int fruitless;

    /**
     * A read that no request was made for yet.
     *
     * @param instanceId whose partition is read; null for all
     */
    PagedRead(CosmosAsyncContainer container, SqlQuery query, @Nullable String instanceId, Class<T> type) {
        this.container = container;
        this.query = query;
        this.instanceId = instanceId;
        this.type = type;
    }

    /** The same, but it asks for no further page once it has so many rows, or their texts so many characters. */
    PagedRead<T> upTo(int mostRows, long mostCharacters) {
        this.mostRows = mostRows;
        this.mostCharacters = mostCharacters;
        return this;
    }

    @Override
    public int atOnce() {
        return 1;
    }

    /** Sends the query, or continues it, and returns at once; done with the last page, failed when a page fails. */
    @Override
    public synchronized CompletableFuture<?> begin(PendingRequest pending) {
        int thisTry = ++tries;
        pagesOfTry = 0;
        if (continuation == null) {
            rows.clear();
            characters = 0;
            pages = 0;
        }
        CosmosPagedFlux<T> all = container.queryItems(query.spec(), options(pending), type);
        return (continuation == null ? all.byPage(pageSize) : all.byPage(continuation, pageSize))
                .doOnNext(page -> {
                    pending.page(page);
                    add(thisTry, page);
                })
                .takeUntil(page -> isEnough())
                .then(Mono.just(true))
                .toFuture();
    }

    private CosmosQueryRequestOptions options(PendingRequest pending) {
        CosmosQueryRequestOptions options = pending.grouped(new CosmosQueryRequestOptions());
        if (instanceId != null) {
            return options.setPartitionKey(new PartitionKey(instanceId));
        }
        boolean isParallel = pending.isUnlimited() && (tries == 1 || !query.isResumable());
        return options.setMaxDegreeOfParallelism(isParallel ? PARALLEL : ONE_AT_A_TIME);
    }

    /** A page of a try that was given up may still come. */
    private synchronized void add(int ofTry, FeedResponse<T> page) {
        if (ofTry == tries) {
            rows.addAll(page.getResults());
            page.getResults().forEach(row -> characters += characters(row));
            boolean isFull = characters >= mostCharacters || rows.size() >= mostRows;
            isCut = isFull && page.getContinuationToken() != null;
            pages++;
            pagesOfTry++;
            sessionToken = Objects.requireNonNullElse(page.getSessionToken(), "");
            continuation = query.isResumable() ? page.getContinuationToken() : null;
        }
    }

    private static long characters(Object row) {
        long characters = 0;
        if (row instanceof ObjectNode json) {
            for (JsonNode field : json) {
                characters += field.isTextual() ? field.textValue().length() : 0;
            }
        }
        return characters;
    }

    private synchronized boolean isEnough() {
        return isCut;
    }

    @Override
    public synchronized boolean failed() {
        tries++;
        boolean isFurther = pagesOfTry > 0 && continuation != null;
        fruitless = isFurther ? 0 : fruitless + 1;
        if (fruitless >= FRUITLESS_BEFORE_SHRINKING && query.isResumable()) {
            pageSize = Math.max(1, pageSize / SHRINK_BY);
        }
        return isFurther;
    }

    synchronized List<T> rows() {
        return List.copyOf(rows);
    }

    /** The session token of the last page. */
    synchronized String sessionToken() {
        return sessionToken;
    }

    /** Whether there are more rows than were to be read. */
    synchronized boolean isCut() {
        return isCut;
    }

    synchronized int pages() {
        return pages;
    }
}
