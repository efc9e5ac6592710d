package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a look found out about instances that did not suit the dispatcher that looked. It holds for a while, and for
 * twice as long each time the head has not moved since; then one look finds out again.
 */
final class RememberedNeeds {
    private static final int MOST = 100_000;
    private static final long FIRST_MILLIS = Duration.ofSeconds(5).toMillis();
    private static final int MOST_DOUBLINGS = 6;

    private final Map<String, Verdict> found = new LinkedHashMap<>();

    private record Verdict(WorkNeeds needs, String etag, int doublings, long untilMillis) {}

    /** A dispatcher was found not to suit. */
    void note(String key, WorkOutcome.Unsuitable outcome, long nowMillis) {
        @Nullable Verdict before = found.remove(key);
        int doublings = before == null || !before.etag().equals(outcome.etag())
                ? 0
                : Math.min(MOST_DOUBLINGS, before.doublings() + 1);
        long until = outcome.untilMillis() == 0 ? nowMillis + (FIRST_MILLIS << doublings) : outcome.untilMillis();
        found.put(key, new Verdict(outcome.needs(), outcome.etag(), doublings, until));
        if (found.size() > MOST) {
            var oldest = found.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** What is known; nothing where that is long ago. */
    WorkNeeds get(String key, long nowMillis) {
        @Nullable Verdict known = found.get(key);
        return known == null || known.untilMillis() <= nowMillis ? WorkNeeds.UNKNOWN : known.needs();
    }

    /** Keys of what is known to have such needs, up to so many. */
    List<String> keysOf(Predicate<WorkNeeds> such, int most, long nowMillis) {
        return found.entrySet().stream()
                .filter(each -> each.getValue().untilMillis() > nowMillis
                        && such.test(each.getValue().needs()))
                .map(Map.Entry::getKey)
                .limit(most)
                .toList();
    }

    /** Whether something was known, and is no more. */
    boolean isOver(String key, long nowMillis) {
        @Nullable Verdict known = found.get(key);
        return known != null && known.untilMillis() <= nowMillis;
    }

    /** Until when {@link #get} says so. */
    long until(String key) {
        @Nullable Verdict known = found.get(key);
        return known == null ? Long.MIN_VALUE : known.untilMillis();
    }

    void forget(String key) {
        found.remove(key);
    }
}
