package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Aborted;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.ChildrenOutside;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Deleted;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DeletionDocument.State;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts a deletion, by the rules of the protocol model of deletion: reads the members, creates the deciding document
 * in state open, locks every member, waits for the relay, refuses intents that would start children, searches for
 * children again, commits, and removes the members. Thread-safe.
 */
final class DeletionAttempt {
    private static final Logger LOG = LoggerFactory.getLogger(DeletionAttempt.class);
    private static final Duration TO_TIDY_UP = Duration.ofSeconds(10);

    private final MemberReads reads;
    private final DeletionPreparation preparation;
    private final DeletionRecords records;
    private final AbortedDeletions aborted;
    private final MemberRemoval removal;

    DeletionAttempt(
            MemberReads reads,
            DeletionPreparation preparation,
            DeletionRecords records,
            AbortedDeletions aborted,
            MemberRemoval removal) {
        this.reads = reads;
        this.preparation = preparation;
        this.records = records;
        this.aborted = aborted;
        this.removal = removal;
    }

    /** Removes exactly these instances. When they have other children, it refuses before anything is written. */
    DeletionOutcome run(DeletionTargets targets, List<String> instances) {
        @Nullable DeletionOutcome refused = reads.read(targets, instances);
        if (refused != null) {
            return refused;
        }
        List<String> children = preparation.findStartedChildren(targets);
        return children.isEmpty() ? remove(targets) : new ChildrenOutside(children, List.of());
    }

    /**
     * The same for a tree that was found just now: other children are searched for only once all members are locked.
     */
    DeletionOutcome runOnTree(DeletionTargets targets, List<String> tree) {
        @Nullable DeletionOutcome refused = reads.read(targets, tree);
        return refused == null ? remove(targets) : refused;
    }

    private DeletionOutcome remove(DeletionTargets targets) {
        if (targets.isEmpty()) {
            return new Deleted(DeleteInstanceResult.NOTHING);
        }
        Call call = targets.call();
        OpenDeletion open = new OpenDeletion(records, call, records.create(call, targets.leafFirst()));
        DeletionOutcome prepared = new Deleted(DeleteInstanceResult.NOTHING);
        Stored<DeletionDocument> decided;
        try {
            prepared = preparation.prepare(targets, open);
            State state = prepared instanceof Deleted ? State.COMMITTED : State.ABORTED;
            decided = records.decide(call.again(), open.known(), state);
        } catch (DeletionAbortedException e) {
            LOG.atDebug().setCause(e).log("an attempt to delete ends early");
            decided = open.known();
        } catch (ProviderException e) {
            decided = giveUp(targets, open, e);
        }
        if (decided.document().state() == State.ABORTED) {
            tidyUp(targets, decided);
            return prepared instanceof Deleted ? new Aborted() : prepared;
        }
        removal.removeAll(call.again(), decided.document());
        return prepared;
    }

    /**
     * Aborts after a failure, unless the commit had gone through. Locks that can't be removed now are removed by the
     * next process that finds a member.
     */
    private Stored<DeletionDocument> giveUp(DeletionTargets targets, OpenDeletion open, ProviderException why) {
        Stored<DeletionDocument> decided;
        try {
            decided = records.decide(targets.call().within(TO_TIDY_UP), open.known(), State.ABORTED);
        } catch (ProviderException e) {
            why.addSuppressed(e);
            throw why;
        }
        if (decided.document().state() == State.ABORTED) {
            tidyUp(targets, decided);
            throw why;
        }
        return decided;
    }

    private void tidyUp(DeletionTargets targets, Stored<DeletionDocument> decided) {
        try {
            aborted.tidyUp(targets.call().within(TO_TIDY_UP), decided, targets.asked());
        } catch (ProviderException e) {
            LOG.atInfo()
                    .addKeyValue("deletion", decided.document().uuid())
                    .setCause(e)
                    .log(
                            "an aborted deletion could not be undone; the next process that finds one of its locked instances unlocks it");
        }
    }
}
