package io.sluice.provider.cosmos.turn.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.staged.Unfinished;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.KeyValueDeltaDocument;
import io.sluice.provider.document.KeyValueDocument;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.NewerDocumentException;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.outbox.Intent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * An instance's partition as it stood at one moment, but for its history.
 *
 * @param instance the head with its version; null when the instance is not stored yet
 * @param messages in FIFO order
 * @param openIntents not known to be delivered
 * @param unfinished turns that take several batches
 * @param fault why no turn of it can be run, where its head can't be read; null where it can
 * @param sessionToken how far the replica was, as the service says; empty where it was not one answer
 */
public record PartitionState(
        @Nullable Stored<InstanceDocument> instance,
        List<Stored<QueueDocument>> messages,
        KeyValues keyValues,
        List<Intent> openIntents,
        Unfinished unfinished,
        @Nullable String fault,
        String sessionToken) {
    static PartitionState of(List<ObjectNode> rows, QueueRows queue) {
        @Nullable Stored<InstanceDocument> instance = null;
        @Nullable String fault = null;
        List<Stored<QueueDocument>> messages = new ArrayList<>();
        StoredValues values = new StoredValues();
        List<ObjectNode> intents = new ArrayList<>();
        for (ObjectNode row : rows) {
            if (DocumentJson.isType(row, DocumentType.INSTANCE)) {
                Head head = Head.of(row);
                instance = head.stored();
                fault = head.fault();
            } else if (DocumentJson.isType(row, DocumentType.ORCHESTRATOR_QUEUE)) {
                // A malformed message is skipped and stays; the others of its instance are given out without it,
                // which the log says. Its place in the order may be just what can't be read, and to wait for a repair
                // could stop the instance for ever. Repaired, it comes after those that stood behind it.
                queue.read(row).ifPresent(message -> messages.add(new Stored<>(message, DocumentJson.etag(row))));
            } else if (DocumentJson.isType(row, DocumentType.KEY_VALUE)
                    || DocumentJson.isType(row, DocumentType.KEY_VALUE_DELTA)) {
                values.add(row);
            } else if (DocumentJson.isType(row, DocumentType.OUTBOX_INTENT)) {
                intents.add(row);
            }
        }
        messages.sort((a, b) -> QueueDocument.FIFO.compare(a.document(), b.document()));
        return new PartitionState(
                instance,
                List.copyOf(messages),
                values.read(),
                Intent.fromJson(intents),
                Unfinished.of(rows),
                fault,
                "");
    }

    /**
     * The head of the instance. Where some of it can't be read, a turn is given out with the reason, so that its
     * attempts are counted and the instance fails in the end, by an ack that writes a whole head. Skipped, it would
     * wait for ever, and nobody would hear why.
     *
     * @param fault what can't be read of it, and why; null for nothing
     */
    record Head(Stored<InstanceDocument> stored, @Nullable String fault) {
        private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Head.class));

        /** @throws MalformedDocumentException where what can be read says too little */
        static Head of(ObjectNode row) {
            String etag = DocumentJson.etag(row);
            try {
                return new Head(new Stored<>(InstanceDocument.fromJson(row), etag), null);
            } catch (NewerDocumentException e) {
                throw e;
            } catch (MalformedDocumentException e) {
                var readable = new Stored<>(InstanceDocument.readable(row), etag);
                MALFORMED.log(row, "an instance's head can't be read, so its turns are given out as corrupt", e);
                return new Head(readable, "the head of the instance can't be read: " + e.getMessage());
            }
        }
    }

    /**
     * Collects key values. One that can't be read is told of with the others' rather than in place of all: a turn is
     * given out with the reason, so that its attempts are counted, and no ack writes over the document.
     */
    private static final class StoredValues {
        private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(PartitionState.class));

        private final List<KeyValueDocument> committed = new ArrayList<>();
        private final List<KeyValueDeltaDocument> deltas = new ArrayList<>();
        private @Nullable String fault;

        void add(ObjectNode row) {
            try {
                if (DocumentJson.isType(row, DocumentType.KEY_VALUE)) {
                    committed.add(KeyValueDocument.fromJson(row));
                } else {
                    deltas.add(KeyValueDeltaDocument.fromJson(row));
                }
            } catch (MalformedDocumentException e) {
                MALFORMED.log(row, "a key value can't be read, so turns of its instance are given out as corrupt", e);
                if (fault == null) {
                    fault = "the value of key '" + row.path("key").asText() + "' can't be read: " + e.getMessage();
                }
            }
        }

        KeyValues read() {
            return KeyValues.of(committed, deltas).but(fault);
        }
    }

    /** Whether the instance is stored, in this version. */
    public boolean isAt(String etag) {
        return instance != null && instance.etag().equals(etag);
    }

    /** The same with what was known before, of the same version of the instance. */
    public PartitionState with(KeyValues known, List<Intent> knownIntents) {
        return new PartitionState(instance, messages, known, knownIntents, unfinished, fault, sessionToken);
    }

    /** The same, read in one answer with this token. */
    PartitionState at(String token) {
        return new PartitionState(instance, messages, keyValues, openIntents, unfinished, fault, token);
    }

    /** The messages without their versions. */
    public List<QueueDocument> messageDocuments() {
        return messages.stream().map(Stored::document).toList();
    }
}
