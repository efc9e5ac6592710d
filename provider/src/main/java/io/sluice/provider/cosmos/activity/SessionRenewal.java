package io.sluice.provider.cosmos.activity;

import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.activity.OthersSessions.Session;
import io.sluice.provider.cosmos.parallel.WorkerThreads;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.SessionDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the sessions of owners: each instance's by one batch, some instances at one time. The store is searched once
 * for each owner, for sessions from before this process; from then on it is known what they claimed. A runtime renews
 * every 25 s, whether or not its workers hold a session. Thread-safe.
 */
final class SessionRenewal {
    private static final Logger LOG = LoggerFactory.getLogger(SessionRenewal.class);
    private static final String OPERATION = "renewSessionLock";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** A silent partition costs the others no more than this. */
    private static final Duration FIRST_TRY = Duration.ofSeconds(2);

    private static final Duration LATER_TRY = Duration.ofSeconds(5);
    private static final int MOST_THREADS = 64;
    private static final String ALIVE = "SELECT * FROM c WHERE c.type = 'session' AND c.lockedUntil > @now";

    private final ContainerRequests requests;
    private final OwnSessions own;
    private final int atOnce;
    private final InstantSource clock;
    private final WorkerThreads threads = new WorkerThreads("sluice-sessions", MOST_THREADS);

    SessionRenewal(ContainerRequests requests, OwnSessions own, int atOnce, InstantSource clock) {
        this.requests = requests;
        this.own = own;
        this.atOnce = atOnce;
        this.clock = clock;
    }

    /**
     * What to do with each session.
     *
     * @param usedAfter idle ones, not used after this time, are left to lapse
     */
    private record Terms(long now, long until, long usedAfter) {
        List<BatchWrite> writes(List<Map.Entry<Session, OwnSessions.Lock>> sessions) {
            return sessions.stream()
                    .map(session -> write(session.getKey(), session.getValue()))
                    .toList();
        }

