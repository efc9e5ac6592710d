package io.sluice.provider.cosmos.activity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.provider.cosmos.search.QueryBytes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sessions that other owners were seen to hold. All processes are told of a session's activities, or find them: without
 * this each of them would read the session for every activity, as long as it is held. Thread-safe.
 */
final class OthersSessions {
    private static final int MOST = 10_000;
    /** A session may be given up, or deleted with its instance, before its time is over. */
    private static final Duration LONGEST = Duration.ofSeconds(5);
    /** For announced activities, which are announced again when they are put back. */
    private static final Duration LONGEST_OF_ANNOUNCED = Duration.ofMinutes(1);

    private final Cache<Session, Holder> holders =
            Caffeine.newBuilder().maximumSize(MOST).build();
    private final InstantSource clock;

    OthersSessions(InstantSource clock) {
        this.clock = clock;
    }

    /** A session; two instances may have sessions of one id. */
    record Session(String instanceId, String sessionId) {
        private int bytes() {
            return QueryBytes.of(instanceId) + QueryBytes.of(sessionId);
        }
    }

    /**
     * Who holds a session.
     *
     * @param untilMillis until when the session is not worth another try
     * @param isFound whether a search found the activity that showed it; others then need not be found
     */
    record Holder(String ownerId, long untilMillis, boolean isFound) {}

    /** The owner that held this session when it was last seen, if it is another one than this and may still hold it. */
    Optional<Holder> find(Session session, String ownerId) {
        return Optional.ofNullable(holders.getIfPresent(session))
                .filter(holder -> holder.untilMillis() > clock.millis()
                        && !holder.ownerId().equals(ownerId));
    }

    Holder remember(Session session, String ownerId, long heldUntilMillis, boolean isFound) {
        long now = clock.millis();
        Duration longest = isFound ? LONGEST : LONGEST_OF_ANNOUNCED;
        long until = Math.max(now + 1, Math.min(now + longest.toMillis(), heldUntilMillis));
        Holder holder = new Holder(ownerId, until, isFound);
        holders.put(session, holder);
        return holder;
    }

    /** Those whose activities a search for these owners may leave out, as many as a query has room for. */
    List<Session> leftOut(Set<String> owners) {
        long now = clock.millis();
        List<Session> sessions = new ArrayList<>();
        int left = QueryBytes.MOST / 4;
        for (Map.Entry<Session, Holder> entry : holders.asMap().entrySet()) {
            Holder holder = entry.getValue();
            if (holder.untilMillis() <= now) {
                holders.asMap().remove(entry.getKey(), holder);
            } else if (holder.isFound() && !owners.contains(holder.ownerId())) {
                left -= entry.getKey().bytes();
                if (left < 0) {
                    break;
                }
                sessions.add(entry.getKey());
            }
        }
        return sessions;
    }
}
