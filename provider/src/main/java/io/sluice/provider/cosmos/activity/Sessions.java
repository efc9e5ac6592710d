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
import io.sluice.provider.request.FieldPatch;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Which worker owns which session of an instance. Thread-safe. */
final class Sessions {
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Sessions.class));

    private final ContainerRequests requests;
    private final OwnSessions own;
    private final InstantSource clock;

    Sessions(ContainerRequests requests, OwnSessions own, InstantSource clock) {
        this.requests = requests;
        this.own = own;
        this.clock = clock;
    }

    /**
     * How a session can be claimed.
     *
     * @param write to go into the batch that locks the item; null when another owner's claim is alive
     * @param heldBy that other owner; empty when there is none
     */
    record Claim(@Nullable BatchWrite write, String heldBy, long heldUntil) {}

    /**
     * Reads the session and says how to claim it. One request. It is remembered as claimed, for whether the write went
     * through is not always known; if it did not, its renewal is refused.
     */
    Claim claim(Call call, String instanceId, String sessionId, SessionFetchConfig config) {
        String id = DocumentIds.session(instanceId, sessionId);
        DocumentIds.checkDocumentId(call.operation(), "session id", id);
        long now = clock.millis();
        long until = now + config.lockTimeout().toMillis();
        Optional<ObjectNode> there = requests.read(call, instanceId, id);
        Optional<Stored<SessionDocument>> stored = there.flatMap(Sessions::readable);
        OthersSessions.Session session = new OthersSessions.Session(instanceId, sessionId);
        if (stored.isEmpty()) {
            own.remember(session, config.ownerId(), until, now);
            var fresh = SessionDocument.fresh(id, instanceId, sessionId, config.ownerId(), until, now)
                    .toJson();
            // A malformed one is nobody's: its owner could not renew it.
            BatchWrite write = there.isEmpty()
                    ? new BatchWrite.Create(fresh)
                    : new BatchWrite.Replace(fresh, DocumentJson.etag(there.get()));
            return new Claim(write, "", 0);
        }
        SessionDocument document = stored.get().document();
        if (document.isHeldByOther(config.ownerId(), now)) {
            return new Claim(null, document.ownerId(), document.lockedUntil());
        }
        own.remember(session, config.ownerId(), until, now);
        var claimed = document.claimedBy(config.ownerId(), until, now);
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

    /** Those that are not malformed. */
    static List<Stored<SessionDocument>> readable(List<ObjectNode> rows) {
        return rows.stream().flatMap(row -> readable(row).stream()).toList();
    }

    /** The session, unless it is malformed; then it is logged once, and left to who claims it next. */
    static Optional<Stored<SessionDocument>> readable(ObjectNode row) {
        try {
            return Optional.of(new Stored<>(SessionDocument.fromJson(row), DocumentJson.etag(row)));
        } catch (MalformedDocumentException e) {
            MALFORMED.log(row, "a malformed session is nobody's, and anybody may claim it", e);
            return Optional.empty();
        }
    }
}
