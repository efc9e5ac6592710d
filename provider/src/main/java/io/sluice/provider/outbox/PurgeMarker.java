package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.DocumentType;
import io.sluice.provider.cosmos.document.PurgeDocument;
import java.util.Optional;

/**
 * A purge document as the change feed shows it.
 *
 * @param deleted true: the instance is gone, and this is the place for its tombstone; false: a provider waits until everything of this instance that the feed
 *     shows before is published
 */
public record PurgeMarker(String instanceId, String id, boolean deleted) {
    /** The marker in a document of the feed; nothing when it is of another type. */
    public static Optional<PurgeMarker> in(JsonNode feedDocument) {
        if (!DocumentJson.isType(feedDocument, DocumentType.PURGE)) {
            return Optional.empty();
        }
        PurgeDocument document = PurgeDocument.fromJson(feedDocument);
        return Optional.of(new PurgeMarker(document.instanceId(), document.id(), document.deleted()));
    }
}
