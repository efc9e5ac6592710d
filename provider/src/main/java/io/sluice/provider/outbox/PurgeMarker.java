package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.PurgeDocument;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A purge document as the change feed shows it.
 *
 * @param deleted true: the instance is gone, and this is the place for its tombstone; false: a provider waits until
 *     everything of this instance that the feed shows before is published
 * @param createdAtMillis when the instance was deleted, or the provider began to wait
 */
public record PurgeMarker(String instanceId, String id, boolean deleted, long createdAtMillis) {
    private static final Logger LOG = LoggerFactory.getLogger(PurgeMarker.class);

    /** The marker in a document of the feed; nothing when it is of another type, or malformed, which is logged. */
    public static Optional<PurgeMarker> in(JsonNode feedDocument) {
        if (!DocumentJson.isType(feedDocument, DocumentType.PURGE)) {
            return Optional.empty();
        }
        try {
            PurgeDocument document = PurgeDocument.fromJson(feedDocument);
            return Optional.of(
                    new PurgeMarker(document.instanceId(), document.id(), document.deleted(), document.createdAt()));
        } catch (MalformedDocumentException e) {
            // Nobody of ours wrote it, so nobody waits for its answer.
            LOG.atWarn().setCause(e).log("a purge document is malformed and is left alone; delete it");
            return Optional.empty();
        }
    }

    /** Which life of the instance has ended: unique for ever, and the same however often it is asked. */
    public String lifeId() {
        return id.substring(id.lastIndexOf(':') + 1);
    }
}
