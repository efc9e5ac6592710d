package io.sluice.testkit.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the records of a history topic. In themselves they must be whole: the events of an instance come in one
 * partition without a gap from its first one, execution by execution, each once and under its own key and id. Beside
 * that, each event that is {@link #expect expected}, such as those that a store holds, must have come unchanged. Not
 * thread-safe.
 */
public final class HistoryJudge {
    private final Map<String, Place> newest = new HashMap<>();
    private final Map<String, JudgedEvent> published = new HashMap<>();
    private final Set<String> expected = new HashSet<>();
    private final List<Finding> findings = new ArrayList<>();

    /** The newest event of an instance, and where its first one was. */
    private record Place(int partition, JudgedEvent event) {}

    /**
     * Takes the next record; those of a partition come in its order.
     *
     * @param key of the record
     * @param id its header {@code ce_id}
     * @param event its content
     * @return whether the event came for the first time and under its own key and id
     */
    public boolean take(int partition, @Nullable String key, @Nullable String id, JudgedEvent event) {
        if (!event.instance().equals(key) || !event.id().equals(id)) {
            found(Finding.Kind.ALTERED, "record " + id + " of " + key + " is event " + event.id());
            return false;
        }
        if (published.putIfAbsent(event.id(), event) != null) {
            found(Finding.Kind.DUPLICATE, "event " + event.id());
            return false;
        }
        var last = newest.get(event.instance());
        newest.put(event.instance(), new Place(last == null ? partition : last.partition(), event));
        if (last == null) {
            checkNext(event, event.execution() == 1 && event.number() == 1);
        } else if (last.partition() != partition) {
            found(Finding.Kind.OUT_OF_ORDER, "event " + event.id() + " in another partition than what came before");
        } else if (JudgedEvent.PLACE.compare(event, last.event()) < 0) {
            found(
                    Finding.Kind.OUT_OF_ORDER,
                    "event " + event.id() + " behind " + last.event().id());
        } else {
            checkNext(event, isNext(last.event(), event));
        }
        return true;
    }

    private static boolean isNext(JudgedEvent last, JudgedEvent event) {
        return event.execution() == last.execution()
                ? event.number() == last.number() + 1
                : event.execution() == last.execution() + 1 && event.number() == 1;
    }

    private void checkNext(JudgedEvent event, boolean isNext) {
        if (!isNext) {
            found(Finding.Kind.LOST, "events before " + event.id());
        }
    }

    /**
     * An event that must have been taken by now.
     *
     * @param how it is known, for people: a store holds it, or somebody was told that it is committed
     */
    public void expect(JudgedEvent event, String how) {
        expected.add(event.id());
        var record = published.get(event.id());
        if (record == null) {
            found(Finding.Kind.LOST, how + " event " + event.id());
        } else if (!record.json().equals(event.json())) {
            found(Finding.Kind.ALTERED, how + " event " + event.id());
        }
    }

    /** All events were expected: what else came nobody knows of. */
    public void expectNothingElse() {
        published.keySet().stream()
                .filter(id -> !expected.contains(id))
                .sorted()
                .forEach(id -> found(Finding.Kind.UNEXPECTED, "event " + id));
    }

    /** Adds what somebody else found to be wrong. */
    public void found(Finding.Kind kind, String where) {
        findings.add(new Finding(kind, where));
    }

    /** How many different events came. */
    public int events() {
        return published.size();
    }

    /** Everything that is wrong; empty when nothing is. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }
}
