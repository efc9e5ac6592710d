package io.sluice.provider.cosmos.activity;

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
    private final WorkerFeeds feeds;
    private final InstantSource clock;

    ActivityLocker(ContainerRequests requests, HeldActivities held, WorkerFeeds feeds, InstantSource clock) {
        this.requests = requests;
        this.held = held;
        this.feeds = feeds;
        this.clock = clock;
    }

    /** The item with its content, if it is still the one that was found. */
    @Nullable
    Stored<QueueDocument> read(Call call, Stored<QueueDocument> found) {
        return requests.read(
                        call, found.document().instanceId(), found.document().id())
                .filter(row -> DocumentJson.etag(row).equals(found.etag()))
                .flatMap(feeds.rows()::read)
                .map(document -> new Stored<>(document, found.etag()))
                .orElse(null);
    }

    /**
     * Locks an item that can't be decoded without handing it out, which counts an attempt and takes it from the head of
     * the queue for every process: for the lock's time at first, and twice as long each time after. A newer runtime may
     * know what it is, so it is kept. Returns until when.
     */
    long setAside(Call call, Stored<QueueDocument> item, Duration lockTimeout, DecodingException why) {
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

    /** Locks the item, and takes its session in the same batch; nothing when another process was faster. */
    Optional<HeldActivity> lock(
            Call call, Stored<QueueDocument> item, @Nullable BatchWrite claim, Duration lockTimeout, boolean isWhole) {
        String token = UUID.randomUUID().toString();
        long until = clock.millis() + lockTimeout.toMillis();
        QueueDocument document = item.document();
        FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, token)
                .and(Fields.LOCKED_UNTIL, until)
                .and(Fields.ATTEMPT_COUNT, document.attemptCount() + 1);
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(new BatchWrite.PatchFields(document.id(), patch, item.etag()));
        if (claim != null) {
            writes.add(claim);
        }
        if (!isWhole) {
            writes.add(new BatchWrite.Return(document.id()));
        }
        WriteOutcome outcome = requests.batchPatiently(call, document.instanceId(), writes);
        HeldActivity activity = new HeldActivity(token, new Stored<>(document.taken(token, until), item.etag()));
        if (outcome instanceof WriteOutcome.Failed) {
            throw Failures.of(call, outcome);
        }
        if (outcome instanceof WriteOutcome.Refused) {
            // Somebody was faster, with the item or with its session.
            feeds.slowDown();
            return Optional.empty();
        }
        Optional<Stored<QueueDocument>> taken = outcome instanceof WriteOutcome.Committed committed
                ? Optional.of(new Stored<>(
                        isWhole ? document.taken(token, until) : returned(committed, document.id()),
                        committed.firstEtag()))
                : held.reread(call, activity);
        taken.ifPresent(activity::moveTo);
        return taken.map(mine -> activity);
    }

    private static QueueDocument returned(WriteOutcome.Committed committed, String id) {
        return committed.documents().stream()
                .filter(document -> DocumentJson.id(document).equals(id))
                .reduce((before, after) -> after)
                .map(QueueDocument::fromJson)
                .orElseThrow(() -> new IllegalStateException("the batch returned no document '" + id + "'"));
    }
}
