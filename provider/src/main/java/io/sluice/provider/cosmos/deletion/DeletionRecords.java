package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DeletionDocument.State;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.QueueDocuments;
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
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The documents that decide deletions. Each is decided once: every change names the version it changes, and after a
 * lost answer the document is read.
 */
final class DeletionRecords {
    private static final String ALL = "SELECT * FROM c WHERE c.type = 'deletion'";

    /** Time from the open document, or the last renewal, to the decision, without the wait for the relay. */
    private static final Duration TO_DECIDE = Duration.ofSeconds(30);
    /** How much of that passes before the deadline is put off. */
    private static final Duration TO_RENEW = TO_DECIDE.dividedBy(3);

    private final ContainerRequests requests;
    private final HistoryGate gate;
    private final InstantSource clock;

    DeletionRecords(ContainerRequests requests, HistoryGate gate, InstantSource clock) {
        this.requests = requests;
        this.gate = gate;
        this.clock = clock;
    }

    /**
     * Creates the document, open.
     *
     * @param members children before their parents
     * @throws ProviderException permanent when there are too many members; retryable when the store can't be reached,
     *     the document then has no effect
     */
    Stored<DeletionDocument> create(Call call, List<String> members) {
        DeletionDocument open = new DeletionDocument(
                UUID.randomUUID().toString(),
                members.get(members.size() - 1),
                State.OPEN,
                members,
                newDeadline(),
                gate.expectsRelay(call));
        ObjectNode json = open.toJson();
        int bytes = DocumentJson.sizeBytes(json);
        if (bytes > QueueDocuments.MAX_DOCUMENT_BYTES) {
            throw ProviderException.permanent(
                    call.operation(),
                    "a deletion of " + open.members().size() + " instances takes " + bytes
                            + " bytes as a document, the limit is " + QueueDocuments.MAX_DOCUMENT_BYTES
                            + "; delete fewer at once");
        }
        WriteOutcome outcome = requests.batchPatiently(call, open.home(), List.of(new BatchWrite.Create(json)));
        return outcome.match(
                committed -> new Stored<>(open, committed.firstEtag()),
                Failures.throwing(call),
                ambiguous -> read(call, name(open)).orElseThrow(() -> Failures.of(call, ambiguous)),
                Failures.throwing(call));
    }

    /**
     * The stored document, if it is there.
     *
     * @throws ProviderException permanent when it is malformed or of a newer release; retryable when the store can't be
     *     reached
     */
    Optional<Stored<DeletionDocument>> read(Call call, DeletionDocument.Name name) {
        return requests.read(call, name.home(), DocumentIds.deletion(name.uuid()))
                .map(row -> parse(call, row));
    }

    /** All documents of the store, without those that this release can't read. */
    List<Stored<DeletionDocument>> all(Call call) {
        List<Stored<DeletionDocument>> found = new ArrayList<>();
        for (ObjectNode row : requests.queryAllRanges(call, SqlQuery.of(ALL))) {
            try {
                found.add(new Stored<>(DeletionDocument.fromJson(row), DocumentJson.etag(row)));
            } catch (MalformedDocumentException e) {
                UnreadableDeletions.passOver(row, e);
            }
        }
        return found;
    }

    /**
     * Reads the document, and aborts the deletion if it is overdue. A missing document is created as aborted: the read
     * may lag behind, and the deletion must not be committed afterwards.
     */
    Stored<DeletionDocument> resolve(Call call, DeletionDocument.Name name) {
        Optional<Stored<DeletionDocument>> stored = read(call, name);
        while (stored.isEmpty()) {
            DeletionDocument forgotten = DeletionDocument.forgotten(name);
            WriteOutcome outcome =
                    requests.batchPatiently(call, name.home(), List.of(new BatchWrite.Create(forgotten.toJson())));
            stored = outcome.match(
                    committed -> Optional.of(new Stored<>(forgotten, committed.firstEtag())),
                    refused -> readTaken(call, name, refused),
                    ambiguous -> readInTime(call, name, ambiguous),
                    Failures.throwing(call));
        }
        // One whose deadline is put off meanwhile stays open.
        return decide(call, stored.get(), State.ABORTED, this::isOverdue);
    }

    private long newDeadline() {
        return clock.millis() + timeToDecide().toMillis();
    }

    private Duration timeToDecide() {
        return TO_DECIDE.plus(gate.longestWait());
    }

    /** Whether it is open, and any process may abort it. */
    boolean isOverdue(DeletionDocument deletion) {
        return deletion.state() == State.OPEN && deletion.deadlineMillis() < clock.millis();
    }

