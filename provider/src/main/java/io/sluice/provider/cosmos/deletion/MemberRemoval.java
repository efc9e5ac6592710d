package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DeletionDocument.State;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.PurgeDocument;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Carries a committed deletion out, by any number of processes. Every batch first changes the
 * member's head on condition that it bears the deletion's token; so it can't touch a later instance of the same id, and
 * the head goes last. The check by a write rather than by a read also brings this client's session up to date with
 * earlier writes of other processes.
 */
final class MemberRemoval {
    private static final String ALL_BUT_RECORDS = "SELECT c.id, c.type, c.status, c.targetInstanceId, c.payload FROM c"
            + " WHERE NOT (c.type IN ('instance', 'receipt', 'purge', 'deletion'))";
    /** Leaves room in a batch for the head, twice, the tombstone and the deletion's document. */
    private static final int DOCUMENTS_PER_BATCH = BatchWrite.MAX_OPERATIONS - 4;

    private final ContainerRequests requests;
    private final MembersAtOnce atOnce;
    private final InstantSource clock;

    MemberRemoval(ContainerRequests requests, MembersAtOnce atOnce, InstantSource clock) {
        this.atOnce = atOnce;
        this.requests = requests;
        this.clock = clock;
    }

    /** Removes all members, several at a time in the order of the document, and the home when all others are gone. */
    void removeAll(Call call, DeletionDocument committed) {
        Set<String> members = Set.copyOf(committed.members());
        List<String> others = committed.members().stream()
                .filter(member -> !member.equals(committed.home()))
                .toList();
        atOnce.forEach(call, others, (own, member) -> remove(own, committed, members, member));
        remove(call.again(), committed, members, committed.home());
    }

    /**
     * Removes one member, and with the home the deciding document. Returns when they are gone.
     *
     * @throws ProviderException retryable when the store is away; the next process that finds the member goes on
     */
    void remove(Call call, DeletionDocument committed, String member) {
        remove(call, committed, Set.copyOf(committed.members()), member);
    }

    private void remove(Call call, DeletionDocument committed, Set<String> members, String member) {
        if (committed.state() != State.COMMITTED) {
            throw new IllegalArgumentException("only a committed deletion is carried out");
        }
        Backoff backoff = new Backoff();
        Step step = new Step(call, committed, members, member);
        while (step.remove() == Progress.OPEN) {
            if (!backoff.pause(call, null)) {
                throw ProviderException.retryable(
                        call.operation(),
                        "the deletion of instance '" + member
                                + "' is decided, but could not be carried out in time; the next process that finds a member goes on",
                        null);
            }
        }
    }

    private enum Progress {
        /** The member is removed, by this process or another. */
        DONE,
        /** A write had no answer, or another document was removed already: try once more. */
        OPEN
    }

    /** One skip one member. */
    private final class Step {
        private final Call call;
        private final DeletionDocument deletion;
        private final Set<String> members;
        private final String member;
        private final BatchWrite guard;

        Step(Call call, DeletionDocument deletion, Set<String> members, String member) {
            this.members = members;
            this.call = call;
            this.deletion = deletion;
            this.member = member;
            this.guard = new BatchWrite.PatchFields(
                    DocumentIds.instance(member),
                    new FieldPatch().andIncrement(Fields.UPDATED_AT, 1),
                    null,
                    "FROM c WHERE STARTSWITH(c.lockToken, 'deletion:" + deletion.uuid() + ":')");
        }

        Progress remove() {
            WriteOutcome ours = requests.batchPatiently(call, member, List.of(guard));
            if (!ours.isCommitted()) {
                return judge(ours);
            }
            List<BatchWrite> deletes = deletes();
            while (deletes.size() > DOCUMENTS_PER_BATCH) {
                WriteOutcome outcome = write(deletes.subList(0, DOCUMENTS_PER_BATCH));
                if (!outcome.isCommitted()) {
                    return judge(outcome);
                }
                deletes = deletes.subList(DOCUMENTS_PER_BATCH, deletes.size());
            }
            List<BatchWrite> last = new ArrayList<>(deletes);
            last.add(new BatchWrite.Delete(DocumentIds.instance(member), null));
            if (deletion.tombstones()) {
                String id = DocumentIds.purge(member, deletion.uuid());
                last.add(new BatchWrite.Create(new PurgeDocument(member, id, true, clock.millis()).toJson()));
            }
            if (member.equals(deletion.home())) {
                last.add(new BatchWrite.Delete(deletion.id(), null));
            }
            return judge(write(last));
        }

        private List<BatchWrite> deletes() {
            List<BatchWrite> deletes = new ArrayList<>();
            for (ObjectNode row :
                    requests.query(call, member, SqlQuery.of(ALL_BUT_RECORDS)).rows()) {
                if (!DocumentJson.isType(row, DocumentType.OUTBOX_INTENT) || ChildIntents.mayGo(members, row)) {
                    deletes.add(new BatchWrite.Delete(DocumentJson.id(row), null));
                }
            }
            return deletes;
        }

        private WriteOutcome write(List<BatchWrite> writes) {
            List<BatchWrite> guarded = new ArrayList<>();
            guarded.add(guard);
            guarded.addAll(writes);
            return requests.batchPatiently(call, member, guarded);
        }

        private Progress judge(WriteOutcome outcome) {
            // Refused by its first operation: the head is gone, or bears another token.
            return outcome.match(
                    committed -> Progress.DONE,
                    refused -> refused.index() == 0 ? Progress.DONE : openOrThrow(refused),
                    ambiguous -> Progress.OPEN,
                    this::openOrThrow);
        }

        private Progress openOrThrow(WriteOutcome outcome) {
            if (outcome.isNotFound()) {
                return Progress.OPEN;
            }
            throw Failures.of(call, outcome);
        }
    }
}
