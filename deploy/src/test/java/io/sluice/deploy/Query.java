package io.sluice.deploy;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a query of Prometheus names: our metrics, their labels, and the values asked of those. */
record Query(String text) {
    private static final Pattern METRIC = Pattern.compile("\\b(sluice_[a-z0-9_]+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*=~?\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on)\\s*\\(([^)]*)\\)");
    /** The labels that Prometheus adds, and the label of buckets. */
    private static final Set<String> GIVEN = Set.of("job", "instance", "le");

    Set<String> metrics() {
        return METRIC.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The labels by which a metric is chosen, with the value asked for; what Prometheus gives is left out. */
    Map<String, String> chosenBy(String metric) {
        return METRIC.matcher(text)
                .results()
                .filter(found -> found.group(1).equals(metric) && found.group(2) != null)
                .flatMap(found -> MATCHER.matcher(found.group(2)).results())
                .filter(found -> !GIVEN.contains(found.group(1)))
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2), (one, other) -> one));
    }

    /** The labels by which results are grouped. */
    Set<String> groupedBy() {
        return GROUPING.matcher(text)
                .results()
                .flatMap(found -> Stream.of(found.group(1).split(",", -1)))
                .map(String::strip)
                .filter(label -> !label.isEmpty() && !GIVEN.contains(label))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