    /** Whether it is open, and the time has come to put its deadline off. */
    boolean isDueForRenewal(DeletionDocument deletion) {
        long renewed = deletion.deadlineMillis() - timeToDecide().toMillis();
        return deletion.state() == State.OPEN && renewed + TO_RENEW.toMillis() <= clock.millis();
    }

    /**
     * Puts the deadline of an open deletion off, unless it is decided.
     *
     * @return the document as it is then; aborted too when it is gone
     * @throws ProviderException retryable when that can't be read
     */
    Stored<DeletionDocument> renew(Call call, Stored<DeletionDocument> open) {
        DeletionDocument renewed = open.document().until(newDeadline());
        FieldPatch deadline = FieldPatch.set(DeletionDocument.DEADLINE, renewed.deadlineMillis());
        WriteOutcome outcome = requests.batchPatiently(
                call, renewed.home(), List.of(new BatchWrite.PatchFields(renewed.id(), deadline, open.etag())));
        if (outcome instanceof WriteOutcome.Committed committed) {
            return new Stored<>(renewed, committed.firstEtag());
        }
        if (!outcome.needsReread()) {
            throw Failures.of(call, outcome);
        }
        return readAgain(call, open);
    }

    /** The document as it is now; aborted when it is gone, for only its own process commits it. */
    Stored<DeletionDocument> readAgain(Call call, Stored<DeletionDocument> known) {
        return read(call, name(known.document()))
                .orElseGet(() -> new Stored<>(known.document().in(State.ABORTED), ""));
    }

    private Optional<Stored<DeletionDocument>> readTaken(
            Call call, DeletionDocument.Name name, WriteOutcome.Refused refused) {
        if (!refused.isConflict()) {
            throw Failures.of(call, refused);
        }
        return readInTime(call, name, refused);
    }

    private Optional<Stored<DeletionDocument>> readInTime(Call call, DeletionDocument.Name name, WriteOutcome outcome) {
        if (call.deadline().isOver()) {
            throw Failures.of(call, outcome);
        }
        return read(call, name);
    }

    /**
     * Decides an open deletion, unless it is decided.
     *
     * @return the document as it is then: in this state, or in the other one when another process was first
     * @throws ProviderException retryable when its state can't be read
     */
    Stored<DeletionDocument> decide(Call call, Stored<DeletionDocument> open, State state) {
        return decide(call, open, state, deletion -> deletion.state() == State.OPEN);
    }

    private Stored<DeletionDocument> decide(
            Call call, Stored<DeletionDocument> open, State state, Predicate<DeletionDocument> isToBe) {
        Stored<DeletionDocument> known = open;
        boolean doubtful = false;
        Backoff backoff = new Backoff();
        while (isToBe.test(known.document())) {
            DeletionDocument decided = known.document().in(state);
            WriteOutcome outcome = requests.batchPatiently(
                    call, decided.home(), List.of(new BatchWrite.Replace(decided.toJson(), known.etag())));
            if (outcome instanceof WriteOutcome.Committed committed) {
                return new Stored<>(decided, committed.firstEtag());
            }
            doubtful |= outcome.isAmbiguous();
            Optional<Stored<DeletionDocument>> now =
                    outcome.needsReread() ? read(call, name(decided)) : Optional.empty();
            if (!outcome.needsReread() || (now.isEmpty() && doubtful && state == State.COMMITTED)) {
                throw Failures.of(call, outcome);
            }
            if (now.isEmpty()) {
                // Aborted and tidied up. Had it been committed and carried out, no member would be left to be locked
                // wrongly.
                return new Stored<>(decided.in(State.ABORTED), "");
            }
            known = now.get();
            if (isToBe.test(known.document()) && !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
        return known;
    }

    /** Removes an aborted deletion whose name no lock bears any more; a missing document is no error. */
    void remove(Call call, Stored<DeletionDocument> aborted) {
        WriteOutcome outcome = requests.batchPatiently(
                call,
                aborted.document().home(),
                List.of(new BatchWrite.Delete(aborted.document().id(), aborted.etag())));
        boolean gone = outcome.isCommitted() || outcome.isNotFound();
        if (!gone) {
            throw Failures.of(call, outcome);
        }
    }

    private static DeletionDocument.Name name(DeletionDocument document) {
        return new DeletionDocument.Name(document.uuid(), document.home());
    }

    private static Stored<DeletionDocument> parse(Call call, ObjectNode row) {
        try {
            return new Stored<>(DeletionDocument.fromJson(row), DocumentJson.etag(row));
        } catch (MalformedDocumentException e) {
            throw UnreadableDeletions.refusal(call, e);
        }
    }
}
