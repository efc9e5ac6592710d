package io.sluice.provider.cosmos.activity;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
    private static final int MANY = 10_000;
    private static final String BY_TOKEN = "SELECT * FROM c WHERE c.type = 'worker_queue' AND c.lockToken = @token";

    private final HeldLocks<HeldActivity> locks;
    private final ContainerRequests requests;

    HeldActivities(ContainerRequests requests, InstantSource clock) {
        this.locks = new HeldLocks<>("an activity", MANY, clock);
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

    private HeldActivity find(Call call, String token) {
        List<ObjectNode> rows =
                requests.queryAllRanges(call, SqlQuery.of(BY_TOKEN).with("@token", token));
        if (rows.isEmpty()) {
            throw Failures.lockLost(call.operation(), "an activity", "no item bears the token");
        }
        return new HeldActivity(token, stored(rows.get(0)));
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
