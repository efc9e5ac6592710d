package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Tells of documents that can't be read: each version once, as far as remembered, for every read of its partition meets
 * it again. Thread-safe.
 */
public final class MalformedLog {
    private static final int MOST = 10_000;

    private final Logger log;
    private final Set<String> told =
            Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<String, Boolean>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > MOST;
                }
            }));

    /** Writes to this log. */
    public MalformedLog(Logger log) {
        this.log = log;
    }

    /**
     * A document that was met.
     *
     * @return whether it is told of for the first time
     */
    public boolean log(JsonNode document, String message, RuntimeException why) {
        String version = document.path(Fields.ETAG).asText();
        return log(
                document.path(Fields.INSTANCE_ID).asText(),
                document.path(Fields.ID).asText(),
                version,
                message,
                why);
    }

    /**
     * A document that was met.
     *
     * @param version empty where none is known
     * @return whether it is told of for the first time
     */
    public boolean log(String instance, String id, String version, String message, RuntimeException why) {
        boolean isNew = told.add(instance + " " + id + " " + version);
        if (isNew) {
            log.atError()
                    .addKeyValue("instance", instance)
                    .addKeyValue("document", id)
                    .addKeyValue("reason", why.getMessage())
                    .log(message);
        }
        return isNew;
    }
}
