package io.sluice.emulator.store.item;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** Cosmos DB's system properties ({@code _rid}, {@code _etag}, {@code _ts} …): removes a client's, and sets its own. */
public final class SystemProperties {
    private static final Set<String> NAMES = Set.of("_rid", "_self", "_etag", "_attachments", "_ts", "_lsn");

    private SystemProperties() {}

    /** Whether a property is one of them. */
    public static boolean isOne(String name) {
        return NAMES.contains(name);
    }

    /** Removes what a client sent. */
    public static void removeFrom(ObjectNode document) {
        document.remove(NAMES);
    }

    /** Sets them at the end of the document, as the service does. */
    public static void stamp(ObjectNode document, String rid, String self, StoredItem.Version version) {
        removeFrom(document);
        document.put("_rid", rid)
                .put("_self", self)
                .put("_etag", version.etag())
                .put("_attachments", "attachments/")
                .put("_ts", version.timestampSeconds());
    }
}
