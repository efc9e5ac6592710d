package io.sluice.accountkit.check.query;

import io.sluice.accountkit.site.Documents;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Documents with the indexed fields of messages that wait. */
final class QueriedDocuments {
    static final int ALL = 100;
    static final int PER_SLOT = 50;

    private static final int SLOTS = ALL / PER_SLOT;
    private static final int BYTES = 500;

    private QueriedDocuments() {}

    /** Writes them to a partition of their own, and returns its key. */
    static String written(Documents documents) {
        String key = "queried-" + UUID.randomUUID();
        List<com.fasterxml.jackson.databind.node.ObjectNode> all = IntStream.range(0, ALL)
                .mapToObj(i -> Documents.sized(key, "message-" + i, BYTES)
                        .put("type", "queried")
                        .put("dispatchSlot", i % SLOTS)
                        .put("visibleAt", i)
                        .put("enqueuedAt", i)
                        .put("sessionId", "session-" + i))
                .toList();
        documents.createAll(all);
        return key;
    }
}
