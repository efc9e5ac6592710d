package io.sluice.provider.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

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
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(SlotGroupView.class));
    private static final String CHANGED_AT = "_ts";

    static final String MEMBER = "member";
    static final String TABLE = "slots";
    static final SqlQuery QUERY =
            SqlQuery.of("SELECT * FROM c WHERE c.type = 'lease' AND c.status IN ('" + MEMBER + "', '" + TABLE + "')");

    /**
     * Reads the rows of {@link #QUERY}. A member's that can't be read is skipped once any lease it may hold has
     * expired, as that of a runtime that is gone.
     *
     * @throws MalformedDocumentException when the table can't be read, or a younger member
     */
    static SlotGroupView of(List<ObjectNode> rows, Instant now) {
        SortedMap<String, Stored<LeaseDocument>> members = new TreeMap<>();
        @Nullable Stored<LeaseDocument> table = null;
        for (ObjectNode row : rows) {
            Stored<LeaseDocument> stored;
            try {
                stored = new Stored<>(LeaseDocument.fromJson(row), DocumentJson.etag(row));
            } catch (MalformedDocumentException e) {
                if (!isLapsedMember(row, now)) {
                    throw e;
                }
                MALFORMED.log(row, "a runtime's place among the slots can't be read and is skipped; delete it", e);
                continue;
            }
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

    /** By the service's own time of the last change, which nobody but the service writes. */
    private static boolean isLapsedMember(ObjectNode row, Instant now) {
        JsonNode changed = row.path(CHANGED_AT);
        return row.path(LeaseDocument.STATE).asText().equals(MEMBER)
                && changed.isNumber()
                && Instant.ofEpochSecond(changed.asLong())
                        .plus(LeaseConfig.LONGEST)
                        .isBefore(now);
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
