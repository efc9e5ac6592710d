package io.sluice.provider.cosmos.activity;

import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.provider.cosmos.activity.OthersSessions.Session;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.SessionDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Renews the sessions of owners: each instance's by one batch. The store is searched once for each owner, for sessions
 * from before this process; from then on it is known what they claimed. A runtime renews every 25 s, whether or not its
 * workers hold a session. Thread-safe.
 */
final class SessionRenewal {
    private static final String ALIVE = "SELECT * FROM c WHERE c.type = 'session' AND c.lockedUntil > @now";

    private final ContainerRequests requests;
    private final OwnSessions own;
    private final InstantSource clock;

    SessionRenewal(ContainerRequests requests, OwnSessions own, InstantSource clock) {
        this.requests = requests;
        this.own = own;
        this.clock = clock;
    }

    /**
     * What to do with each session.
     *
     * @param usedAfter idle ones, not used after this time, are left to lapse
     */
    private record Terms(long now, long until, long usedAfter) {
        BatchWrite write(Session session, OwnSessions.Lock lock) {
            String condition = "FROM c WHERE c.ownerId = " + TextNode.valueOf(lock.ownerId()) + " AND c.lockedUntil > "
                    + now + " AND c.lastActivity > " + usedAfter;
            return new BatchWrite.PatchFields(
                    DocumentIds.session(session.instanceId(), session.sessionId()),
                    FieldPatch.set(Fields.LOCKED_UNTIL, until(lock)),
                    null,
                    condition);
        }

        /** Never earlier than before. */
        long until(OwnSessions.Lock lock) {
            return Math.max(until, lock.untilMillis());
        }
    }

    /** Returns how many were renewed. */
    int renew(List<String> ownerIds, Duration extendFor, Duration idleTimeout) {
        if (ownerIds.isEmpty()) {
            return 0;
        }
        Call call = Call.onContainer("renewSessionLock", Duration.ofSeconds(10));
        long now = clock.millis();
        Map<Session, OwnSessions.Lock> sessions = find(call, own.unknown(ownerIds), now);
        sessions.putAll(own.alive(ownerIds, now));
        Map<String, List<Map.Entry<Session, OwnSessions.Lock>>> byInstance = new LinkedHashMap<>();
        sessions.entrySet()
                .forEach(session -> byInstance
                        .computeIfAbsent(session.getKey().instanceId(), id -> new ArrayList<>())
                        .add(session));
        Terms terms = new Terms(now, now + extendFor.toMillis(), now - idleTimeout.toMillis());
        int renewed = 0;
        for (List<Map.Entry<Session, OwnSessions.Lock>> ofInstance : byInstance.values()) {
            for (int from = 0; from < ofInstance.size(); from += BatchWrite.MAX_OPERATIONS) {
                int to = Math.min(ofInstance.size(), from + BatchWrite.MAX_OPERATIONS);
                renewed += renew(call, new ArrayList<>(ofInstance.subList(from, to)), terms);
            }
        }
        return renewed;
    }

    /** Searches the store for what owners held before this process, or before it had to forget some. */
    private Map<Session, OwnSessions.Lock> find(Call call, List<String> unknown, long now) {
        Map<Session, OwnSessions.Lock> found = new LinkedHashMap<>();
        if (unknown.isEmpty()) {
            return found;
        }
        SqlQuery query = SqlQuery.of(ALIVE).with("@now", now).andOneOf("c.ownerId", unknown);
        List<Stored<SessionDocument>> alive = Sessions.readable(requests.queryAllRanges(call, query));
        own.know(unknown);
        for (Stored<SessionDocument> stored : alive) {
            SessionDocument document = stored.document();
            Session session = new Session(document.instanceId(), document.sessionId());
            found.put(session, new OwnSessions.Lock(document.ownerId(), document.lockedUntil()));
            own.remember(session, document.ownerId(), document.lockedUntil(), now);
        }
        return found;
    }

    /** The store judges each: one that is idle, or was lost, drops out of the batch. */
    private int renew(Call call, List<Map.Entry<Session, OwnSessions.Lock>> sessions, Terms terms) {
        Backoff backoff = new Backoff();
        while (!sessions.isEmpty()) {
            List<BatchWrite> writes = sessions.stream()
                    .map(session -> terms.write(session.getKey(), session.getValue()))
                    .toList();
            WriteOutcome outcome = requests.batchPatiently(
                    call.again(), sessions.get(0).getKey().instanceId(), writes);
            if (outcome.isCommitted()) {
                sessions.forEach(session -> own.remember(
                        session.getKey(), session.getValue().ownerId(), terms.until(session.getValue()), terms.now()));
                return sessions.size();
            }
            if (outcome instanceof WriteOutcome.Refused refused) {
                Session dropped = sessions.remove(refused.index()).getKey();
                if (refused.isNotFound()) {
                    own.forget(dropped);
                }
            } else if (!outcome.isAmbiguous() || !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
        return 0;
    }
}
