package io.sluice.provider.cosmos.request;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.util.CosmosPagedFlux;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Requests to one container, as blocking calls with a bound on each. Writes answer with an outcome; reads, which may be repeated freely, are
 * tried until the call's deadline and then fail. Thread-safe.
 */
public final class ContainerRequests {
    /** Bound on one write, beyond which its outcome counts as unknown; well below any lock's life but the shortest. */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);
    /** Bound on one read, which may have many pages. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    private static final int PAGE_SIZE = 1_000;
    /** Lets the SDK read all partitions at once; it chooses how many. */
    private static final int PARALLEL = -1;

    private final CosmosAsyncContainer container;
    private final RequestObserver observer;

    /** Requests to this container that nobody watches. */
    public ContainerRequests(CosmosAsyncContainer container) {
        this(container, RequestObserver.NONE);
    }

    /** Requests to this container. */
    public ContainerRequests(CosmosAsyncContainer container, RequestObserver observer) {
        this.container = container;
        this.observer = observer;
    }

    /** Sends a transactional batch to an instance's partition, once. */
    public WriteOutcome batch(Call call, String instanceId, List<? extends BatchWrite> writes) {
        if (writes.isEmpty() || writes.size() > BatchWrite.MAX_OPERATIONS) {
            throw new IllegalArgumentException("a batch has 1 to 100 operations, had " + writes.size());
        }
        CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(instanceId));
        writes.forEach(write -> write.addTo(batch));
        Watch watch = new Watch(call, observer, RequestObserver.Way.WRITE);
        try {
            CosmosBatchResponse answer =
                    watch.await(container.executeCosmosBatch(batch).toFuture(), WRITE_TIMEOUT);
            WriteOutcome outcome = Answers.of(answer);
            watch.answered(
                    RequestObserver.Kind.of(outcome),
                    answer.getRequestCharge(),
                    answer.getResponseHeaders(),
                    answer.getDiagnostics());
            return outcome;
        } catch (RequestFailedException e) {
            return watch.failed(e.failure());
        }
    }

    /** Sends a batch, and again while it certainly was not applied (throttled, or refused in passing) and the deadline allows. */
    public WriteOutcome batchPatiently(Call call, String instanceId, List<? extends BatchWrite> writes) {
        Backoff backoff = new Backoff();
        while (true) {
            WriteOutcome outcome = batch(call, instanceId, writes);
            boolean again;
            if (outcome instanceof WriteOutcome.Throttled throttled) {
                again = backoff.pause(call, throttled.retryAfter());
            } else {
                again = outcome instanceof WriteOutcome.Transient && backoff.pause(call, null);
            }
            if (!again) {
                return outcome;
            }
        }
    }

    /** Point read; nothing when the document does not exist. */
    public Optional<ObjectNode> read(Call call, String instanceId, String id) {
        return patiently(
                call,
                watch -> container
                        .readItem(id, new PartitionKey(instanceId), new CosmosItemRequestOptions(), ObjectNode.class)
                        .map(response -> {
                            watch.page(
                                    response.getRequestCharge(),
                                    response.getResponseHeaders(),
                                    response.getDiagnostics());
                            return Optional.of(response.getItem());
                        }),
                Optional.empty());
    }

    /** Rows of a query within one partition. */
    public QueryResult query(Call call, String instanceId, SqlQuery query) {
        CosmosQueryRequestOptions options =
                new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instanceId));
        return patiently(call, watch -> pages(watch, query, options), null);
    }

    /** Sends the query now and returns at once; the supplier waits for the rows, and asks again should the first try fail. */
    public Supplier<QueryResult> queryBeside(Call call, String instanceId, SqlQuery query) {
        CosmosQueryRequestOptions options =
                new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instanceId));
        Watch watch = new Watch(call, observer, RequestObserver.Way.READ_BESIDE);
        CompletableFuture<QueryResult> underWay = pages(watch, query, options).toFuture();
        return () -> {
            try {
                return watch.read(underWay, READ_TIMEOUT);
            } catch (RequestFailedException e) {
                watch.failed(e.failure());
                return query(call, instanceId, query);
            }
        };
    }

    /** Scalars of a {@code SELECT VALUE} query within one partition. */
    public <T> List<T> queryValues(Call call, String instanceId, SqlQuery query, Class<T> type) {
        CosmosQueryRequestOptions options =
                new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instanceId));
        return patiently(
                call,
                watch -> container
                        .queryItems(query.spec(), options, type)
                        .byPage(PAGE_SIZE)
                        .doOnNext(watch::page)
                        .flatMapIterable(FeedResponse::getResults)
                        .collectList(),
                null);
    }

    /** Rows of a query over all partitions. */
    public List<ObjectNode> queryAllPartitions(Call call, SqlQuery query) {
        CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setMaxDegreeOfParallelism(PARALLEL);
        return patiently(call, watch -> pages(watch, query, options), null).rows();
    }

    private Mono<QueryResult> pages(Watch watch, SqlQuery query, CosmosQueryRequestOptions options) {
        CosmosPagedFlux<ObjectNode> rows = container.queryItems(query.spec(), options, ObjectNode.class);
        return rows.byPage(PAGE_SIZE).doOnNext(watch::page).collectList().map(pages -> {
            List<ObjectNode> all = new ArrayList<>();
            for (FeedResponse<ObjectNode> page : pages) {
                all.addAll(page.getResults());
            }
            return new QueryResult(all, pages.size());
        });
    }

    private <T> T patiently(Call call, Function<Watch, Mono<T>> request, @Nullable T whenNotFound) {
        Backoff backoff = new Backoff();
        while (true) {
            Watch watch = new Watch(call, observer, RequestObserver.Way.READ);
            try {
                return watch.read(request.apply(watch).toFuture(), READ_TIMEOUT);
            } catch (RequestFailedException e) {
                WriteOutcome outcome = watch.failed(e.failure());
                if (outcome instanceof WriteOutcome.NotFound && whenNotFound != null) {
                    return whenNotFound;
                }
                if (!mayPass(outcome) || !backoff.pause(call, retryAfter(outcome))) {
                    throw Failures.of(call, outcome);
                }
            }
        }
    }

    private static boolean mayPass(WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.Throttled
                || outcome instanceof WriteOutcome.Transient
                || outcome instanceof WriteOutcome.Ambiguous;
    }

    private static @Nullable Duration retryAfter(WriteOutcome outcome) {
        return outcome instanceof WriteOutcome.Throttled throttled ? throttled.retryAfter() : null;
    }
}
