package io.sluice.provider.cosmos.staged;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.StagedCommit;
import io.sluice.provider.document.StagedPart;
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
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the parts of committed turns and unlocks their instances. Any process may, at any time, and several at once:
 * the commit document's version lets one of them through at each part. Thread-safe.
 */
public final class TurnFinisher {
    private static final Logger LOG = LoggerFactory.getLogger(TurnFinisher.class);
    private static final String COMMITS = "SELECT * FROM c WHERE c.type = 'staged' AND c.kind = 'commit'";
    private static final Duration STEP = Duration.ofSeconds(10);
    /** Commit document and part come before a part's own operations. */
    private static final int OWN_OPERATIONS = 2;

    private final ContainerRequests requests;
    private final InstantSource clock;

    /** A finisher for this container. */
    public TurnFinisher(ContainerRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    /** The instance's version after we unlocked it, and the time it bears; nothing when somebody else did. */
    public record Unlocked(String etag, long updatedAt) {}

    /**
     * Finishes the staged turn of an instance, should there be one that is committed.
     *
     * @return whether there was
     * @throws io.sluice.provider.ProviderException when the store fails; what was done stays done, and a repetition
     *     goes on from there
     */
    public boolean finishIfAny(Call call, String instanceId) {
        Optional<Stored<StagedCommit>> commit = Unfinished.of(
                        requests.query(call, instanceId, SqlQuery.of(COMMITS)).rows())
                .stored();
        commit.ifPresent(found -> finish(call, found));
        return commit.isPresent();
    }

    /**
     * Finishes every turn of the container that was committed before a moment. One that can't be finished now is logged
     * and left.
     *
     * @return how many were finished
     * @throws io.sluice.provider.ProviderException retryable when they can't be found out
     */
    public int finishAll(Call call, long committedBeforeMillis) {
        int finished = 0;
        for (ObjectNode row : requests.queryAllRanges(call, SqlQuery.of(COMMITS))) {
            try {
                StagedCommit commit = StagedCommit.fromJson(row);
                if (commit.updatedAt() < committedBeforeMillis) {
                    finish(call, new Stored<>(commit, DocumentJson.etag(row)));
                    finished++;
                }
            } catch (ProviderException | MalformedDocumentException e) {
                LOG.atWarn()
                        .addKeyValue("document", row.path("id").asText())
                        .setCause(e)
                        .log("a committed turn could not be finished now");
            }
        }
        return finished;
    }

    /** Finishes this turn. */
    public Optional<Unlocked> finish(Call call, Stored<StagedCommit> met) {
        Optional<Stored<StagedCommit>> commit = Optional.of(met);
        Call step = call.within(STEP);
        Backoff backoff = new Backoff();
        while (commit.isPresent()) {
            Stored<StagedCommit> before = commit.get();
            if (before.document().isApplied()) {
                Optional<Unlocked> unlocked = unlock(step, before);
                if (unlocked.isPresent()) {
                    return unlocked;
                }
                commit = reread(step, before.document());
            } else {
                commit = advance(step, before);
            }
            if (commit.filter(before::equals).isEmpty()) {
                step = call.within(STEP);
                backoff = new Backoff();
            } else if (!backoff.pause(step, null)) {
                // Reads are answered, writes are not.
                throw Failures.unknown(step);
            }
        }
        return Optional.empty();
    }

    /** One part further, be it by us or by another. */
    private Optional<Stored<StagedCommit>> advance(Call call, Stored<StagedCommit> commit) {
        StagedCommit document = commit.document();
        String partId = DocumentIds.stagedPart(document.tryId(), document.next());
        Optional<List<BatchWrite>> operations =
                requests.read(call, document.instanceId(), partId).map(row -> operations(call, row));
        if (operations.isEmpty()) {
            return rereadMoved(call, commit);
        }
        StagedCommit advanced = document.advanced();
        List<BatchWrite> batch = new ArrayList<>();
        batch.add(new BatchWrite.Replace(advanced.toJson(), commit.etag()));
        batch.add(new BatchWrite.Delete(partId, null));
        batch.addAll(operations.get());
        while (true) {
            WriteOutcome outcome = requests.batchPatiently(call, document.instanceId(), batch);
            if (outcome instanceof WriteOutcome.Committed committed) {
                return Optional.of(new Stored<>(advanced, committed.firstEtag()));
            }
            int failed = failedOperation(outcome);
            if (failed >= OWN_OPERATIONS) {
                leaveOut(document, batch.remove(failed), outcome);
            } else if (outcome.needsReread()) {
                return reread(call, document);
            } else {
                throw Failures.of(call, outcome);
            }
        }
    }

    /** A part that is gone was applied by another process; the commit document must show it. */
    private Optional<Stored<StagedCommit>> rereadMoved(Call call, Stored<StagedCommit> commit) {
        Optional<Stored<StagedCommit>> now = reread(call, commit.document());
        if (now.filter(commit::equals).isPresent()) {
            throw Failures.corrupt(
                    call,
                    new MalformedDocumentException("part " + commit.document().next() + " of "
                            + commit.document().parts() + " of the committed turn '"
                            + commit.document().id() + "' is missing"));
        }
        return now;
    }

    private Optional<Unlocked> unlock(Call call, Stored<StagedCommit> commit) {
        StagedCommit document = commit.document();
        long updatedAt = Math.max(clock.millis(), document.updatedAt() + 1);
        FieldPatch free = FieldPatch.set(Fields.LOCK_TOKEN, null)
                .and(Fields.LOCKED_UNTIL, null)
                .and(Fields.UPDATED_AT, updatedAt);
        BatchWrite.PatchFields unlock = new BatchWrite.PatchFields(
                DocumentIds.instance(document.instanceId()),
                free,
                null,
                "FROM c WHERE c.lockToken = '" + document.token().replace("'", "\\'") + "'");
        List<BatchWrite> batch = new ArrayList<>(List.of(
                new BatchWrite.Delete(document.id(), commit.etag()),
                new BatchWrite.Delete(document.wakeUp(), null),
                unlock));
        while (true) {
            WriteOutcome outcome = requests.batchPatiently(call, document.instanceId(), batch);
            if (outcome instanceof WriteOutcome.Committed committed) {
                int last = batch.size() - 1;
                return batch.get(last) == unlock
                        ? Optional.of(new Unlocked(committed.etags().get(last), updatedAt))
                        : Optional.empty();
            }
            int failed = failedOperation(outcome);
            if (failed > 0) {
                leaveOut(document, batch.remove(failed), outcome);
            } else if (outcome.needsReread()) {
                return Optional.empty();
            } else {
                throw Failures.of(call, outcome);
            }
        }
    }

    /**
     * A message, an activity or a lock that is gone already; anything that exists already must be another writer's
     * doing, and is left as it is.
     */
    private static void leaveOut(StagedCommit commit, BatchWrite operation, WriteOutcome outcome) {
        if (operation instanceof BatchWrite.Delete) {
            return;
        }
        LOG.atError()
                .addKeyValue("instance", commit.instanceId())
                .addKeyValue("document", operation.id())
                .addKeyValue("answer", outcome)
                .log(
                        "an operation of a committed turn finds a document that no writer of this protocol makes; it is left out");
    }

    private static int failedOperation(WriteOutcome outcome) {
        return outcome.match(committed -> 0, WriteOutcome.Refused::index, ambiguous -> 0, failed -> 0);
    }

    private Optional<Stored<StagedCommit>> reread(Call call, StagedCommit commit) {
        return requests.read(call, commit.instanceId(), commit.id())
                .map(row -> new Stored<>(StagedCommit.fromJson(row), DocumentJson.etag(row)));
    }

    private static List<BatchWrite> operations(Call call, ObjectNode row) {
        try {
            return Operations.read(StagedPart.fromJson(row).operations());
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }
}
