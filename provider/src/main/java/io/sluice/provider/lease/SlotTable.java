package io.sluice.provider.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.work.DispatchSlot;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The holder of each slot: one member or none. Immutable; every change makes a new table.
 *
 * <p>A member's quota follows from the names of the members alone, so that members agree on it in whatever order they
 * learn of each other, and no slot moves while no member comes or goes.
 */
record SlotTable(SortedMap<Integer, String> holders) {
    static final SlotTable EMPTY = new SlotTable(Collections.emptySortedMap());
    static final SortedSet<Integer> ALL = Collections.unmodifiableSortedSet(
            IntStream.range(0, DispatchSlot.COUNT).boxed().collect(Collectors.toCollection(TreeSet::new)));

    SlotTable {
        holders = Collections.unmodifiableSortedMap(new TreeMap<>(holders));
    }

    /**
     * How many slots are due to the member: an even part; the first members by name get one more where slots are left
     * over.
     */
    static int quota(String member, SortedSet<String> members, int slots) {
        int rank = members.headSet(member).size();
        return slots / members.size() + (rank < slots % members.size() ? 1 : 0);
    }

    /** The slots of a member, ascending. */
    SortedSet<Integer> of(String member) {
        return holders.entrySet().stream()
                .filter(entry -> entry.getValue().equals(member))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The same with the slots of these members alone. */
    SlotTable of(Set<String> members) {
        SortedMap<Integer, String> left = new TreeMap<>(holders);
        left.values().retainAll(members);
        return new SlotTable(left);
    }

    /** Frees slots. */
    SlotTable without(Collection<Integer> slots) {
        SortedMap<Integer, String> left = new TreeMap<>(holders);
        left.keySet().removeAll(slots);
        return new SlotTable(left);
    }

    /** The member takes free slots of the pool, the lowest first, until it has as many as its quota. */
    SlotTable filled(String member, int quota, SortedSet<Integer> pool) {
        SortedMap<Integer, String> filled = new TreeMap<>(holders);
        int missing = quota - of(member).size();
        for (int slot : pool) {
            if (missing <= 0) {
                break;
            }
            missing -= filled.putIfAbsent(slot, member) == null ? 1 : 0;
        }
        return new SlotTable(filled);
    }

    /** The slots that the member keeps when it gives up its highest ones beyond the quota. */
    static SortedSet<Integer> within(SortedSet<Integer> slots, int quota) {
        return slots.stream().limit(quota).collect(Collectors.toCollection(TreeSet::new));
    }

    /** As text, to be stored. */
    String write() {
        ObjectNode json = DocumentJson.object();
        for (Map.Entry<Integer, String> entry : holders.entrySet()) {
            String holder = entry.getValue();
            ArrayNode slots = json.has(holder) ? (ArrayNode) json.get(holder) : json.putArray(holder);
            slots.add(entry.getKey());
        }
        return DocumentJson.write(json);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws MalformedDocumentException when it is something else
     */
    static SlotTable parse(String text) {
        SortedMap<Integer, String> holders = new TreeMap<>();
        for (Map.Entry<String, JsonNode> member : DocumentJson.parse(text).properties()) {
            for (JsonNode slot : member.getValue()) {
                if (!slot.isInt()
                        || !ALL.contains(slot.intValue())
                        || holders.put(slot.intValue(), member.getKey()) != null) {
                    throw new MalformedDocumentException(
                            "slot table: " + slot + " of '" + member.getKey() + "' is no slot, or held twice");
                }
            }
        }
        return new SlotTable(holders);
    }
}
