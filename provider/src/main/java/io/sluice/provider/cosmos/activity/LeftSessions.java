package io.sluice.provider.cosmos.activity;

import io.sluice.provider.cosmos.activity.OthersSessions.Session;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.SessionDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.QueryPage;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One search for lapsed sessions, and the removal of those that no activity refers to: page by page, each by one query
 * of the activities that refer to any of its sessions, and one batch for each instance. Ranges and instances come in an
 * order of its own, so that processes that begin together are at different ones. Where another process was faster, the
 * page is old, and is read again; where it was just read, little is left that nobody is at, and the search ends. For
 * one search; used by one thread.
 */
final class LeftSessions {
    private static final int AT_A_TIME = 100;
    private static final String LAPSED = "SELECT * FROM c WHERE c.type = 'session' AND c.lockedUntil < @now";
    private static final String REFERRING = "SELECT c.instanceId, c.sessionId FROM c WHERE c.type = 'worker_queue'";

    private final ContainerRequests requests;
    private final OwnSessions own;
    private final Call call;
    private final SqlQuery lapsed;
    private final Random order;
    private int removed;
    private boolean othersMet;

    /**
     * Makes no request.
     *
     * @param call whose patience each request has
     * @param now sessions lapsed before it, in milliseconds
     * @param order another one in each process
     */
    LeftSessions(ContainerRequests requests, OwnSessions own, Call call, long now, Random order) {
        this.requests = requests;
        this.own = own;
        this.call = call;
        this.lapsed = SqlQuery.of(LAPSED).with("@now", now);
        this.order = order;
    }

    private enum Page {
        DONE,
        /** Another process removed or claimed a part of it meanwhile. */
        CHANGED,
        /** Another process was at work where the page had just been read. */
        OTHERS,
        /** It can't be written now. */
        FAILED
    }

    /** Searches once. */
    void remove() {
        List<String> ranges = new ArrayList<>(requests.ranges(call.again()));
        Collections.shuffle(ranges, order);
        for (int i = 0; i < ranges.size() && !othersMet; i++) {
            removeFrom(ranges.get(i));
        }
    }

    /** How many were removed. */
    int removed() {
        return removed;
    }

    /** Whether there was anything to remove, for this process or another. */
    boolean hasFound() {
        return removed > 0 || othersMet;
    }

    private void removeFrom(String range) {
        @Nullable String from = null;
        while (true) {
            QueryPage page = requests.pageOfRange(call.again(), range, lapsed, AT_A_TIME, from);
            switch (removeAll(range, Sessions.readable(page.rows()))) {
                case DONE -> {
                    from = page.next();
                    if (from == null) {
                        return;
                    }
                }
                case CHANGED -> from = null;
                case OTHERS -> {
                    othersMet = true;
                    return;
                }
                case FAILED -> {
                    return;
                }
            }
        }
    }

    private Page removeAll(String range, List<Stored<SessionDocument>> sessions) {
        boolean isFirst = true;
        for (List<Stored<SessionDocument>> ofInstance : unreferred(range, sessions)) {
            WriteOutcome outcome = remove(ofInstance);
            if (outcome instanceof WriteOutcome.Refused) {
                return isFirst ? Page.OTHERS : Page.CHANGED;
            }
            if (!outcome.isCommitted()) {
                return Page.FAILED;
            }
            isFirst = false;
        }
        return Page.DONE;
    }

    /** Those that no activity refers to, locked or not, by instance. */
    private List<List<Stored<SessionDocument>>> unreferred(String range, List<Stored<SessionDocument>> sessions) {
        if (sessions.isEmpty()) {
            return List.of();
        }
        List<String> ids = sessions.stream()
                .map(session -> session.document().sessionId())
                .distinct()
                .toList();
        SqlQuery query = SqlQuery.of(REFERRING).andOneOf("c.sessionId", ids);
        Set<Session> referred = new HashSet<>();
        requests.queryRanges(call.again(), Map.of(range, query))
                .values()
                .forEach(rows -> rows.forEach(row -> referred.add(new Session(
                        row.path(Fields.INSTANCE_ID).asText(),
                        row.path(Fields.SESSION_ID).asText()))));
        Map<String, List<Stored<SessionDocument>>> byInstance = new LinkedHashMap<>();
        for (Stored<SessionDocument> session : sessions) {
            SessionDocument document = session.document();
            if (!referred.contains(new Session(document.instanceId(), document.sessionId()))) {
                byInstance
                        .computeIfAbsent(document.instanceId(), id -> new ArrayList<>())
                        .add(session);
            }
        }
        List<List<Stored<SessionDocument>>> unreferred = new ArrayList<>(byInstance.values());
        Collections.shuffle(unreferred, order);
        return unreferred;
    }

    /** Unless somebody claims one meanwhile. */
    private WriteOutcome remove(List<Stored<SessionDocument>> ofInstance) {
        String instanceId = ofInstance.get(0).document().instanceId();
        List<BatchWrite> deletes = new ArrayList<>();
        ofInstance.forEach(
                session -> deletes.add(new BatchWrite.Delete(session.document().id(), session.etag())));
        WriteOutcome outcome = requests.batchPatiently(call.again(), instanceId, deletes);
        if (outcome.isCommitted()) {
            removed += ofInstance.size();
            ofInstance.forEach(session ->
                    own.forget(new Session(instanceId, session.document().sessionId())));
        }
        return outcome;
    }
}
