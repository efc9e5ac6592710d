package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.key.EpkRange;
import io.sluice.emulator.store.key.PartitionKeyDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The physical partitions of a container, and those it had before they split or merged.
 *
 * @param version grows with every change
 * @param live the partitions that hold items, in the order of the key space, which they cover without gap or overlap
 * @param retired the earlier partitions, which hold nothing any more
 */
record PartitionLayout(int version, List<Placement> live, List<Placement> retired) {
    PartitionLayout {
        live = List.copyOf(live);
        retired = List.copyOf(retired);
    }

    /**
     * A physical partition and its range.
     *
     * @param index its number in the container, never used again
     * @param keys the part of the key space
     * @param ancestors the numbers of the partitions its items were in before; none of a retired one
     * @param sessionVersion of its session tokens: a split keeps it, a merge makes a new one, as on the service
     */
    record Placement(int index, EpkRange keys, List<Integer> ancestors, int sessionVersion) {
        Placement {
            ancestors = List.copyOf(ancestors);
        }

        /** Nobody asks for them once it is retired, and each stored layout would have them all again. */
        Placement withoutAncestors() {
            return new Placement(index, keys, List.of(), sessionVersion);
        }
    }

    /** The layout of a new container: equal parts of the key space. */
    static PartitionLayout equalParts(PartitionKeyDefinition definition, int count) {
        var ranges = EpkRange.split(definition, count);
        var live = new ArrayList<Placement>(count);
        for (int i = 0; i < count; i++) {
            live.add(new Placement(i, ranges.get(i), List.of(), 0));
        }
        return new PartitionLayout(1, live, List.of());
    }

    /** The layout after a partition was split in two. */
    PartitionLayout split(int index, String at) {
        var parent = live(index);
        int next = nextIndex();
        var ancestors = ancestors(List.of(parent));
        int version = parent.sessionVersion();
        var left = new EpkRange(parent.keys().min(), at);
        var right = new EpkRange(at, parent.keys().max());
        return replace(
                List.of(parent),
                List.of(
                        new Placement(next, left, ancestors, version),
                        new Placement(next + 1, right, ancestors, version)));
    }

    /**
     * The layout after two neighbours were merged.
     *
     * @throws StatusException 400 when the second does not begin where the first ends
     */
    PartitionLayout merge(int first, int second) {
        var left = live(first);
        var right = live(second);
        if (!left.keys().max().equals(right.keys().min())) {
            throw StatusException.badRequest(
                    "The ranges " + first + " and " + second + " are no neighbours, in this order.");
        }
        var parents = List.of(left, right);
        var keys = new EpkRange(left.keys().min(), right.keys().max());
        int version = 1 + Math.max(left.sessionVersion(), right.sessionVersion());
        return replace(parents, List.of(new Placement(nextIndex(), keys, ancestors(parents), version)));
    }

    private PartitionLayout replace(List<Placement> parents, List<Placement> children) {
        var changed = new ArrayList<Placement>();
        for (var range : live) {
            if (range.equals(parents.get(0))) {
                changed.addAll(children);
            } else if (!parents.contains(range)) {
                changed.add(range);
            }
        }
        return new PartitionLayout(
                version + 1,
                changed,
                Stream.concat(retired.stream(), parents.stream().map(Placement::withoutAncestors))
                        .toList());
    }

    private Placement live(int index) {
        return live.stream()
                .filter(range -> range.index() == index)
                .findFirst()
                .orElseThrow(() -> StatusException.partitionGone("The partition key range is gone: " + index));
    }

    private int nextIndex() {
        return 1
                + Stream.concat(live.stream(), retired.stream())
                        .mapToInt(Placement::index)
                        .max()
                        .orElse(-1);
    }

    private static List<Integer> ancestors(List<Placement> parents) {
        var all = new TreeSet<Integer>();
        for (var parent : parents) {
            all.addAll(parent.ancestors());
            all.add(parent.index());
        }
        return List.copyOf(all);
    }

    ObjectNode toJson() {
        var json = Json.object().put("version", version);
        write(live, json.putArray("live"));
        write(retired, json.putArray("retired"));
        return json;
    }

    static PartitionLayout parse(JsonNode json) {
        return new PartitionLayout(
                json.path("version").intValue(), read(json.path("live")), read(json.path("retired")));
    }

    private static void write(List<Placement> ranges, ArrayNode array) {
        for (var range : ranges) {
            var described = array.addObject().put("index", range.index()).put("sessionVersion", range.sessionVersion());
            described.put("min", range.keys().min()).put("max", range.keys().max());
            range.ancestors().forEach(described.putArray("ancestors")::add);
        }
    }

    private static List<Placement> read(JsonNode array) {
        var ranges = new ArrayList<Placement>();
        for (var described : array) {
            var ancestors = new ArrayList<Integer>();
            described.path("ancestors").forEach(ancestor -> ancestors.add(ancestor.intValue()));
            var keys = new EpkRange(
                    described.path("min").textValue(), described.path("max").textValue());
            ranges.add(new Placement(
                    described.path("index").intValue(),
                    keys,
                    ancestors,
                    described.path("sessionVersion").intValue()));
        }
        return ranges;
    }
}
