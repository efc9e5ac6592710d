package io.sluice.provider.cosmos.request;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.util.CosmosPagedFlux;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /** Requests to this container. */
    public ContainerRequests(CosmosAsyncContainer container) {
        this.container = container;
    }

    /** Sends a transactional batch to an instance's partition, once. */
    public WriteOutcome batch(Call call, String instanceId, List<? extends BatchWrite> writes) {
        if (writes.isEmpty() || writes.size() > BatchWrite.MAX_OPERATIONS) {
            throw new IllegalArgumentException("a batch has 1 to 100 operations, had " + writes.size());
        }
        CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(instanceId));
        writes.forEach(write -> write.addTo(batch));
        try {
            return Answers.of(await(call, container.executeCosmosBatch(batch).toFuture(), WRITE_TIMEOUT));
        } catch (RequestFailedException e) {
            return Answers.of(e.failure());
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
                () -> container
                        .readItem(id, new PartitionKey(instanceId), new CosmosItemRequestOptions(), ObjectNode.class)
                        .map(response -> Optional.of(response.getItem())),
                Optional.empty());
    }

    /** Rows of a query within one partition. */
    public QueryResult query(Call call, String instanceId, SqlQuery query) {
        CosmosQueryRequestOptions options =
                new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instanceId));
        return patiently(call, () -> pages(query, options), null);
    }

    /** Sends the query now and returns at once; the supplier waits for the rows, and asks again should the first try fail. */
    public Supplier<QueryResult> queryBeside(Call call, String instanceId, SqlQuery query) {
        CosmosQueryRequestOptions options =
                new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instanceId));
        CompletableFuture<QueryResult> underWay = pages(query, options).toFuture();
        return () -> {
            try {
                return await(call, underWay, READ_TIMEOUT);
            } catch (RequestFailedException e) {
                return query(call, instanceId, query);
            }
        };
    }

    /** Scalars of a {@code SELECT VALUE} query within one partition. */
    public <T> List<T> queryValues(Call call, String instanceId, SqlQuery query, Class<T> type) {
        CosmosQueryRequestOptions options =
                new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instanceId));
        return patiently(
                call, () -> container.queryItems(query.spec(), options, type).collectList(), null);
    }

    /** Rows of a query over all partitions. */
    public List<ObjectNode> queryAllPartitions(Call call, SqlQuery query) {
        CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setMaxDegreeOfParallelism(PARALLEL);
        return patiently(call, () -> pages(query, options), null).rows();
    }

    private Mono<QueryResult> pages(SqlQuery query, CosmosQueryRequestOptions options) {
        CosmosPagedFlux<ObjectNode> rows = container.queryItems(query.spec(), options, ObjectNode.class);
        return rows.byPage(PAGE_SIZE).collectList().map(pages -> {
            List<ObjectNode> all = new ArrayList<>();
            for (FeedResponse<ObjectNode> page : pages) {
                all.addAll(page.getResults());
            }
            return new QueryResult(all, pages.size());
        });
    }

    private <T> T patiently(Call call, Supplier<Mono<T>> request, @Nullable T whenNotFound) {
        Backoff backoff = new Backoff();
        while (true) {
            try {
                return await(call, request.get().toFuture(), READ_TIMEOUT);
            } catch (RequestFailedException e) {
                WriteOutcome outcome = Answers.of(e.failure());
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

    /**
     * Waits for the answer.
     *
     * @throws ProviderException retryable, when the thread is interrupted
     * @throws RequestFailedException carrying whatever else went wrong, to be classified
     */
    private static <T> T await(Call call, CompletableFuture<T> answer, Duration timeout) throws RequestFailedException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw Failures.interrupted(call, e);
        } catch (ExecutionException e) {
            throw new RequestFailedException(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new RequestFailedException(e);
        }
    }

    /** Carries a failure from the wait to its classification. */
    private static final class RequestFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        RequestFailedException(Throwable failure) {
            super(failure);
        }

        Throwable failure() {
            Throwable cause = getCause();
            return cause == null ? this : cause;
        }
    }
}
