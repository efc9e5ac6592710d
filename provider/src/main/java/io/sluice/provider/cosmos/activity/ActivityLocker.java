package io.sluice.provider.cosmos.activity;

import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Locks one activity by one conditional batch. Thread-safe. */
final class ActivityLocker {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityLocker.class);

    /** A corrupt item comes up again, so that it stays noticed, but ever more rarely. */
    private static final long LONGEST_ASIDE_MILLIS = Duration.ofHours(1).toMillis();

    private static final int MOST_DOUBLINGS = 10;

    private final ContainerRequests requests;
    private final HeldActivities held;
    private final ActivityQueue queue;
    private final InstantSource clock;

    ActivityLocker(ContainerRequests requests, HeldActivities held, ActivityQueue queue, InstantSource clock) {
        this.requests = requests;
        this.held = held;
        this.queue = queue;
        this.clock = clock;
    }

    /** The item as it is now, with its content. */
    ActivityReading read(Call call, Stored<QueueDocument> found) {
        ContainerRequests.ReadAnswer answer = requests.answer(
                call, found.document().instanceId(), found.document().id());
        Optional<Stored<QueueDocument>> now = Optional.ofNullable(answer.document())
                .flatMap(row -> queue.rows().read(row).map(document -> new Stored<>(document, DocumentJson.etag(row))));
        return ActivityReading.of(found, now.orElse(null), answer.sessionToken(), clock.millis());
    }

    /**
     * Locks an item that can't be decoded without giving it out, which counts an attempt and takes it from the head of
     * the queue for every process: for the lock's time at first, and twice as long each time after. A newer runtime may
     * know what it is, so it is kept. Returns until when.
     */
    long defer(Call call, Stored<QueueDocument> item, Duration lockTimeout, DecodingException why) {
        QueueDocument document = item.document();
        long millis = Math.min(
                LONGEST_ASIDE_MILLIS,
                lockTimeout.toMillis() << Math.min(MOST_DOUBLINGS, Math.max(0, document.attemptCount())));
        long until = clock.millis() + millis;
        FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, UUID.randomUUID().toString())
                .and(Fields.LOCKED_UNTIL, until)
                .and(Fields.ATTEMPT_COUNT, document.attemptCount() + 1);
        WriteOutcome outcome = requests.batchPatiently(
                call, document.instanceId(), List.of(new BatchWrite.PatchFields(document.id(), patch, item.etag())));
        LOG.atError()
                .addKeyValue("instance", document.instanceId())
                .addKeyValue("item", document.id())
                .addKeyValue("attempt", document.attemptCount() + 1)
                .addKeyValue("asideMillis", millis)
                .addKeyValue("counted", outcome.isCommitted())
                .setCause(why)
                .log("a work item can't be decoded and stays in the queue");
        return until;
    }

    /**
     * What to lock.
     *
     * @param claim takes the item's session in the same batch; null where it has none
     * @param isProven whether the item was read, and not only announced
     * @param isWhole whether its content is known; the lock is to bring it otherwise
     */
    record Target(Stored<QueueDocument> item, @Nullable BatchWrite claim, boolean isProven, boolean isWhole) {}

    /**
     * What came of it.
     *
     * @param activity null when it was not locked
     * @param mayBeFree whether the item may be free as before, so that another try can lock it
     */
    record Lock(@Nullable HeldActivity activity, boolean mayBeFree) {}

    /** Locks the item, and takes its session. */
    Lock lock(Call call, Target target, Duration lockTimeout) {
        Stored<QueueDocument> item = target.item();
        String token = UUID.randomUUID().toString();
        long until = clock.millis() + lockTimeout.toMillis();
        QueueDocument document = item.document();
        FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, token)
                .and(Fields.LOCKED_UNTIL, until)
                .andIncrement(Fields.ATTEMPT_COUNT, 1);
        List<BatchWrite> writes = new ArrayList<>();
        @Nullable String condition = target.isProven() ? null : isAsAnnounced(document);
        writes.add(new BatchWrite.PatchFields(document.id(), patch, item.etag(), condition));
        if (target.claim() != null) {
            writes.add(target.claim());
        }
        if (!target.isWhole()) {
            writes.add(new BatchWrite.Return(document.id()));
        }
        WriteOutcome outcome = requests.batchPatiently(call, document.instanceId(), writes);
        HeldActivity activity = new HeldActivity(token, new Stored<>(document.taken(token, until), item.etag()));
        return outcome.match(
                committed -> {
                    activity.moveTo(new Stored<>(
                            target.isWhole() ? document.taken(token, until) : returned(committed, document.id()),
                            committed.firstEtag()));
                    return new Lock(activity, false);
                },
                refused -> {
                    // Somebody was faster, with the item or with its session alone.
                    queue.slowDown();
                    return new Lock(null, refused.index() > 0);
                },
                ambiguous -> {
                    // It may be ours: that is worth more patience than a try was.
                    Optional<Stored<QueueDocument>> taken = held.reread(call.within(ActivityFetch.PATIENCE), activity);
                    taken.ifPresent(activity::moveTo);
                    // It is not known whether it was applied and the lock taken over since.
                    return new Lock(taken.isPresent() ? activity : null, taken.isEmpty());
                },
                Failures.throwing(call));
    }

    /** An announcement may be wrong though it names the version: the store checks what the lock relies on. */
    private String isAsAnnounced(QueueDocument announced) {
        String now = Long.toString(clock.millis());
        return "FROM c WHERE c.type = 'worker_queue' AND c.visibleAt <= " + now
                + " AND (NOT IS_DEFINED(c.lockedUntil) OR IS_NULL(c.lockedUntil) OR c.lockedUntil <= " + now + ")"
                + isSame("c.tag", announced.tag()) + isSame("c.sessionId", announced.sessionId());
    }

    private static String isSame(String field, @Nullable String value) {
        return value == null
                ? " AND (NOT IS_DEFINED(" + field + ") OR IS_NULL(" + field + "))"
                : " AND " + field + " = " + TextNode.valueOf(value);
    }

    private static QueueDocument returned(WriteOutcome.Committed committed, String id) {
        return committed.documents().stream()
                .filter(document -> DocumentJson.id(document).equals(id))
                .reduce((before, after) -> after)
                .map(QueueDocument::fromJson)
                .orElseThrow(() -> new IllegalStateException("the batch returned no document '" + id + "'"));
    }
}
