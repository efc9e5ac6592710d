package io.sluice.provider.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The partition of a group of runtimes, as one read showed it: a leased document per runtime, and the table of the
 * slots' holders.
 *
 * @param members by name of the holder
 * @param table null before the first runtime joined
 * @param slots what the table says
 */
record SlotGroupView(
        SortedMap<String, Stored<LeaseDocument>> members,
        @Nullable Stored<LeaseDocument> table,
        SlotTable slots) {
    static final String MEMBER = "member";
    static final String TABLE = "slots";
    static final SqlQuery QUERY =
            SqlQuery.of("SELECT * FROM c WHERE c.type = 'lease' AND c.status IN ('" + MEMBER + "', '" + TABLE + "')");

    /**
     * Reads the rows of {@link #QUERY}.
     *
     * @throws io.sluice.provider.document.MalformedDocumentException when one is not what it should be
     */
    static SlotGroupView of(List<ObjectNode> rows) {
        SortedMap<String, Stored<LeaseDocument>> members = new TreeMap<>();
        @Nullable Stored<LeaseDocument> table = null;
        for (ObjectNode row : rows) {
            Stored<LeaseDocument> stored = new Stored<>(LeaseDocument.fromJson(row), DocumentJson.etag(row));
            if (stored.document().state().equals(TABLE)) {
                table = stored;
            } else {
                members.put(stored.document().content(), stored);
            }
        }
        SlotTable slots = table == null
                ? SlotTable.EMPTY
                : SlotTable.parse(table.document().content());
        return new SlotGroupView(members, table, slots);
    }

    /** Id of a runtime's document. */
    static String memberId(String holder) {
        return "member:" + holder;
    }

    /** When the next lease of another runtime expires; nothing when there is no other. */
    Optional<Long> nextExpiry(String me) {
        return members.values().stream()
                .map(member -> member.document().lease())
                .filter(lease -> lease != null && !lease.holder().equals(me))
                .map(Lease::expiresAtMillis)
                .min(Long::compare);
    }

    /**
     * Holders whose leases seem to have been taken later than now by more than the margin: one of the clocks is wrong.
     */
    List<String> aheadBy(Duration margin, long nowMillis) {
        return members.values().stream()
                .map(member -> member.document().lease())
                .filter(lease -> lease != null && lease.acquiredAtMillis() > nowMillis + margin.toMillis())
                .map(lease -> lease.holder())
                .toList();
    }
}
