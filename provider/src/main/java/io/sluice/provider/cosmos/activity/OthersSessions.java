package io.sluice.provider.cosmos.activity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Sessions that other owners were seen to hold. Activities of a session are announced to all processes: without this
 * each of them would read the session for every activity. Thread-safe.
 */
final class OthersSessions {
    private static final int MOST = 10_000;
    /** A session may be deleted with its instance before its time is over. */
    private static final long LONGEST_MILLIS = Duration.ofMinutes(1).toMillis();

    private final Cache<Session, Holder> holders =
            Caffeine.newBuilder().maximumSize(MOST).build();
    private final InstantSource clock;

    OthersSessions(InstantSource clock) {
        this.clock = clock;
    }

    /** A session; two instances may have sessions of one id. */
    record Session(String instanceId, String sessionId) {}

    /** An owner, and until when (milliseconds) the session is not worth another try. */
    record Holder(String ownerId, long untilMillis) {}

    /** The owner that held this session when it was last seen, if it is another one than this and may still hold it. */
    Optional<Holder> find(Session session, String ownerId) {
        return Optional.ofNullable(holders.getIfPresent(session))
                .filter(holder -> holder.untilMillis() > clock.millis()
                        && !holder.ownerId().equals(ownerId));
    }

    Holder remember(Session session, String ownerId, long heldUntilMillis) {
        long now = clock.millis();
        long until = Math.max(now + 1, Math.min(now + LONGEST_MILLIS, heldUntilMillis));
        Holder holder = new Holder(ownerId, until);
        holders.put(session, holder);
        return holder;
    }
}
