package io.sluice.provider.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    /** Rough heap size of all that is kept past the end of its lock, what is in doubt apart. */
    static final long MOST_LAPSED_BYTES = 64L << 20;

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
    private final int mostLapsed;
    private final InstantSource clock;

    /** Something under a lock. */
    public interface Held {
        /** The token of the lock. */
        String token();

        /** When the lock lapses, in milliseconds. */
        long lockedUntil();

        /** Rough heap size of what is kept for it, in bytes. */
        long weight();

        /**
         * Whether an ack is under way, or got no answer: only what is kept here then tells whether it was committed.
         */
        boolean isInDoubt();
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
     * @param mostLapsed how many are kept past their end at most, those in doubt apart
     */
    public HeldLocks(String subject, int mostLapsed, InstantSource clock) {
        this.subject = subject;
        this.mostLapsed = mostLapsed;
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
        dropLapsed();
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

    /**
     * Drops locks that were never acked and have lapsed, where they are too many or too large: the one that lapsed
     * first goes first, and a caller that still asks for it is answered by the store, as for a lock of another process.
     * A lock in doubt stays for an hour, since from the store alone its ack would look lost while it may still go
     * through.
     */
    private void dropLapsed() {
        long now = clock.millis();
        List<Lapsed<H>> lapsed = new ArrayList<>();
        long weight = 0;
        for (H held : byToken.values()) {
            long end = held.lockedUntil();
            if (end <= now) {
                lapsed.add(new Lapsed<>(held, end));
                weight += held.weight();
            }
        }
        int count = lapsed.size();
        if (count <= mostLapsed && weight <= MOST_LAPSED_BYTES) {
            return;
        }
        lapsed.sort(Comparator.comparingLong(Lapsed::end));
        for (Lapsed<H> one : lapsed) {
            // Down to half, so that not each further one makes a search.
            if (count <= mostLapsed / 2 && weight <= MOST_LAPSED_BYTES / 2) {
                return;
            }
            if (!one.held().isInDoubt() || one.end() < now - REMEMBER_SPENT.toMillis()) {
                byToken.remove(one.held().token(), one.held());
                count--;
                weight -= one.held().weight();
            }
        }
    }

    private record Lapsed<H>(H held, long end) {}
}
