package io.sluice.provider.cosmos.activity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The activities this process holds, by token. A token once seen spent is dead here. Thread-safe. */
final class HeldActivities {
    private static final Duration REMEMBER_DEAD = Duration.ofHours(1);
    private static final int MOST_DEAD = 100_000;
    private static final String BY_TOKEN = "SELECT * FROM c WHERE c.type = 'worker_queue' AND c.lockToken = @token";

    private final ConcurrentMap<String, HeldActivity> byToken = new ConcurrentHashMap<>();
    private final Cache<String, String> dead = Caffeine.newBuilder()
            .expireAfterWrite(REMEMBER_DEAD)
            .maximumSize(MOST_DEAD)
            .build();
    private final ContainerRequests requests;
    private final InstantSource clock;

    HeldActivities(ContainerRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    void add(HeldActivity activity) {
        if (byToken.size() > 10_000) {
            long longAgo = clock.millis() - REMEMBER_DEAD.toMillis();
            byToken.values().removeIf(held -> held.lockedUntil() < longAgo);
        }
        byToken.put(activity.token(), activity);
    }

    void bury(HeldActivity activity, String why) {
        dead.put(activity.token(), why);
        byToken.remove(activity.token());
    }

    /**
     * The activity of a token; one that another process fetched is found in the store.
     *
     * @throws io.sluice.provider.ProviderException permanent when no item bears the token
     */
    HeldActivity require(Call call, String token) {
        @Nullable String why = dead.getIfPresent(token);
        if (why != null) {
            throw Failures.lockLost(call.operation(), "an activity", why);
        }
        HeldActivity held = byToken.get(token);
        if (held != null) {
            return held;
        }
        List<ObjectNode> rows =
                requests.queryAllRanges(call, SqlQuery.of(BY_TOKEN).with("@token", token));
        if (rows.isEmpty()) {
            throw Failures.lockLost(call.operation(), "an activity", "no item bears the token");
        }
        HeldActivity found = new HeldActivity(token, stored(rows.get(0)));
        HeldActivity earlier = byToken.putIfAbsent(token, found);
        return earlier == null ? found : earlier;
    }

    /** The item as it is now, if it still bears the token. */
    Optional<Stored<QueueDocument>> reread(Call call, HeldActivity activity) {
        return requests.read(call, activity.instanceId(), activity.id())
                .map(HeldActivities::stored)
                .filter(item -> activity.token().equals(item.document().lockToken()));
    }

    private static Stored<QueueDocument> stored(ObjectNode row) {
        return new Stored<>(QueueDocument.fromJson(row), DocumentJson.etag(row));
    }
}
