package io.sluice.provider;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Queries for instances, page by page. An instance is shown from {@link InstanceStarts#startInstance} on, or else from
 * the first fetch on that locked it; {@link ProviderAdmin} shows it from its first ack on. Nothing is written, so that
 * rights to read suffice. Thread-safe.
 */
public interface InstanceQueries {
    /** Most instances of a page. */
    int MAX_PAGE_SIZE = 1_000;
    /** Most events of one {@linkplain #events read}. */
    int MAX_EVENTS = 100;

    /**
     * One page of the instances that a query is for.
     *
     * <p>A page begins after the time of creation and the id of the last instance of the page before. So instances that
     * are added, changed or deleted meanwhile make no other instance appear twice or be left out: one created later
     * comes on a later page when the oldest come first, and not at all when the newest come first. Whether an instance
     * matches is decided when its page is read.
     *
     * <p>The time of creation is taken before the first try to write the instance, by the clock of the process that
     * tries. One whose write had to be repeated therefore appears behind instances that were written before it. So a
     * caller who follows new instances, the oldest first and from the last continuation on, may have read beyond the
     * place where it appears, and never sees it. To see every one, begin a query of your own at
     * {@link InstanceQuery#withCreated createdFrom}, earlier than the last time of creation seen by as long as a start
     * may take (the {@code enqueueTimeout} of the processes that start, 10 seconds by default, and what their clocks
     * differ by), and skip what was seen before.
     *
     * <p>Cost: one request to each physical partition, all at once and without a query plan, whatever the size of the
     * store; one more to a partition only if it holds more than its share of the page, twice the average and at least
     * four rows, or if it holds that many of one millisecond, which are read by their ids. Each reads its rows by the
     * index on the time of creation, or on the id. A condition that few instances satisfy,
     * without bounds on the time of creation, makes a partition scan all its instances: of a million on 100
     * partitions 10 000 in each.
     *
     * <p>With texts a page ends sooner where outputs and custom statuses would have more than 8 million characters
     * together; the next one goes on there. They are read in portions of 2 million, by one request more to each
     * partition and portion; instances without texts cost nothing more.
     *
     * @param pageSize 1 to {@value #MAX_PAGE_SIZE}
     * @param continuation of the page before, of the same query; null for the first page
     * @throws IllegalArgumentException when {@code continuation} is none, or one of another query
     * @throws ProviderException retryable when the store gave no answer in time
     */
    InstancePage query(InstanceQuery query, int pageSize, @Nullable String continuation);

    /**
     * One instance with its output and custom status; nothing for an unknown one. One point read.
     *
     * @throws ProviderException permanent when the instance can't be read; retryable when the store gave no answer in
     *     time
     */
    Optional<InstanceSummary> get(String instance);

    /**
     * Events of an execution, in their order, as far as there are such. One query of the instance's partition that
     * reads these alone, however long the history is.
     *
     * @param eventIds 1 to {@value #MAX_EVENTS}; the first event of an execution has id 1
     * @throws IllegalArgumentException when there are too few or too many ids
     * @throws ProviderException permanent when one of the events can't be read; retryable when the store gave no answer
     *     in time
     */
    List<HistoryEvent> events(String instance, long executionId, Collection<Long> eventIds);

    /**
     * The start that an instance waits with for its first turn; nothing once that turn is acked. One query of the
     * instance's partition.
     *
     * @throws ProviderException permanent when the start can't be read; retryable when the store gave no answer in time
     */
    Optional<WorkItem.StartOrchestration> waitingStart(String instance);
}
