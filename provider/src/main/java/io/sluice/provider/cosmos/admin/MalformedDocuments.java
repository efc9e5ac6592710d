package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.MalformedQueueDocument;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.QueueField;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.QueryPage;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.work.WorkItemJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds documents of the queues that can't be decoded, as those who fetch them would decode them. */
final class MalformedDocuments {
    private static final SqlQuery QUEUES =
            SqlQuery.of("SELECT * FROM c WHERE c.type IN ('orch_queue', 'worker_queue')");
    private static final int PAGE_SIZE = 1_000;

    private final ContainerRequests requests;

    MalformedDocuments(ContainerRequests requests) {
        this.requests = requests;
    }

    List<MalformedQueueDocument> list(Call call, int limit) {
        List<MalformedQueueDocument> found = new ArrayList<>();
        @Nullable String next = null;
        do {
            QueryPage page = requests.page(call.again(), null, QUEUES, PAGE_SIZE, next);
            page.rows().forEach(row -> judged(row).ifPresent(found::add));
            next = page.next();
        } while (next != null && found.size() < limit);
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    private static Optional<MalformedQueueDocument> judged(ObjectNode row) {
        DocumentType type = DocumentJson.isType(row, DocumentType.WORKER_QUEUE)
                ? DocumentType.WORKER_QUEUE
                : DocumentType.ORCHESTRATOR_QUEUE;
        return QueueField.fault(row, type)
                .or(() -> ofLock(row))
                .or(() -> ofWorkItem(row))
                .map(fault -> new MalformedQueueDocument(
                        type.wireName(),
                        row.has(Fields.INSTANCE_ID)
                                ? row.path(Fields.INSTANCE_ID).toString()
                                : "",
                        row.path(Fields.ID).asText(),
                        fault.field(),
                        fault.reason()));
    }

    /** A value of another type counts as later than any moment, so no query finds the document. */
    private static Optional<QueueField.Fault> ofLock(ObjectNode row) {
        var until = row.path(Fields.LOCKED_UNTIL);
        boolean isRead = until.isMissingNode() || until.isNull() || (until.isNumber() && until.canConvertToLong());
        return isRead
                ? Optional.empty()
                : Optional.of(new QueueField.Fault(Fields.LOCKED_UNTIL, "must be a time in milliseconds or null"));
    }

    private static Optional<QueueField.Fault> ofWorkItem(ObjectNode row) {
        var item = row.path(Fields.WORK_ITEM);
        if (!item.isTextual()) {
            return Optional.of(
                    new QueueField.Fault(Fields.WORK_ITEM, "must be a text, was " + DocumentJson.typeOf(item)));
        }
        try {
            WorkItemJson.decode(item.textValue());
            return Optional.empty();
        } catch (DecodingException e) {
            return Optional.of(new QueueField.Fault(Fields.WORK_ITEM, String.valueOf(e.getMessage())));
        }
    }
}
