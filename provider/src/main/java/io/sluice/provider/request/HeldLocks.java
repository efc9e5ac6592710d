package io.sluice.provider.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The locks this process holds, by token. A token once seen lost or spent is refused here from then on, whatever the
 * store says later. Thread-safe.
 *
 * @param <H> the locked thing, a turn or an activity
 */
public final class HeldLocks<H extends HeldLocks.Held> {
    private static final Duration REMEMBER_SPENT = Duration.ofHours(1);
    private static final int MOST_SPENT = 100_000;

    private final ConcurrentMap<String, H> byToken = new ConcurrentHashMap<>();
    private final Cache<String, String> spent = Caffeine.newBuilder()
            .expireAfterWrite(REMEMBER_SPENT)
            .maximumSize(MOST_SPENT)
            .build();
    private final String subject;
    private final int many;
    private final InstantSource clock;

    /** Something under a lock. */
    public interface Held {
        /** The token of the lock. */
        String token();

        /** When the lock lapses, in milliseconds. */
        long lockedUntil();
    }

    /** In whose hands a lock is. */
    public enum Holder {
        /** This process holds it. */
        US,
        /** Another process holds it, or none does. */
        ANOTHER
    }

    /**
     * Holds none yet.
     *
     * @param subject the locked thing, for errors, such as {@code a turn}
     * @param many from how many on locks that lapsed long ago are searched for and dropped
     */
    public HeldLocks(String subject, int many, InstantSource clock) {
        this.subject = subject;
        this.many = many;
        this.clock = clock;
    }

    /** Holds this one too. */
    public void add(H held) {
        dropLapsed();
        byToken.put(held.token(), held);
    }

    /** Whether any lock that is alive by this process's clock is for such a thing. */
    public boolean isHeld(Predicate<H> wanted) {
        long now = clock.millis();
        return byToken.values().stream().anyMatch(held -> wanted.test(held) && held.lockedUntil() > now);
    }

    /** From now on the token is refused without a request. */
    public void bury(H held, String why) {
        spent.put(held.token(), why);
        byToken.remove(held.token());
    }

    /**
     * What the token locks.
     *
     * @param find searches for a token of another process in the store
     * @throws io.sluice.provider.ProviderException permanent when the token is spent
     */
    public H require(Call call, String token, BiFunction<Call, String, H> find) {
        @Nullable String why = spent.getIfPresent(token);
        if (why != null) {
            throw Failures.lockLost(call.operation(), subject, why);
        }
        H held = byToken.get(token);
        if (held != null) {
            return held;
        }
        H found = find.apply(call, token);
        H earlier = byToken.putIfAbsent(token, found);
        return earlier == null ? found : earlier;
    }

    /** Locks that were never acked would pile up. An hour past its end none is acked any more. */
    private void dropLapsed() {
        if (byToken.size() > many) {
            long longAgo = clock.millis() - REMEMBER_SPENT.toMillis();
            byToken.values().removeIf(held -> held.lockedUntil() < longAgo);
        }
    }
}
