package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.document.DeletionDocument;
import io.sluice.provider.cosmos.document.DeletionDocument.State;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.purge.HistoryGate;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.outbox.IntentOutbox;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes instances, all or none, from however many partitions. Keeps no state: whoever meets a deletion that another process left behind carries it out or
 * gives it up. Thread-safe.
 */
public final class Deletions {
    private static final Logger LOG = LoggerFactory.getLogger(Deletions.class);

    private final DeletionParts parts;

    /** Wires the parts; no request is made. */
    public Deletions(ContainerRequests requests, IntentOutbox outbox, HistoryGate gate, InstantSource clock) {
        DeletionRecords records = new DeletionRecords(requests, clock);
        MemberRemoval removal = new MemberRemoval(requests, clock);
        this.parts = new DeletionParts(
                requests,
                records,
                new MemberLocks(requests, clock),
                removal,
                new Meetings(records, removal),
                new Offspring(requests),
                new TurnFinisher(requests, clock),
                outbox,
                gate,
                clock);
    }

    /** Whether a deletion's name stands in the lock: {@link #meet} tells what became of it. */
    public static boolean isHeldByOne(InstanceDocument instance) {
        return DeletionDocument.Name.in(instance.lockToken()).isPresent();
    }

    /**
     * Makes one attempt to remove these instances. Ids without any document are passed over.
     *
     * @param forced tells which ones may be taken though they run
     * @throws ProviderException retryable when the store is away or the relay behind. Unless the message says that the deletion is decided, nothing was
     *     removed
     */
    public DeletionOutcome attempt(Call call, List<String> instances, Predicate<String> forced) {
        return new DeletionAttempt(parts, call, forced).run(instances);
    }

    /** The same for the whole of a tree, which was found just now; needs a search less. */
    public DeletionOutcome attemptTree(Call call, List<String> tree, Predicate<String> forced) {
        return new DeletionAttempt(parts, call, forced).runOnTree(tree);
    }

    /**
     * Finds out what became of an instance that was found locked, and carries a committed deletion out before answering. One to two requests while it is
     * undecided, none where no deletion's name stands in the lock.
     *
     * @throws ProviderException retryable when that can't be found out or carried out now
     */
    public Meeting meet(Call call, InstanceDocument instance) {
        return meet(call, instance.instanceId(), instance.lockToken());
    }

    /** The same for an instance of which only the lock token is known. */
    public Meeting meet(Call call, String instanceId, @Nullable String lockToken) {
        return parts.meetings().meet(call, instanceId, lockToken);
    }

    /**
     * Carries out all committed deletions, gives up those that are overdue, and tidies up after those given up. For a sweep every minute or so: nothing correct
     * hangs on it, since whoever meets a member does the same. One cross-partition query when there is nothing to do.
     *
     * @return how many it finished
     * @throws ProviderException retryable when the store can't be read
     */
    public int finishOverdue(Call call) {
        int finished = 0;
        for (Stored<DeletionDocument> found : parts.records().all(call)) {
            try {
                finished += isFinished(call, found.document()) ? 1 : 0;
            } catch (ProviderException e) {
                LOG.atWarn()
                        .addKeyValue("deletion", found.document().uuid())
                        .setCause(e)
                        .log("a deletion could not be finished now");
            }
        }
        return finished;
    }

    private boolean isFinished(Call call, DeletionDocument seen) {
        Stored<DeletionDocument> deletion =
                parts.records().judged(call, new DeletionDocument.Name(seen.uuid(), seen.home()));
        if (deletion.document().state() == State.COMMITTED) {
            parts.removal().removeAll(call, deletion.document());
            return true;
        }
        if (deletion.document().state() == State.ABORTED) {
            for (String member : deletion.document().members()) {
                parts.locks().unlock(call, deletion.document().token(), member, false);
            }
            parts.records().remove(call, deletion);
            return true;
        }
        return false;
    }
}
