package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DeletionDocument.State;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.LoggerFactory;

/**
 * The documents that decide deletions. Each is decided once: every change names the version it changes, and after a
 * lost answer the document is read.
 */
final class DeletionRecords {
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(DeletionRecords.class));
    private static final String ALL = "SELECT * FROM c WHERE c.type = 'deletion'";

    /** Time from the open document to its decision, without the wait for the relay. */
    private static final Duration TO_DECIDE = Duration.ofSeconds(30);

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
        long deadline = clock.millis() + TO_DECIDE.plus(gate.longestWait()).toMillis();
        DeletionDocument open = new DeletionDocument(
                UUID.randomUUID().toString(),
                members.get(members.size() - 1),
                State.OPEN,
                members,
                deadline,
                gate.isRelayExpected());
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

    Optional<Stored<DeletionDocument>> read(Call call, DeletionDocument.Name name) {
        return requests.read(call, name.home(), DocumentIds.deletion(name.uuid()))
                .map(row -> parse(call, row));
    }

    /** All documents of the store, without malformed ones. */
    List<Stored<DeletionDocument>> all(Call call) {
        List<Stored<DeletionDocument>> found = new ArrayList<>();
        for (ObjectNode row : requests.queryAllRanges(call, SqlQuery.of(ALL))) {
            try {
                found.add(new Stored<>(DeletionDocument.fromJson(row), DocumentJson.etag(row)));
            } catch (MalformedDocumentException e) {
                MALFORMED.log(row, "a deletion is malformed and can't be finished; repair it", e);
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
        Stored<DeletionDocument> there = stored.get();
        boolean overdue =
                there.document().state() == State.OPEN && there.document().deadlineMillis() < clock.millis();
        return overdue ? decide(call, there, State.ABORTED) : there;
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
        Stored<DeletionDocument> known = open;
        boolean doubtful = false;
        Backoff backoff = new Backoff();
        while (known.document().state() == State.OPEN) {
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
            if (known.document().state() == State.OPEN && !backoff.pause(call, null)) {
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
            throw Failures.corrupt(call, e);
        }
    }
}
