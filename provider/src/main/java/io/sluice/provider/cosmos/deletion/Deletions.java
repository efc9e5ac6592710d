package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DeletionDocument.State;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes instances from several partitions, all or none. It keeps no state: a process that finds a deletion of a
 * crashed process carries it out or aborts it. Thread-safe.
 */
public final class Deletions {
    /** How many members a deletion works on at a time. */
    public static final int MEMBERS_AT_ONCE = 32;

    private static final Logger LOG = LoggerFactory.getLogger(Deletions.class);

    private final HistoryGate gate;
    private final DeletionRecords records;
    private final MemberRemoval removal;
    private final DeletionHelp help;
    private final AbortedDeletions aborted;
    private final DeletionAttempt attempt;

    /**
     * Wires the parts; no request is made.
     *
     * @param membersAtOnce how many members a deletion works on at a time; with one it starts no threads
     */
    public Deletions(
            ContainerRequests requests, IntentOutbox outbox, HistoryGate gate, int membersAtOnce, InstantSource clock) {
        MembersAtOnce atOnce = new MembersAtOnce(membersAtOnce);
        this.gate = gate;
        records = new DeletionRecords(requests, gate, clock);
        removal = new MemberRemoval(requests, atOnce, clock);
        help = new DeletionHelp(records, new UnreadableDeletions(requests), removal);
        MemberLocks locks = new MemberLocks(requests, clock);
        MemberReads reads = new MemberReads(requests, locks, new TurnFinisher(requests, clock), help, atOnce);
        OutsideChildren children = new OutsideChildren(requests, new ChildSearch(requests), outbox, atOnce);
        aborted = new AbortedDeletions(records, locks, atOnce);
        attempt = new DeletionAttempt(
                reads, new DeletionPreparation(locks, reads, gate, children, atOnce), records, aborted, removal);
    }

    /** The gate at which a removal waits until the relay has published the history. */
    public HistoryGate gate() {
        return gate;
    }

    /** Whether a deletion holds the lock; {@link #help} then finds out its state. */
    public static boolean isHeldByOne(InstanceDocument instance) {
        return DeletionDocument.Name.in(instance.lockToken()).isPresent();
    }

    /**
     * Makes one attempt to remove these instances, as the terms allow. Ids without any document are skipped.
     *
     * @throws ProviderException retryable when the store is away or the relay behind. Unless the message says that the
     *     deletion is decided, nothing was removed
     */
    public DeletionOutcome attempt(Call call, List<String> instances, DeletionTerms terms) {
        return attempt.run(new DeletionTargets(call, terms), instances);
    }

    /** The same for a whole tree that was found just now; one search less. */
    public DeletionOutcome attemptTree(Call call, List<String> tree, DeletionTerms terms) {
        return attempt.runOnTree(new DeletionTargets(call, terms), tree);
    }

    /**
     * Finds out the state of a deletion whose lock was found, and carries out a committed one before it returns. Costs
     * one or two requests while the deletion is undecided, and none when no deletion holds the lock.
     *
     * @throws ProviderException retryable when the store can't be reached, or the deletion can't be carried out now;
     *     permanent when the deletion's document is malformed or of a newer release
     */
    public DeletionState help(Call call, InstanceDocument instance) {
        return help(call, instance.instanceId(), instance.lockToken());
    }

    /** The same for an instance of which only the lock token is known. */
    public DeletionState help(Call call, String instanceId, @Nullable String lockToken) {
        return help.help(call, instanceId, lockToken);
    }

    /**
     * The same for one of many, which it must not fail: an instance whose deletion can't be read exists, and is held by
     * it. The log says so once.
     *
     * @throws ProviderException retryable when the store can't be reached, or the deletion can't be carried out now
     */
    public DeletionState helpIfReadable(Call call, InstanceDocument instance) {
        return help.helpIfReadable(call, instance.instanceId(), instance.lockToken());
    }

    /** For a read that writes nothing: which of what it found exists no more. */
    public CommittedDeletions committed(Call call) {
        return new CommittedDeletions(records, call);
    }

    /**
     * Carries out all committed deletions, aborts overdue ones, and removes the locks of aborted ones. A sweep calls it
     * every minute or so; correctness does not depend on it, since any process that finds a member does the same. Costs
     * one cross-partition query when there is nothing to do.
     *
     * @return how many it finished
     * @throws ProviderException retryable when the store can't be read
     */
    public int finishOverdue(Call call) {
        int finished = 0;
        Call patient = call;
        for (Stored<DeletionDocument> found : records.all(call)) {
            try {
                finished += finish(patient, found.document()) == State.OPEN ? 0 : 1;
                patient = call.again();
            } catch (ProviderException e) {
                LOG.atWarn()
                        .addKeyValue("deletion", found.document().uuid())
                        .setCause(e)
                        .log("a deletion could not be finished now");
            }
        }
        return finished;
    }

    /** Carries out a decided deletion, and leaves an open one alone. Returns the state of the deletion. */
    private State finish(Call call, DeletionDocument seen) {
        Stored<DeletionDocument> deletion = records.resolve(call, new DeletionDocument.Name(seen.uuid(), seen.home()));
        switch (deletion.document().state()) {
            case COMMITTED -> removal.removeAll(call, deletion.document());
            case ABORTED -> aborted.tidyUp(call, deletion);
            case OPEN -> {
                // Its own process works on it.
            }
        }
        return deletion.document().state();
    }
}
