package io.sluice.provider.world.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Consumer;

/** No turn takes a message while an older one of its instance, which could be taken as well, is left out. */
public final class Overtakings {
    private final Contents contents;
    private final Consumer<String> violation;

    public Overtakings(Contents contents, Consumer<String> violation) {
        this.contents = contents;
        this.violation = violation;
    }

    /**
     * A fetch has made these changes in one transaction, which may apply long after it read.
     *
     * @param beganMillis when the fetch began: what became free since need not be known to it
     */
    public void check(List<Change> changes, long beganMillis) {
        // What was sent before the start of an instance has no place in the order.
        boolean isFirst = changes.stream().anyMatch(change -> change.type().equals("instance") && change.isCreated());
        changes.stream()
                .filter(change -> change.type().equals("orch_queue") && isTaken(change))
                .reduce((older, newer) -> enqueuedAt(older.any()) > enqueuedAt(newer.any()) ? older : newer)
                .filter(newest -> !isFirst)
                .ifPresent(newest -> contents.of(newest.instance(), "orch_queue")
                        .filter(each -> isLeftOut(each, newest, beganMillis))
                        .forEach(each -> violation.accept("a turn of " + newest.instance() + " takes " + newest.id()
                                + " and leaves out the older message " + each)));
    }

    private static boolean isTaken(Change change) {
        var token = change.tokenAfter();
        return token != null && !token.equals(change.tokenBefore());
    }

    /** Machines may know the time a little differently. */
    private static boolean isLeftOut(JsonNode message, Change newest, long beganMillis) {
        long surely = beganMillis - LockRules.TOLERANCE_MILLIS;
        return message.path("visibleAt").asLong() <= surely
                && message.path("lockedUntil").asLong() <= surely
                && enqueuedAt(message) < enqueuedAt(newest.any()) - LockRules.TOLERANCE_MILLIS;
    }

    private static long enqueuedAt(JsonNode message) {
        return message.path("enqueuedAt").asLong();
    }
}