        private BatchWrite write(Session session, OwnSessions.Lock lock) {
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

    /**
     * Renews what can be renewed. What failed is told in the log, and in an exception only where nothing was renewed.
     *
     * @return how many were renewed
     */
    int renew(List<String> ownerIds, Duration extendFor, Duration idleTimeout) {
        if (ownerIds.isEmpty()) {
            return 0;
        }
        long now = clock.millis();
        List<String> unknown = own.unknown(ownerIds);
        Map<Session, OwnSessions.Lock> known = own.alive(ownerIds, now);
        Rounds rounds = new Rounds(new Terms(now, now + extendFor.toMillis(), now - idleTimeout.toMillis()));
        rounds.renew(known);
        rounds.renewFurther(known.keySet(), unknown);
        return rounds.end();
    }

    /** Searches the store for what owners held before this process, or before it had to forget some. */
    private Map<Session, OwnSessions.Lock> find(List<String> unknown, long now) {
        Map<Session, OwnSessions.Lock> found = new LinkedHashMap<>();
        if (unknown.isEmpty()) {
            return found;
        }
        Call call = Call.onContainer(OPERATION, PATIENCE);
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

    /** Sessions of one instance that are left to be renewed by one batch. */
    private record Batch(String instanceId, List<Map.Entry<Session, OwnSessions.Lock>> sessions) {
        static List<Batch> of(Map<Session, OwnSessions.Lock> sessions) {
            Map<String, List<Map.Entry<Session, OwnSessions.Lock>>> byInstance = new LinkedHashMap<>();
            sessions.entrySet()
                    .forEach(session -> byInstance
                            .computeIfAbsent(session.getKey().instanceId(), id -> new ArrayList<>())
                            .add(session));
            List<Batch> batches = new ArrayList<>();
            byInstance.forEach((instanceId, all) -> {
                for (List<Map.Entry<Session, OwnSessions.Lock>> some : BatchWrite.portions(all)) {
                    batches.add(new Batch(instanceId, some));
                }
            });
            return batches;
        }
    }

    /**
     * The tries of one call: each batch once, some at one time, and then those that failed for now again, for as long
     * as the call's patience. So an instance that can't be written costs the others no more than one short try.
     */
    private final class Rounds {
        private final Terms terms;
        private final AtomicInteger renewed = new AtomicInteger();
        private final Queue<ProviderException> failures = new ConcurrentLinkedQueue<>();
        private final Queue<ProviderException> failedForNow = new ConcurrentLinkedQueue<>();

        Rounds(Terms terms) {
            this.terms = terms;
        }

        void renew(Map<Session, OwnSessions.Lock> sessions) {
            Queue<Batch> left = tryEach(Batch.of(sessions), FIRST_TRY);
            Call rest = Call.onContainer(OPERATION, PATIENCE);
            Backoff backoff = new Backoff();
            while (!left.isEmpty() && mayPause(backoff, rest)) {
                failedForNow.clear();
                left = tryEach(left, LATER_TRY);
            }
            failures.addAll(failedForNow);
            failedForNow.clear();
        }

        private boolean mayPause(Backoff backoff, Call rest) {
            return !Thread.currentThread().isInterrupted() && backoff.pause(rest, null);
        }

        /** Those of owners that have to be searched for, after the others: the search may fail. */
        void renewFurther(Set<Session> known, List<String> unknown) {
            try {
                Map<Session, OwnSessions.Lock> found = find(unknown, terms.now());
                found.keySet().removeAll(known);
                renew(found);
            } catch (ProviderException e) {
                failures.add(e);
            }
        }

        /** Returns how many were renewed; fails when something failed, and none was. */
        int end() {
            Optional<ProviderException> failure = failures.stream()
                    .filter(ProviderException::retryable)
                    .findFirst()
                    // What is permanent makes a caller give up.
                    .or(() -> failures.stream().findFirst());
            if (failure.isPresent() && renewed.get() == 0) {
                throw failure.get();
            }
            failure.ifPresent(why -> LOG.atWarn()
                    .addKeyValue("renewed", renewed)
                    .addKeyValue("failures", failures.size())
                    .setCause(why)
                    .log("some sessions can't be renewed; the others are"));
            return renewed.get();
        }

        /** Returns those that are to be tried again. */
        private Queue<Batch> tryEach(Collection<Batch> batches, Duration timeout) {
            Queue<Batch> todo = new ConcurrentLinkedQueue<>(batches);
            Queue<Batch> again = new ConcurrentLinkedQueue<>();
            Runnable work = () -> {
                @Nullable Batch batch = todo.poll();
                while (batch != null) {
                    tryOnce(batch, timeout, again);
                    batch = Thread.currentThread().isInterrupted() ? null : todo.poll();
                }
            };
            int others = Math.min(batches.size(), atOnce) - 1;
            threads.run(
                    work,
                    others,
                    () -> Deadline.in(timeout.multipliedBy(batches.size() + 1L).plus(PATIENCE)));
            return again;
        }

        /** The store judges each: one that is idle, or was lost, drops out of the batch. */
        private void tryOnce(Batch batch, Duration timeout, Queue<Batch> again) {
            List<Map.Entry<Session, OwnSessions.Lock>> sessions = batch.sessions();
            try {
                while (!sessions.isEmpty()) {
                    WriteOutcome outcome =
                            requests.batch(about(batch), batch.instanceId(), terms.writes(sessions), timeout);
                    if (outcome.isCommitted()) {
                        sessions.forEach(session -> own.remember(
                                session.getKey(),
                                session.getValue().ownerId(),
                                terms.until(session.getValue()),
                                terms.now()));
                        renewed.addAndGet(sessions.size());
                        return;
                    }
                    if (!(outcome instanceof WriteOutcome.Refused refused)) {
                        boolean mayPass = outcome.isOnlyForNow() || outcome.isAmbiguous();
                        (mayPass ? failedForNow : failures).add(Failures.of(about(batch), outcome));
                        if (mayPass) {
                            again.add(batch);
                        }
                        return;
                    }
                    Session dropped = sessions.remove(refused.index()).getKey();
                    if (refused.isNotFound()) {
                        own.forget(dropped);
                    }
                }
            } catch (ProviderException e) {
                // Interrupted, or the process has too many requests under way.
                failedForNow.add(e);
                again.add(batch);
            }
        }

        private Call about(Batch batch) {
            return Call.onInstance(OPERATION, batch.instanceId(), PATIENCE);
        }
    }
}
