package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.QueryPage;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Intents that writers of other kinds skip, found page by page however many there are. Thread-safe. */
final class ClaimedIntents {
    private static final String OPERATION = "releaseIntents";
    /** Ids and versions alone: payloads have up to 2 MB. */
    private static final SqlQuery CLAIMED = SqlQuery.of("SELECT c.id, c.instanceId, c._etag FROM c"
            + " WHERE c.type = 'outbox_intent' AND c.status = 'queued' AND IS_STRING(c.instanceId)");

    private static final FieldPatch PENDING = FieldPatch.set(Fields.STATUS, IntentStatus.PENDING.wireName());
    private static final int PAGE_SIZE = 1_000;
    private static final Duration PAGE_PATIENCE = Duration.ofMinutes(1);
    private static final Duration BATCH_PATIENCE = Duration.ofSeconds(10);

    private final ContainerRequests requests;

    ClaimedIntents(ContainerRequests requests) {
        this.requests = requests;
    }

    /** Makes all of them {@code pending}, and queries again until there are none; says how many. */
    int release() {
        int released = 0;
        int more;
        do {
            more = releaseOnce();
            released += more;
        } while (more > 0);
        return released;
    }

    private int releaseOnce() {
        int released = 0;
        @Nullable String next = null;
        do {
            QueryPage page = requests.page(Call.scan(OPERATION, PAGE_PATIENCE), null, CLAIMED, PAGE_SIZE, next);
            released += release(page.rows());
            next = page.next();
        } while (next != null);
        return released;
    }

    private int release(List<ObjectNode> rows) {
        Map<String, List<BatchWrite>> bySource = new LinkedHashMap<>();
        rows.forEach(
                row -> bySource.computeIfAbsent(row.path(Fields.INSTANCE_ID).asText(), source -> new ArrayList<>())
                        .add(new BatchWrite.PatchFields(DocumentJson.id(row), PENDING, DocumentJson.etag(row))));
        int released = 0;
        for (Map.Entry<String, List<BatchWrite>> source : bySource.entrySet()) {
            Call call = Call.onInstance(OPERATION, source.getKey(), BATCH_PATIENCE);
            released += UnchangedIntents.write(requests, call, source.getKey(), source.getValue());
        }
        return released;
    }
}
