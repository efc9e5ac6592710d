package io.sluice.provider.cosmos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.deletion.ExpectedRelay;
import io.sluice.provider.cosmos.deletion.HistoryGate;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes what providers left behind, for a relay or another program to run every minute or so. Nothing correct hangs
 * on it, since every provider does the same with what it meets; it is for what nobody meets. Thread-safe.
 */
public final class StoreSweep {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String REMOVE_RECEIPTS = "removeOldReceipts";

    /** The process that committed a turn of several batches gets this long to apply it. */
    private static final long LEFT_ALONE_MILLIS = 10_000;

    private static final int RECEIPTS_AT_A_TIME = 500;
    private static final int INSTANCES_AT_A_TIME = 4;
    /** Of the minute between two sweeps. */
    private static final Duration REMOVING = Duration.ofSeconds(50);

    private static final String OLD_RECEIPTS =
            "SELECT TOP 500 c.id, c.instanceId, c._etag FROM c WHERE c.type IN ('receipt', 'purge') AND c.createdAt < @before"
                    + " AND IS_STRING(c.instanceId)";
    private static final Logger LOG = LoggerFactory.getLogger(StoreSweep.class);

    private final CosmosStore store;
    private final ContainerRequests requests;
    private final Deletions deletions;
    private final TurnFinisher turns;
    private final InstantSource clock;

    /** A sweep of this store, which stays the caller's to close. */
    public StoreSweep(CosmosStore store) {
        this(store, store.clock());
    }

    StoreSweep(CosmosStore store, InstantSource clock) {
        this(store, RequestObserver.NONE, Deletions.MEMBERS_AT_ONCE, clock);
    }

    StoreSweep(CosmosStore store, RequestObserver observer, int membersAtOnce, InstantSource clock) {
        this.store = store;
        this.requests = new ContainerRequests(store.container(), observer, store.limits());
        this.clock = clock;
        this.turns = new TurnFinisher(requests, clock);
        this.deletions = new Deletions(
                requests,
                new IntentOutbox(requests, clock),
                new HistoryGate(new PurgeMarkers(requests, clock), ExpectedRelay.always(null)),
                membersAtOnce,
                clock);
    }

    /**
     * Carries out deletions that are decided, and gives up those that are overdue. One cross-partition query when there
     * is nothing to do.
     *
     * @return how many it finished
     * @throws ProviderException retryable when the store can't be read
     */
    public int finishDeletions() {
        return deletions.finishOverdue(Call.scan("finishDeletions", PATIENCE));
    }

    /**
     * Applies turns of several batches that were committed a while ago and are not applied yet. One cross-partition
     * query when there is nothing to do.
     *
     * @return how many it finished
     * @throws ProviderException retryable when the store can't be read
     */
    public int finishTurns() {
        return turns.finishAll(Call.scan("finishTurns", PATIENCE), clock.millis() - LEFT_ALONE_MILLIS);
    }

    /**
     * Removes receipts, and the records of deletions, past their life where the container doesn't: documents with a
     * {@code ttl} don't expire while its {@code defaultTtl} is absent. Goes on for most of a minute while there are
     * more; says in the log how to be rid of the need. No request where the container does it; else a query for 500,
     * and a request for each hundred of an instance.
     *
     * @return how many it removed
     * @throws ProviderException retryable when the store could not be reached; some may be removed
     */
    public int removeOldReceipts() {
        if (store.isExpiryOn()) {
            return 0;
        }
        long before = clock.millis() - ReceiptDocument.TTL_SECONDS * 1_000L;
        long endNanos = System.nanoTime() + REMOVING.toNanos();
        int removed = 0;
        int found;
        do {
            Map<String, List<BatchWrite>> byInstance = oldReceipts(before);
            found = byInstance.values().stream().mapToInt(List::size).sum();
            removed += byInstance.isEmpty() ? 0 : remove(byInstance);
        } while (found == RECEIPTS_AT_A_TIME && System.nanoTime() - endNanos < 0);
        if (removed > 0) {
            LOG.atWarn()
                    .addKeyValue("count", removed)
                    .log(
                            "old receipts removed by hand: set the container's defaultTtl to -1, then the service does it and nothing"
                                    + " else expires");
        }
        return removed;
    }

    private Map<String, List<BatchWrite>> oldReceipts(long before) {
        Call call = Call.scan(REMOVE_RECEIPTS, PATIENCE);
        Map<String, List<BatchWrite>> byInstance = new LinkedHashMap<>();
        for (ObjectNode row :
                requests.queryAllPartitions(call, SqlQuery.of(OLD_RECEIPTS).with("@before", before))) {
            byInstance
                    .computeIfAbsent(DocumentJson.text(row, Fields.INSTANCE_ID), instance -> new ArrayList<>())
                    .add(new BatchWrite.Delete(DocumentJson.id(row), DocumentJson.etag(row)));
        }
        return byInstance;
    }

    /** Some instances at a time: one after the other, receipts could be made faster than they are removed. */
    private int remove(Map<String, List<BatchWrite>> byInstance) {
        ExecutorService threads = Executors.newFixedThreadPool(INSTANCES_AT_A_TIME);
        try {
            List<Callable<Integer>> removals = new ArrayList<>();
            byInstance.forEach((instance, receipts) -> removals.add(() -> remove(instance, receipts)));
            int removed = 0;
            for (Future<Integer> removal : threads.invokeAll(removals, REMOVING.toMillis(), TimeUnit.MILLISECONDS)) {
                removed += removal.get();
            }
            return removed;
        } catch (CancellationException e) {
            throw ProviderException.retryable(
                    REMOVE_RECEIPTS, "old receipts could not all be removed within " + REMOVING + "; some were", e);
        } catch (InterruptedException e) {
            throw Failures.interrupted(Call.onContainer(REMOVE_RECEIPTS, PATIENCE), e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ProviderException failure
                    ? failure
                    : new IllegalStateException("old receipts could not be removed", e.getCause());
        } finally {
            threads.shutdown();
        }
    }

    private int remove(String instance, List<BatchWrite> receipts) {
        int removed = 0;
        for (List<BatchWrite> some : BatchWrite.portions(receipts)) {
            removed += removeBatch(instance, some);
        }
        return removed;
    }

    /** Returns that none was removed yet. */
    private static int leaveOut(Call call, List<BatchWrite> deletes, WriteOutcome.Refused refused) {
        if (refused.isConflict()) {
            throw Failures.of(call, refused);
        }
        deletes.remove(refused.index());
        return 0;
    }

    /** Other replicas remove them too; one that was written anew under its id since is young, and stays. */
    private int removeBatch(String instance, List<BatchWrite> deletes) {
        Call call = Call.onInstance(REMOVE_RECEIPTS, instance, PATIENCE);
        while (!deletes.isEmpty()) {
            WriteOutcome answer = requests.batchPatiently(call, instance, deletes);
            int removed = answer.match(
                    committed -> deletes.size(),
                    refused -> leaveOut(call, deletes, refused),
                    Failures.throwing(call),
                    Failures.throwing(call));
            if (removed > 0) {
                return removed;
            }
        }
        return 0;
    }
}
