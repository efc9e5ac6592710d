package io.sluice.provider.cosmos.activity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.HeldLocks;
import io.sluice.provider.request.SqlQuery;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The activities this process holds, by token. Thread-safe. */
final class HeldActivities {
    private static final int MOST_LAPSED = 10_000;
    private static final String BY_TOKEN = "SELECT * FROM c WHERE c.type = 'worker_queue' AND c.lockToken = @token";

    private final HeldLocks<HeldActivity> locks;
    private final ContainerRequests requests;

    HeldActivities(ContainerRequests requests, InstantSource clock) {
        this.locks = new HeldLocks<>("an activity", MOST_LAPSED, clock);
        this.requests = requests;
    }

    void add(HeldActivity activity) {
        locks.add(activity);
    }

    /** From now on the token is refused without asking the store. */
    void bury(HeldActivity activity, String why) {
        locks.bury(activity, why);
    }

    /**
     * The activity of a token; one that another process fetched is found in the store.
     *
     * @throws io.sluice.provider.ProviderException permanent when no item bears the token
     */
    HeldActivity require(Call call, String token) {
        return locks.require(call, token, this::find);
    }

    /**
     * The same, if it is the activity that is named; only that one's partition is asked.
     *
     * @throws io.sluice.provider.ProviderException permanent when the token is spent, or the lock on another activity
     */
    HeldActivity require(Call call, String token, ScheduledActivityIdentifier named) {
        String why = "the lock is not on activity " + named.activityId() + " of execution " + named.executionId()
                + " of instance '" + named.instance() + "'";
        HeldActivity activity = locks.known(call, token)
                .or(() -> findIn(named.instance(), call, token).map(locks::keep))
                .orElseThrow(() -> Failures.lockLost(call.operation(), "an activity", why));
        if (!activity.is(named)) {
            throw ProviderException.permanent(call.operation(), "Invalid lock token: " + why);
        }
        return activity;
    }

    private Optional<HeldActivity> findIn(String instanceId, Call call, String token) {
        return HeldLocks.isToken(token)
                ? found(token, requests.query(call, instanceId, byToken(token)).rows())
                : Optional.empty();
    }

    private Optional<HeldActivity> find(Call call, String token) {
        return found(token, requests.queryAllRanges(call, byToken(token)));
    }

    private static SqlQuery byToken(String token) {
        return SqlQuery.of(BY_TOKEN).with("@token", token);
    }

    private static Optional<HeldActivity> found(String token, List<ObjectNode> rows) {
        return rows.stream().findFirst().map(row -> new HeldActivity(token, stored(row)));
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
