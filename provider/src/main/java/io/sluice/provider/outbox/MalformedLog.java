package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Tells of documents that can't be read: each version once, as far as remembered, for every look at its partition meets it again. Thread-safe.
 */
final class MalformedLog {
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

    MalformedLog(Logger log) {
        this.log = log;
    }

    void log(JsonNode document, String message, RuntimeException why) {
        String instance = document.path("instanceId").asText();
        String id = document.path("id").asText();
        if (told.add(instance + " " + id + " " + document.path("_etag").asText())) {
            log.atError()
                    .addKeyValue("instance", instance)
                    .addKeyValue("document", id)
                    .addKeyValue("reason", why.getMessage())
                    .log(message);
        }
    }
}
