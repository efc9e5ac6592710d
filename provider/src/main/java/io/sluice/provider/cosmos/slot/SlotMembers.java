package io.sluice.provider.cosmos.slot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who shares the slots, as one read of the document showed it. The document is one for a store, of a type and in a
 * partition that no query of the contract sees; a field for each process says until when it shares the slots of which
 * groups. Immutable.
 *
 * @param untilMillis by member, then by group
 */
record SlotMembers(SortedMap<String, Map<String, Long>> untilMillis) {
    static final String ID = "dispatch";
    static final String PARTITION = "__leases__:dispatch";
    static final SlotMembers NONE = new SlotMembers(new TreeMap<>());

    private static final String MEMBER = "member_";
    private static final String TTL = "ttl";
    private static final int TTL_SECONDS = 24 * 60 * 60;
    /** Many times a lease, so that clocks may differ. */
    private static final long LONGEST_MILLIS = Duration.ofMinutes(10).toMillis();

    /** Reads the document; entries of an unknown form are passed over. */
    static SlotMembers of(JsonNode document) {
        SortedMap<String, Map<String, Long>> members = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : document.properties()) {
            if (field.getKey().startsWith(MEMBER) && field.getValue().isObject()) {
                Map<String, Long> groups = new TreeMap<>();
                field.getValue().properties().forEach(group -> {
                    if (group.getValue().canConvertToLong()) {
                        groups.put(group.getKey(), group.getValue().longValue());
                    }
                });
                members.put(field.getKey().substring(MEMBER.length()), groups);
            }
        }
        return new SlotMembers(members);
    }

    /** The document with its first member. It goes by itself a day after the last of them. */
    static ObjectNode document(String member, ObjectNode groups) {
        ObjectNode document = DocumentJson.document(ID, PARTITION, DocumentType.LEASE);
        document.put(Fields.STATUS, "dispatch").put(TTL, TTL_SECONDS);
        document.set(field(member), groups);
        return document;
    }

    /** The field of a member. */
    static String field(String member) {
        return MEMBER + member;
    }

    /** The processes that share the slots of a group, in the order of their names. */
    List<String> live(String group, long nowMillis) {
        return untilMillis.entrySet().stream()
                .filter(member -> isLease(member.getValue().getOrDefault(group, 0L), nowMillis + 1))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The processes whose shares have all expired some time ago, or that have none; the longest expired first. */
    List<String> gone(long beforeMillis, int most) {
        List<String> gone = new ArrayList<>();
        untilMillis.entrySet().stream()
                .filter(member -> member.getValue().values().stream().noneMatch(until -> isLease(until, beforeMillis)))
                .sorted(Comparator.comparingLong(
                        member -> last(member.getValue().values())))
                .limit(most)
                .forEach(member -> gone.add(member.getKey()));
        return gone;
    }

    /** Whether it ends at this moment or later. What says so for ages was written by a hand, or by a clock far off. */
    private static boolean isLease(long untilMillis, long endsFromMillis) {
        return untilMillis >= endsFromMillis && untilMillis - endsFromMillis <= LONGEST_MILLIS;
    }

    private static long last(Collection<Long> untilMillis) {
        return untilMillis.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** The slots of a member of a group: all of them while it is alone, or not known to share. */
    SlotRange range(String group, String member, long nowMillis) {
        List<String> live = live(group, nowMillis);
        int rank = live.indexOf(member);
        return rank < 0 ? SlotRange.ALL : SlotRange.part(rank, live.size());
    }
}
