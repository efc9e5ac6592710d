package io.sluice.provider.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Finds documents that no party holds, and leases them together in one batch. Thread-safe. */
final class LeaseSearch {
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(LeaseSearch.class));
    private static final String FREE = " * FROM c WHERE c.type = 'lease' AND c.status = @state"
            + " AND (NOT IS_DEFINED(c.lease) OR IS_NULL(c.lease) OR c.lease.acquiredAt + c.lease.durationMillis <= @now)"
            + " ORDER BY c.enqueuedAt";

    private final ContainerRequests requests;
    private final String partition;
    private final InstantSource clock;
    private final Supplier<Lease> nextLease;

    /** In a partition; each batch writes the next lease of the party. */
    LeaseSearch(ContainerRequests requests, String partition, InstantSource clock, Supplier<Lease> nextLease) {
        this.requests = requests;
        this.partition = partition;
        this.clock = clock;
        this.nextLease = nextLease;
    }

    /** Leases at most so many documents in a state, the one that has been in it for longest first. */
    List<LeasedItem> lease(Call call, String state, int most) {
        while (!call.deadline().isOver()) {
            List<Stored<LeaseDocument>> free = free(call, state, most);
            if (free.isEmpty()) {
                return List.of();
            }
            List<LeasedItem> leased = leaseAll(call, free);
            if (!leased.isEmpty()) {
                return leased;
            }
            // Other parties took them all; there may be more.
        }
        throw Failures.of(call, new WriteOutcome.Refused(WriteOutcome.Refusal.PRECONDITION_FAILED, 0));
    }

    /** The oldest that can be read: malformed ones ahead of them are asked for as well, and left where they are. */
    private List<Stored<LeaseDocument>> free(Call call, String state, int most) {
        int asked = most;
        while (true) {
            SqlQuery query = SqlQuery.of("SELECT TOP " + asked + FREE)
                    .with("@state", state)
                    .with("@now", clock.millis());
            List<ObjectNode> rows = requests.query(call, partition, query).rows();
            List<Stored<LeaseDocument>> free = readable(rows);
            if (free.size() >= most || rows.size() < asked) {
                return new ArrayList<>(free.subList(0, Math.min(most, free.size())));
            }
            asked = most + 2 * (rows.size() - free.size());
        }
    }

    private static List<Stored<LeaseDocument>> readable(List<ObjectNode> rows) {
        List<Stored<LeaseDocument>> readable = new ArrayList<>();
        for (ObjectNode row : rows) {
            try {
                readable.add(LeaseDocument.stored(row));
            } catch (MalformedDocumentException e) {
                MALFORMED.log(row, "a document to lease is malformed and given to no party; repair or delete it", e);
            }
        }
        return readable;
    }

    /** Leases the documents in one batch, without those that another party takes meanwhile. */
    private List<LeasedItem> leaseAll(Call call, List<Stored<LeaseDocument>> free) {
        while (!free.isEmpty()) {
            Lease lease = nextLease.get();
            List<BatchWrite> writes = new ArrayList<>();
            free.forEach(stored -> writes.add(LeaseDocument.acquisition(stored, lease)));
            WriteOutcome outcome = requests.batchPatiently(call, partition, writes);
            List<LeasedItem> leased = outcome.match(
                    committed -> items(free, lease, committed.etags()),
                    refused -> leaveOut(call, free, refused),
                    ambiguous -> leasedBy(call, free, lease, ambiguous),
                    Failures.throwing(call));
            if (!leased.isEmpty()) {
                return leased;
            }
        }
        return List.of();
    }

    private static List<LeasedItem> items(List<Stored<LeaseDocument>> leased, Lease lease, List<String> etags) {
        List<LeasedItem> items = new ArrayList<>();
        for (int i = 0; i < leased.size(); i++) {
            items.add(leased.get(i).document().toItem(lease, etags.get(i)));
        }
        return items;
    }

    /** Another party took the document, or removed it. */
    private static List<LeasedItem> leaveOut(
            Call call, List<Stored<LeaseDocument>> free, WriteOutcome.Refused refused) {
        if (refused.isConflict()) {
            throw Failures.of(call, refused);
        }
        free.remove(refused.index());
        return List.of();
    }

    /** Reads the documents after a batch without an answer: all of it was committed, or nothing. */
    private List<LeasedItem> leasedBy(
            Call call, List<Stored<LeaseDocument>> documents, Lease lease, WriteOutcome.Ambiguous ambiguous) {
        if (call.deadline().isOver()) {
            throw Failures.of(call, ambiguous);
        }
        List<String> ids =
                documents.stream().map(stored -> stored.document().id()).toList();
        SqlQuery query = SqlQuery.of("SELECT * FROM c WHERE c.type = 'lease'").andOneOf("c.id", ids);
        List<LeasedItem> leased = new ArrayList<>();
        for (Stored<LeaseDocument> stored :
                readable(requests.query(call, partition, query).rows())) {
            if (lease.equals(stored.document().lease())) {
                leased.add(stored.document().toItem(lease, stored.etag()));
            }
        }
        leased.sort((a, b) -> Integer.compare(ids.indexOf(a.id()), ids.indexOf(b.id())));
        return leased;
    }
}
