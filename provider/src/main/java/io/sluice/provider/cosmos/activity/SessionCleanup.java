package io.sluice.provider.cosmos.activity;

import io.sluice.provider.cosmos.activity.OthersSessions.Session;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.SessionDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Removes lapsed sessions that no activity refers to. Such a session holds nobody up, for anybody may claim it; it only
 * takes room. So those of this process are removed each time, by what it remembers of them, and all partitions are
 * searched for those that other processes left behind when they ended the first time, and then ever more rarely while
 * there are none: every runtime of a fleet calls this every five minutes. Thread-safe.
 */
final class SessionCleanup {
    /** Between two searches of all partitions, after one that found something. */
    private static final Duration FIRST_REST = Duration.ofMinutes(10);

    private static final Duration LONGEST_REST = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ITEMS = "SELECT c.id FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @session";

    private final ContainerRequests requests;
    private final OwnSessions own;
    private final RandomGenerator random;
    private final InstantSource clock;
    private long nextSearchMillis = Long.MIN_VALUE;
    private Duration rest = FIRST_REST;

    SessionCleanup(ContainerRequests requests, OwnSessions own, RandomGenerator random, InstantSource clock) {
        this.requests = requests;
        this.own = own;
        this.random = random;
        this.clock = clock;
    }

    /** Returns how many were removed. */
    int cleanUp() {
        Call call = Call.scan("cleanupOrphanedSessions", PATIENCE);
        long now = clock.millis();
        int removed = 0;
        for (Session session : own.lapsed(now)) {
            removed += removeOwn(call.again(), session, now);
        }
        return isSearchDue(now) ? removed + search(call.again(), now) : removed;
    }

    private int removeOwn(Call call, Session session, long now) {
        Optional<Stored<SessionDocument>> stored = requests.read(
                        call, session.instanceId(), DocumentIds.session(session.instanceId(), session.sessionId()))
                .flatMap(Sessions::readable);
        if (stored.isEmpty() || stored.get().document().lockedUntil() >= now) {
            // Claimed by another process: its own to renew and to remove.
            own.forget(session);
            return 0;
        }
        return remove(call, stored.get());
    }

    private synchronized boolean isSearchDue(long now) {
        return now >= nextSearchMillis;
    }

    private int search(Call call, long now) {
        LeftSessions left = new LeftSessions(requests, own, call, now, new Random(random.nextLong()));
        left.remove();
        rest(now, left.hasFound());
        return left.removed();
    }

    private synchronized void rest(long now, boolean found) {
        Duration longer = rest.multipliedBy(2);
        rest = found ? FIRST_REST : longer.compareTo(LONGEST_REST) < 0 ? longer : LONGEST_REST;
        nextSearchMillis = now + rest.toMillis();
    }

    /** Unless an activity refers to it, locked or not, or somebody claims it meanwhile. */
    private int remove(Call call, Stored<SessionDocument> session) {
        SessionDocument document = session.document();
        SqlQuery items = SqlQuery.of(ITEMS).with("@session", document.sessionId());
        if (!requests.query(call, document.instanceId(), items).rows().isEmpty()) {
            return 0;
        }
        boolean isRemoved = requests.batchPatiently(
                        call, document.instanceId(), List.of(new BatchWrite.Delete(document.id(), session.etag())))
                .isCommitted();
        if (isRemoved) {
            own.forget(new Session(document.instanceId(), document.sessionId()));
        }
        return isRemoved ? 1 : 0;
    }
}
