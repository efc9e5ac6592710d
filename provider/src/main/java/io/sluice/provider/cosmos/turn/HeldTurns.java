package io.sluice.provider.cosmos.turn;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.Failures;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The turns this process holds, by token. A token once seen lost or spent is dead here, whatever the store says later. Thread-safe. */
final class HeldTurns {
    private static final Duration REMEMBER_DEAD = Duration.ofHours(1);
    private static final int MOST_DEAD = 100_000;

    private final ConcurrentMap<String, HeldTurn> byToken = new ConcurrentHashMap<>();
    private final Cache<String, String> dead = Caffeine.newBuilder()
            .expireAfterWrite(REMEMBER_DEAD)
            .maximumSize(MOST_DEAD)
            .build();
    private final PartitionReader partitions;
    private final InstantSource clock;

    HeldTurns(PartitionReader partitions, InstantSource clock) {
        this.partitions = partitions;
        this.clock = clock;
    }

    void add(HeldTurn turn) {
        dropLapsed();
        byToken.put(turn.token(), turn);
    }

    /** Whether this process holds the instance, as far as its clock says. */
    boolean isHeld(String instanceId) {
        long now = clock.millis();
        return byToken.values().stream()
                .anyMatch(turn -> turn.instanceId().equals(instanceId) && turn.lockedUntil() > now);
    }

    /** From now on the token is refused without asking the store. */
    void bury(HeldTurn turn, String why) {
        dead.put(turn.token(), why);
        byToken.remove(turn.token());
    }

    /**
     * The turn of a token; one that another process fetched is found in the store.
     *
     * @throws io.sluice.provider.ProviderException permanent when no lock bears the token
     */
    HeldTurn require(Call call, String token) {
        @Nullable String why = dead.getIfPresent(token);
        if (why != null) {
            throw Failures.lockLost(call.operation(), "a turn", why);
        }
        HeldTurn held = byToken.get(token);
        return held != null ? held : fetchedElsewhere(call, token);
    }

    private HeldTurn fetchedElsewhere(Call call, String token) {
        Stored<InstanceDocument> found = partitions
                .byToken(call, token)
                .orElseThrow(() -> Failures.lockLost(call.operation(), "a turn", "no instance bears the token"));
        PartitionState state = partitions.tagged(call, found.document().instanceId(), token);
        Stored<InstanceDocument> head = state.instance();
        if (head == null || !head.document().bears(token)) {
            throw Failures.lockLost(call.operation(), subject(found.document()), "the token was replaced");
        }
        var messages = state.messageDocuments().stream()
                .map(QueueDocument::beforeFetch)
                .toList();
        var contents = new HeldTurn.Contents(messages, state.keyValues(), state.openIntents(), false, false);
        HeldTurn turn = new HeldTurn(token, head, contents);
        HeldTurn earlier = byToken.putIfAbsent(token, turn);
        return earlier == null ? turn : earlier;
    }

    /** Turns whose holder never came back would pile up; an hour past their lock nobody asks for them. */
    private void dropLapsed() {
        if (byToken.size() > 1_000) {
            long longAgo = clock.millis() - REMEMBER_DEAD.toMillis();
            byToken.values().removeIf(turn -> turn.lockedUntil() < longAgo);
        }
    }

    static String subject(InstanceDocument instance) {
        return "instance '" + instance.instanceId() + "'";
    }
}
