package io.sluice.provider.lease;

import io.sluice.provider.document.Stored;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.FieldPatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The writes of one runtime at one heartbeat, made from what it read. Pure.
 *
 * <p>It renews its own lease, removes runtimes whose leases have expired, and then either gives up slots beyond its
 * quota or takes free ones, all in one batch that names every version it depends on. So a removed runtime can't claim
 * slots, and a runtime that renewed can't be removed.
 */
final class SlotPlan {
    /** Leaves room in the batch for the runtime's own document and the table. */
    private static final int MOST_REMOVED = BatchWrite.MAX_OPERATIONS - 2;

    private final SlotGroupView view;
    private final String partition;
    private final Lease lease;
    private final List<Stored<LeaseDocument>> dead;
    private final SlotTable table;
    private final int quota;
    private final SortedSet<Integer> kept;
    private final SortedSet<Integer> surplus;

    private SlotPlan(SlotGroupView view, String partition, Lease lease) {
        this.view = view;
        this.partition = partition;
        this.lease = lease;
        this.dead = view.members().entrySet().stream()
                .filter(member -> !member.getKey().equals(lease.holder())
                        && member.getValue().document().isExpired(lease.acquiredAtMillis()))
                .map(member -> member.getValue())
                .limit(MOST_REMOVED)
                .toList();
        SortedSet<String> live = new TreeSet<>(view.members().keySet());
        dead.forEach(member -> live.remove(member.document().content()));
        live.add(lease.holder());
        this.table = view.slots().of(live);
        this.quota = SlotTable.quota(lease.holder(), live, SlotTable.ALL.size());
        this.kept = SlotTable.within(table.of(lease.holder()), quota);
        this.surplus = table.of(lease.holder());
        surplus.removeAll(kept);
    }

    /**
     * The plan of a runtime.
     *
     * @param lease its lease from now on
     */
    static SlotPlan of(SlotGroupView view, String partition, Lease lease) {
        return new SlotPlan(view, partition, lease);
    }

    /** The slots that the runtime keeps. */
    SortedSet<Integer> kept() {
        return new TreeSet<>(kept);
    }

    /**
     * Returns the writes, and the state after them.
     *
     * @param inUse surplus slots that a caller in this process still uses; they are given up later
     */
    Heartbeat heartbeat(SortedSet<Integer> inUse) {
        SortedSet<Integer> given = new TreeSet<>(surplus);
        given.removeAll(inUse);
        SlotTable after = table.without(given);
        if (surplus.isEmpty()) {
            after = after.filled(lease.holder(), quota, SlotTable.ALL);
        }
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(renewal());
        if (view.table() == null || !after.equals(view.slots())) {
            writes.add(tableWrite(after));
        }
        dead.forEach(
                member -> writes.add(new BatchWrite.Delete(member.document().id(), member.etag())));
        SortedSet<Integer> usable = after.of(lease.holder());
        boolean settled = usable.size() == quota && after.holders().size() == SlotTable.ALL.size();
        usable.removeAll(surplus);
        return new Heartbeat(writes, usable, settled);
    }

    /** The batch that removes this runtime from the group; empty when it was removed before. */
    static List<BatchWrite> leaving(SlotGroupView view, String partition, String holder) {
        Stored<LeaseDocument> mine = view.members().get(holder);
        if (mine == null) {
            return List.of();
        }
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(new BatchWrite.Delete(mine.document().id(), mine.etag()));
        SlotTable slots = view.slots();
        SortedSet<Integer> held = slots.of(holder);
        if (!held.isEmpty()) {
            writes.add(tableWrite(view, partition, slots.without(held)));
        }
        return writes;
    }

    /**
     * The writes, and the state after them.
     *
     * @param usable slots to give out once it is written
     * @param settled whether no slot has to move any more
     */
    record Heartbeat(List<BatchWrite> writes, SortedSet<Integer> usable, boolean settled) {}

    private BatchWrite renewal() {
        Stored<LeaseDocument> mine = view.members().get(lease.holder());
        if (mine != null) {
            return new BatchWrite.PatchFields(mine.document().id(), LeaseDocument.leasing(lease), mine.etag());
        }
        return new BatchWrite.Create(new LeaseDocument(
                        SlotGroupView.memberId(lease.holder()),
                        partition,
                        SlotGroupView.MEMBER,
                        lease.holder(),
                        lease.acquiredAtMillis(),
                        lease)
                .toJson());
    }

    private BatchWrite tableWrite(SlotTable after) {
        return tableWrite(view, partition, after);
    }

    private static BatchWrite tableWrite(SlotGroupView view, String partition, SlotTable after) {
        Stored<LeaseDocument> before = view.table();
        if (before != null) {
            FieldPatch patch = FieldPatch.set(LeaseDocument.CONTENT, after.write());
            return new BatchWrite.PatchFields(before.document().id(), patch, before.etag());
        }
        return new BatchWrite.Create(
                new LeaseDocument(SlotGroupView.TABLE, partition, SlotGroupView.TABLE, after.write(), 0, null)
                        .toJson());
    }
}
