package io.sluice.provider.request;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.util.CosmosPagedFlux;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Requests to one container, as blocking calls with a bound on each. Writes answer with an outcome; reads, which may be
 * repeated freely, are tried until the call's deadline and then fail. A query of many pages may take longer, for after
 * a failure that lost none of them the call's patience begins again. Thread-safe.
 */
public final class ContainerRequests {
    /** Bound on one write, beyond which its outcome counts as unknown; well below any lock's life but the shortest. */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);
    /** Bound on one point read, or on one page. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    private static final String SESSION_TOKEN = "x-ms-session-token";

    private final CosmosAsyncContainer container;
    private final RequestObserver observer;
    private final RequestLimits limits;
    private final KeyRanges ranges;

    /** Requests to this container that are not counted for an operation. */
    public ContainerRequests(CosmosAsyncContainer container) {
        this(container, RequestObserver.NONE);
    }

    /** Requests to this container that nothing limits. */
    public ContainerRequests(CosmosAsyncContainer container, RequestObserver observer) {
        this(container, observer, new RequestLimits());
    }

    /** Requests to this container, within these limits. */
    public ContainerRequests(CosmosAsyncContainer container, RequestObserver observer, RequestLimits limits) {
        this.container = container;
        this.observer = observer;
        this.limits = limits;
        this.ranges = new KeyRanges(container);
    }

    /** Sends a transactional batch to an instance's partition, once; the SDK may repeat it in another region. */
    public WriteOutcome batch(Call call, String instanceId, List<? extends BatchWrite> writes) {
        return batch(call, instanceId, writes, WRITE_TIMEOUT);
    }

    /** The same, whose outcome counts as unknown after a time of the caller's. */
    public WriteOutcome batch(Call call, String instanceId, List<? extends BatchWrite> writes, Duration timeout) {
        if (writes.isEmpty() || writes.size() > BatchWrite.MAX_OPERATIONS) {
            throw new IllegalArgumentException("a batch has 1 to 100 operations, had " + writes.size());
        }
        CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(instanceId));
        writes.forEach(write -> write.addTo(batch));
        PendingRequest pending = new PendingRequest(call, observer, RequestObserver.Way.WRITE, limits, 1);
        try {
            CosmosBatchResponse answer = pending.await(
                    pending.send(() -> container.executeCosmosBatch(batch).toFuture()), timeout);
            WriteOutcome outcome = Answers.ofWrite(answer);
            pending.answered(
                    RequestObserver.Kind.of(outcome),
                    answer.getRequestCharge(),
                    answer.getResponseHeaders(),
                    answer.getDiagnostics());
            return outcome;
        } catch (RequestFailedException e) {
            return pending.writeFailed(e.failure());
        }
    }

    /**
     * Sends a batch, and again while it certainly was not applied (throttled, or refused in passing) and the deadline
     * allows.
     */
    public WriteOutcome batchPatiently(Call call, String instanceId, List<? extends BatchWrite> writes) {
        Backoff backoff = new Backoff();
        while (true) {
            WriteOutcome outcome = batch(call, instanceId, writes);
            if (!outcome.isOnlyForNow() || !backoff.pause(call, outcome.retryAfter())) {
                return outcome;
            }
        }
    }

    /** Point read; nothing when the document does not exist. */
    public Optional<ObjectNode> read(Call call, String instanceId, String id) {
        return Optional.ofNullable(answer(call, instanceId, id).document());
    }

    /**
     * The answer to a point read.
     *
     * @param document null where it does not exist
     * @param sessionToken how far the replica was that answered, in the service's words; empty where it did not say
     */
    public record ReadAnswer(@Nullable ObjectNode document, String sessionToken) {}

    /** Point read, with how far the replica was. */
    public ReadAnswer answer(Call call, String instanceId, String id) {
        return patiently(
                call,
                pending -> container
                        .readItem(id, new PartitionKey(instanceId), new CosmosItemRequestOptions(), ObjectNode.class)
                        .map(response -> {
                            pending.page(
                                    response.getRequestCharge(),
                                    response.getResponseHeaders(),
                                    response.getDiagnostics());
                            return new ReadAnswer(response.getItem(), token(response.getSessionToken()));
                        }),
                notFound -> new ReadAnswer(null, token(notFound.getResponseHeaders())));
    }

    private static String token(@Nullable String sessionToken) {
        return Objects.requireNonNullElse(sessionToken, "");
    }

    private static String token(@Nullable Map<String, String> headers) {
        return headers == null ? "" : token(headers.get(SESSION_TOKEN));
    }

    /** Rows of a query within one partition. */
    public QueryResult query(Call call, String instanceId, SqlQuery query) {
        return query(call, instanceId, query, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * Rows of a query within one partition, for what may be more than memory has room for: no further page is asked for
     * once there are so many, or their texts have so many characters.
     */
    public QueryResult query(Call call, String instanceId, SqlQuery query, int mostRows, long mostCharacters) {
        PagedRead<ObjectNode> read = new PagedRead<>(container, query, instanceId, ObjectNode.class);
        return whole(call, read.upTo(mostRows, mostCharacters));
    }

    /** A query that was sent, and whose rows are waited for later, or cancelled. */
    public interface UnderWay {
        /**
         * Waits for the rows.
         *
         * @param wanted asked now and then, while it waits
         * @return nothing when they are not wanted any more
         */
        Optional<QueryResult> rows(BooleanSupplier wanted);

        /** Asks for no further page; for a query whose rows are no longer wanted. */
        void cancel();
    }

    /**
     * Sends the query now and returns at once. Where it is limited how many requests are under way, it is sent when its
     * rows are waited for: callers that hold one and wait for another might all wait for each other.
     */
    public UnderWay queryBeside(Call call, String instanceId, SqlQuery query) {
        PagedRead<ObjectNode> read = new PagedRead<>(container, query, instanceId, ObjectNode.class);
        return limits.areLimitedAtOnce() ? later(call, read) : begun(call, read);
    }

    private UnderWay later(Call call, PagedRead<ObjectNode> read) {
        return new UnderWay() {
            @Override
            public Optional<QueryResult> rows(BooleanSupplier wanted) {
                return complete(call, read, begin(call, read), wanted) ? Optional.of(result(read)) : Optional.empty();
            }

            @Override
            public void cancel() {
                // It was not sent.
            }
        };
    }

    private UnderWay begun(Call call, PagedRead<ObjectNode> read) {
        PendingRequest pending = new PendingRequest(call, observer, RequestObserver.Way.READ_BESIDE, limits, 1);
        CompletableFuture<?> answer = pending.send(() -> read.begin(pending));
        return new UnderWay() {
            @Override
            public Optional<QueryResult> rows(BooleanSupplier wanted) {
                return complete(call, read, new Try(pending, answer), wanted)
                        ? Optional.of(result(read))
                        : Optional.empty();
            }

            @Override
            public void cancel() {
                pending.cancel(answer);
            }
        };
    }

    /** Scalars of a {@code SELECT VALUE} query within one partition. */
    public <T> List<T> queryValues(Call call, String instanceId, SqlQuery query, Class<T> type) {
        PagedRead<T> read = new PagedRead<>(container, query, instanceId, type);
        complete(call, read, begin(call, read), () -> true);
        return read.rows();
    }

    /**
     * One page of a query, for what may have more rows than memory or a call's time has room for.
     *
     * @param instanceId of the partition; null for all partitions
     * @param most rows
     * @param from where the page before said that the query goes on; null for its beginning
     */
    public QueryPage page(Call call, @Nullable String instanceId, SqlQuery query, int most, @Nullable String from) {
        CosmosQueryRequestOptions options = new CosmosQueryRequestOptions();
        if (instanceId != null) {
            options.setPartitionKey(new PartitionKey(instanceId));
        }
        return page(call, options, query, most, from);
    }

    /** The same within one key range, without a plan. */
    public QueryPage pageOfRange(Call call, String range, SqlQuery query, int most, @Nullable String from) {
        return page(call, PlanlessQuery.options(range), query, most, from);
    }

    private QueryPage page(
            Call call, CosmosQueryRequestOptions options, SqlQuery query, int most, @Nullable String from) {
        return patiently(
                call,
                pending -> {
                    CosmosPagedFlux<ObjectNode> rows =
                            container.queryItems(query.spec(), pending.grouped(options), ObjectNode.class);
                    return (from == null ? rows.byPage(most) : rows.byPage(from, most))
                            .doOnNext(pending::page)
                            .next()
                            .map(page -> new QueryPage(page.getResults(), page.getContinuationToken()))
                            .defaultIfEmpty(new QueryPage(List.of(), null));
                },
                null);
    }

    /** Rows of a query over all partitions. */
    public List<ObjectNode> queryAllPartitions(Call call, SqlQuery query) {
        return whole(call, new PagedRead<>(container, query, null, ObjectNode.class))
                .rows();
    }

    /** The key ranges of the physical partitions, for {@link #queryRanges}; asked for now and then only. */
    public List<String> ranges(Call call) {
        List<String> known = ranges.known();
        return known == null ? patiently(call, pending -> ranges.current(), null) : known;
    }

    /** How many key ranges there are, as far as known: 1 until they were asked for. */
    public int knownRanges() {
        List<String> known = ranges.known();
        return known == null ? 1 : known.size();
    }

    /**
     * Rows of queries that are sent to one key range each, all at once and without a plan: one request to each range.
     * What a query says of order and number holds within its range.
     *
     * @param queries by key range
     * @return the rows by key range
     */
    public Map<String, List<ObjectNode>> queryRanges(Call call, Map<String, SqlQuery> queries) {
        RangedRead read = new RangedRead(container, queries, null);
        complete(call, read, begin(call, read), () -> true);
        return read.answers();
    }

    /**
     * What some ranges have answered.
     *
     * @param answers rows by key range
     * @param refused the ranges that failed; those that are in neither have said nothing
     */
    public record PartialAnswer(Map<String, List<ObjectNode>> answers, Set<String> refused) {
        /** Of what may change. */
        public PartialAnswer {
            answers = Map.copyOf(answers);
            refused = Set.copyOf(refused);
        }
    }

    /**
     * Rows of queries as in {@link #queryRanges}, where the rows of one range are of use without those of the others: a
     * range that is throttled or silent holds up no other range. Fails only when no range has answered.
     *
     * @param patience how long ranges that do not answer are waited for when others had no rows; half of that when
     *     they had some, and then not at all where a range has failed
     */
    public PartialAnswer queryRangesPartly(Call call, Map<String, SqlQuery> queries, Duration patience) {
        RangedRead read = new RangedRead(container, queries, patience);
        complete(call, read, begin(call, read), read::isWorthWaiting);
        return read.partialAnswer();
    }

    /**
     * Rows of one query over all partitions, without a plan: one request to each. For few rows, and for queries that
     * ask for no order or number.
     */
    public List<ObjectNode> queryAllRanges(Call call, SqlQuery query) {
        Map<String, SqlQuery> queries = new LinkedHashMap<>();
        ranges(call).forEach(range -> queries.put(range, query));
        List<ObjectNode> rows = new ArrayList<>();
        queryRanges(call, queries).values().forEach(rows::addAll);
        return rows;
    }

    private QueryResult whole(Call call, PagedRead<ObjectNode> read) {
        complete(call, read, begin(call, read), () -> true);
        return result(read);
    }

    private static QueryResult result(PagedRead<ObjectNode> read) {
        return new QueryResult(read.rows(), read.pages(), read.isCut(), read.sessionToken());
    }

    private record Try(PendingRequest pending, CompletableFuture<?> answer) {}

    private Try begin(Call call, Read read) {
        PendingRequest pending = new PendingRequest(call, observer, RequestObserver.Way.READ, limits, read.atOnce());
        return new Try(pending, pending.send(() -> read.begin(pending)));
    }

    /** Goes on until all pages are there; false when they are not wanted any more. */
    private boolean complete(Call call, Read read, Try first, BooleanSupplier wanted) {
        Backoff backoff = new Backoff();
        Call patient = call;
        Try current = first;
        while (true) {
            try {
                return current.pending().read(current.answer(), READ_TIMEOUT, wanted);
            } catch (RequestFailedException e) {
                WriteOutcome outcome = current.pending().failed(e.failure());
                if (read.failed()) {
                    patient = patient.again();
                }
                if (!mayPass(outcome)) {
                    throw Failures.of(call, outcome);
                }
                if (!backoff.pauseLonger(patient, outcome.retryAfter(), wanted)) {
                    if (wanted.getAsBoolean() && !read.isOfUse()) {
                        throw Failures.of(call, outcome);
                    }
                    return false;
                }
            }
            current = begin(patient, read);
        }
    }

    private <T> T patiently(
            Call call, Function<PendingRequest, Mono<T>> request, @Nullable Function<CosmosException, T> whenNotFound) {
        Backoff backoff = new Backoff();
        while (true) {
            PendingRequest pending = new PendingRequest(call, observer, RequestObserver.Way.READ, limits, 1);
            try {
                return pending.read(pending.send(() -> request.apply(pending).toFuture()), READ_TIMEOUT);
            } catch (RequestFailedException e) {
                WriteOutcome outcome = pending.failed(e.failure());
                if (outcome.isNotFound() && whenNotFound != null && e.failure() instanceof CosmosException notFound) {
                    return whenNotFound.apply(notFound);
                }
                if (!mayPass(outcome) || !backoff.pause(call, outcome.retryAfter())) {
                    throw Failures.of(call, outcome);
                }
            }
        }
    }

    private static boolean mayPass(WriteOutcome outcome) {
        return outcome.isOnlyForNow() || outcome.isAmbiguous();
    }
}
