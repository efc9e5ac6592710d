package io.sluice.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counted requests as the tables of {@code docs/performance.md}. */
final class RequestTables {
    /** What the Rust provider was measured to take for the same work. */
    private static final Map<String, String> BY_RUST = Map.ofEntries(
            Map.entry("fetch of a turn, new instance", "7"),
            Map.entry("fetch of a turn, cached instance", "7"),
            Map.entry("fetch of a turn, cold instance", "7"),
            Map.entry("ack of a turn, 2 events and 1 activity", "5"),
            Map.entry("ack of a turn with 1 intent, delivered at once", "7"),
            Map.entry("fetch of an activity", "2"),
            Map.entry("ack of an activity with its completion", "2"),
            Map.entry("renew the lock of an activity", "2"),
            Map.entry("abandon an activity", "2"),
            Map.entry("hello world (1 activity)", "29"),
            Map.entry(RequestsPerOperation.FAN_OUT, "124"),
            Map.entry("parent → child → parent", "41"));

    private RequestTables() {}

    /** A row for each operation, on one physical partition and on four. */
    static List<String> operations(Map<String, RequestCost> onOne, Map<String, RequestCost> onFour) {
        List<String> lines = new ArrayList<>();
        lines.add("| operation | requests | Rust | plans | RU | requests, 4 partitions | plans | RU |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|---:|");
        onOne.forEach((operation, cost) -> {
            var four = Objects.requireNonNull(onFour.get(operation), operation);
            lines.add("| " + operation + " | " + cost.requests() + " | " + BY_RUST.getOrDefault(operation, "–") + " | "
                    + rest(cost) + " | " + four.requests() + " | " + rest(four) + " |");
        });
        return lines;
    }

    /** A row for each number of physical partitions and of ready instances. */
    static List<String> fetches(List<Integer> partitions, List<Integer> ready) {
        List<String> lines = new ArrayList<>();
        lines.add("| physical partitions | ready instances | requests | plans | RU |");
        lines.add("|---|---:|---:|---:|---:|");
        for (int many : partitions) {
            for (int instances : ready) {
                var cost = FetchCost.measure(many, instances);
                lines.add(String.format(
                        Locale.ROOT, "| %d | %,d | %d | %s |", many, instances, cost.requests(), rest(cost)));
            }
        }
        return lines;
    }

    /** A row for each case of large instances, at its size and at four times that. */
    static List<String> large() {
        List<String> lines = new ArrayList<>();
        lines.add("| what | size | requests | RU | four times | requests | RU |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|");
        for (LargeInstances.Case each : LargeInstances.Case.values()) {
            lines.add("| " + each.words() + " |" + large(each, each.size()) + large(each, 4 * each.size()));
        }
        return lines;
    }

    private static String large(LargeInstances.Case each, int size) {
        RequestCost cost = each.at(size);
        return String.format(Locale.ROOT, " %,d | %d | %,.1f |", size, cost.requests(), cost.requestUnits());
    }

    private static String rest(RequestCost cost) {
        return cost.plans() + " | " + String.format(Locale.ROOT, "%,.1f", cost.requestUnits());
    }
}
