package io.sluice.provider.cosmos.turn.work;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Instances whose pinned version a dispatcher does not run, by the version of their head. A verdict is not checked
 * again for a while, and for twice as long each time the head has not moved since. What pins another version is a new
 * execution, and its first message shows at once. Thread-safe.
 */
final class Verdicts {
    private static final long FIRST_MILLIS = 5_000;
    private static final int MOST_DOUBLINGS = 6;
    private static final int MOST = 200_000;
    private static final Duration REMEMBER = Duration.ofMinutes(15);

    private final Cache<String, Verdict> verdicts =
            Caffeine.newBuilder().maximumSize(MOST).expireAfterAccess(REMEMBER).build();
    private final InstantSource clock;

    private record Verdict(String etag, String startId, int doublings, long untilMillis) {}

    Verdicts(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * The instance does not suit.
     *
     * @param startId the newest message that begins an execution and was there; empty for none
     */
    void note(String instanceId, String etag, String startId) {
        @Nullable Verdict before = verdicts.getIfPresent(instanceId);
        int doublings =
                before == null || !before.etag().equals(etag) ? 0 : Math.min(MOST_DOUBLINGS, before.doublings() + 1);
        verdicts.put(instanceId, new Verdict(etag, startId, doublings, clock.millis() + (FIRST_MILLIS << doublings)));
    }

    /** It suits, or is not known to. */
    void forget(String instanceId) {
        verdicts.invalidate(instanceId);
    }

    /** Whether it need not be read, a newer start not having come. */
    boolean holds(String instanceId, @Nullable String startId) {
        @Nullable Verdict verdict = verdicts.getIfPresent(instanceId);
        return verdict != null
                && verdict.untilMillis() > clock.millis()
                && (startId == null || startId.equals(verdict.startId()));
    }

    void clear() {
        verdicts.invalidateAll();
    }

    boolean isEmpty() {
        return verdicts.estimatedSize() == 0;
    }
}
