package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.NewerDocumentException;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.OperationCost;
import io.sluice.provider.request.WriteOutcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletions whose document this release can't read, so that nobody knows whether they are decided: their members stay,
 * locked, until the document is repaired or they are deleted by force. What a newer release wrote is left to it, by
 * force too. Thread-safe.
 */
final class UnreadableDeletions {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableDeletions.class);
    private static final MalformedLog MALFORMED = new MalformedLog(LOG);
    private static final String REMEDY = "repair this document of a deletion, or delete its members by force";
    private static final String MESSAGE =
            "a deletion can't be read: its members count as instances, and have no turns; " + REMEDY;

    private final ContainerRequests requests;

    UnreadableDeletions(ContainerRequests requests) {
        this.requests = requests;
    }

    /**
     * What is read where one document must not fail an answer about many; nothing, and a line in the log, once, when
     * the document can't be read.
     *
     * @throws ProviderException retryable when the store can't be reached
     */
    static <T> Optional<T> passOver(DeletionDocument.Name name, Supplier<T> read) {
        try {
            return Optional.of(read.get());
        } catch (ProviderException e) {
            if (e.retryable()) {
                throw e;
            }
            // One of a newer release is told of and counted by the operation.
            if (!(e.getCause() instanceof NewerDocumentException)) {
                RuntimeException why = e.getCause() instanceof MalformedDocumentException cause ? cause : e;
                MALFORMED.log(name.home(), DocumentIds.deletion(name.uuid()), "", MESSAGE, why);
            }
            return Optional.empty();
        }
    }

    /** The same for a document that was found by a search. */
    static void passOver(ObjectNode row, MalformedDocumentException why) {
        if (why instanceof NewerDocumentException) {
            OperationCost.newerMet(String.valueOf(why.getMessage()));
        } else {
            MALFORMED.log(row, MESSAGE, why);
        }
    }

    /** The failure of what is about a member alone. */
    static ProviderException refusal(Call call, MalformedDocumentException why) {
        return why instanceof NewerDocumentException
                ? Failures.corrupt(call, why)
                : Failures.corrupt(call, why, REMEDY);
    }

    /**
     * Gives a deletion up if its document is malformed, for a member is deleted by force: replaces the document by that
     * of an aborted one. Its other members are instances like any others then. Had it been committed, and carried out
     * in part, they would stay.
     *
     * @throws ProviderException retryable when the store can't be reached, or the outcome is unknown
     */
    void giveUp(Call call, DeletionDocument.Name name) {
        Optional<ObjectNode> row = requests.read(call, name.home(), DocumentIds.deletion(name.uuid()))
                .filter(UnreadableDeletions::isMalformed);
        if (row.isEmpty()) {
            return;
        }
        BatchWrite aborted =
                new BatchWrite.Replace(DeletionDocument.forgotten(name).toJson(), DocumentJson.etag(row.get()));
        WriteOutcome outcome = requests.batchPatiently(call, name.home(), List.of(aborted));
        if (outcome.isCommitted()) {
            LOG.atWarn()
                    .addKeyValue("instance", name.home())
                    .addKeyValue("deletion", name.uuid())
                    .log("a deletion that can't be read is given up, since a member is deleted by force");
        } else if (outcome.isAmbiguous() || !outcome.needsReread()) {
            throw Failures.of(call, outcome);
        }
    }

    /** Who reads it next says what is wrong with it. */
    private static boolean isMalformed(ObjectNode row) {
        try {
            DeletionDocument.fromJson(row);
            return false;
        } catch (MalformedDocumentException e) {
            return !(e instanceof NewerDocumentException);
        }
    }
}
