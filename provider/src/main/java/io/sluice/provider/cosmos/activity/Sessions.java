package io.sluice.provider.cosmos.activity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.SessionDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Which worker owns which session of an instance. */
final class Sessions {
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Sessions.class));
    private static final String ALIVE = "SELECT * FROM c WHERE c.type = 'session' AND c.lockedUntil > @now";
    private static final String EXPIRED = "SELECT * FROM c WHERE c.type = 'session' AND c.lockedUntil < @now";
    private static final String ITEMS = "SELECT c.id FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @session";

    private final ContainerRequests requests;
    private final InstantSource clock;

    Sessions(ContainerRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    /**
     * How a session can be claimed.
     *
     * @param write to go into the batch that locks the item; null when another owner's claim is alive
     * @param heldBy that other owner; empty when there is none
     */
    record Claim(@Nullable BatchWrite write, String heldBy, long heldUntil) {}

    /** Reads the session and says how to claim it. One request. */
    Claim claim(Call call, String instanceId, String sessionId, SessionFetchConfig config) {
        String id = DocumentIds.session(instanceId, sessionId);
        DocumentIds.checkDocumentId(call.operation(), "session id", id);
        long now = clock.millis();
        long until = now + config.lockTimeout().toMillis();
        Optional<ObjectNode> there = requests.read(call, instanceId, id);
        Optional<Stored<SessionDocument>> stored = there.flatMap(Sessions::readable);
        if (stored.isEmpty()) {
            var fresh = SessionDocument.fresh(id, instanceId, sessionId, config.ownerId(), until, now)
                    .toJson();
            // A malformed one is nobody's: its owner could not renew it.
            BatchWrite write = there.isEmpty()
                    ? new BatchWrite.Create(fresh)
                    : new BatchWrite.Replace(fresh, DocumentJson.etag(there.get()));
            return new Claim(write, "", 0);
        }
        SessionDocument session = stored.get().document();
        if (session.isHeldByOther(config.ownerId(), now)) {
            return new Claim(null, session.ownerId(), session.lockedUntil());
        }
        var claimed = session.claimedBy(config.ownerId(), until, now);
        return new Claim(new BatchWrite.Replace(claimed.toJson(), stored.get().etag()), "", 0);
    }

    /** Notes that the session is in use, if its lock is still alive; best effort, one request. */
    void heartbeat(Call call, String instanceId, String sessionId) {
        long now = clock.millis();
        FieldPatch patch = FieldPatch.set(Fields.LAST_ACTIVITY, now);
        String alive = "FROM c WHERE c.lockedUntil > " + now;
        requests.batch(
                call,
                instanceId,
                List.of(new BatchWrite.PatchFields(DocumentIds.session(instanceId, sessionId), patch, null, alive)));
    }

    int renew(List<String> ownerIds, Duration extendFor, Duration idleTimeout) {
        if (ownerIds.isEmpty()) {
            return 0;
        }
        Call call = Call.onContainer("renewSessionLock", Duration.ofSeconds(10));
        long now = clock.millis();
        SqlQuery query = SqlQuery.of(ALIVE).with("@now", now).andOneOf("c.ownerId", ownerIds);
        int renewed = 0;
        for (Stored<SessionDocument> session : readable(requests.queryAllRanges(call, query))) {
            if (session.document().lastActivity() > now - idleTimeout.toMillis()) {
                renewed += extend(call, session, now + extendFor.toMillis());
            }
        }
        return renewed;
    }

    /** A session that moved meanwhile was claimed or used, and is read again as long as its owner is the same. */
    private int extend(Call call, Stored<SessionDocument> session, long until) {
        Stored<SessionDocument> current = session;
        while (true) {
            SessionDocument document = current.document();
            FieldPatch patch = FieldPatch.set(Fields.LOCKED_UNTIL, Math.max(document.lockedUntil(), until));
            WriteOutcome outcome = requests.batchPatiently(
                    call,
                    document.instanceId(),
                    List.of(new BatchWrite.PatchFields(document.id(), patch, current.etag())));
            if (outcome.isCommitted()) {
                return 1;
            }
            if (outcome.isNotFound()) {
                return 0;
            }
            if (!outcome.needsReread()) {
                throw Failures.of(call, outcome);
            }
            Optional<Stored<SessionDocument>> again =
                    requests.read(call, document.instanceId(), document.id()).flatMap(Sessions::readable);
            boolean stillOurs = again.isPresent()
                    && again.get().document().ownerId().equals(document.ownerId())
                    && again.get().document().lockedUntil() > clock.millis();
            if (!stillOurs) {
                return 0;
            }
            current = again.get();
            if (current.document().lockedUntil() >= until) {
                return 1;
            }
        }
    }

    int cleanUp() {
        Call call = Call.onContainer("cleanupOrphanedSessions", Duration.ofSeconds(30));
        int removed = 0;
        SqlQuery expired = SqlQuery.of(EXPIRED).with("@now", clock.millis());
        for (Stored<SessionDocument> session : readable(requests.queryAllRanges(call, expired))) {
            String instanceId = session.document().instanceId();
            SqlQuery items =
                    SqlQuery.of(ITEMS).with("@session", session.document().sessionId());
            if (requests.query(call, instanceId, items).rows().isEmpty()) {
                WriteOutcome outcome = requests.batchPatiently(
                        call,
                        instanceId,
                        List.of(new BatchWrite.Delete(session.document().id(), session.etag())));
                removed += outcome.isCommitted() ? 1 : 0;
            }
        }
        return removed;
    }

    private static List<Stored<SessionDocument>> readable(List<ObjectNode> rows) {
        return rows.stream().flatMap(row -> readable(row).stream()).toList();
    }

    /** The session, unless it is malformed; then it is logged once, and left to who claims it next. */
    private static Optional<Stored<SessionDocument>> readable(ObjectNode row) {
        try {
            return Optional.of(new Stored<>(SessionDocument.fromJson(row), DocumentJson.etag(row)));
        } catch (MalformedDocumentException e) {
            MALFORMED.log(row, "a malformed session is nobody's, and anybody may claim it", e);
            return Optional.empty();
        }
    }
}
