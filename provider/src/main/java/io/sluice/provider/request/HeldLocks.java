package io.sluice.provider.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
    private static final Duration REMEMBER_UNKNOWN = Duration.ofSeconds(30);
    private static final int MOST_UNKNOWN = 10_000;
    /** The form of a lock token that every process writes, a process of the Rust crate too. */
    private static final Pattern TOKEN = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private final ConcurrentMap<String, H> byToken = new ConcurrentHashMap<>();
    private final Cache<String, String> spent = Caffeine.newBuilder()
            .expireAfterWrite(REMEMBER_SPENT)
            .maximumSize(MOST_SPENT)
            .build();
    private final Cache<String, Boolean> unknown = Caffeine.newBuilder()
            .expireAfterWrite(REMEMBER_UNKNOWN)
            .maximumSize(MOST_UNKNOWN)
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
     * What the token locks. A token that nothing bears is not searched for again for a while, nor is what never was a
     * token.
     *
     * @param find searches for a token of another process in the store
     * @throws io.sluice.provider.ProviderException permanent when the token is spent, or nothing bears it
     */
    public H require(Call call, String token, BiFunction<Call, String, Optional<H>> find) {
        Optional<H> known = known(call, token);
        if (known.isPresent()) {
            return known.get();
        }
        if (!isToken(token) || unknown.getIfPresent(token) != null) {
            throw lost(call);
        }
        Optional<H> found = find.apply(call, token);
        if (found.isEmpty()) {
            unknown.put(token, true);
            throw lost(call);
        }
        return keep(found.get());
    }

    /**
     * What the token locks, if this process knows it.
     *
     * @throws io.sluice.provider.ProviderException permanent when the token is spent
     */
    public Optional<H> known(Call call, String token) {
        @Nullable String why = spent.getIfPresent(token);
        if (why != null) {
            throw Failures.lockLost(call.operation(), subject, why);
        }
        return Optional.ofNullable(byToken.get(token));
    }

    /** Holds what was found in the store, unless it is held already; answers what is held. */
    public H keep(H found) {
        H earlier = byToken.putIfAbsent(found.token(), found);
        return earlier == null ? found : earlier;
    }

    /** Whether a text may be a token at all. */
    public static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    private ProviderException lost(Call call) {
        return Failures.lockLost(call.operation(), subject, "nothing bears the token");
    }

    /** Locks that were never acked would pile up. An hour past its end none is acked any more. */
    private void dropLapsed() {
        if (byToken.size() > many) {
            long longAgo = clock.millis() - REMEMBER_SPENT.toMillis();
            byToken.values().removeIf(held -> held.lockedUntil() < longAgo);
        }
    }
}
