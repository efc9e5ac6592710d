package io.sluice.provider.cosmos.staged;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.StagedCommit;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.QueryResult;
import io.sluice.provider.request.SqlQuery;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a partition that show every turn whole or not at all: a turn met half applied is finished first, and a read
 * of several pages begins again when the instance moved meanwhile. Thread-safe.
 */
public final class WholeReads {
    /** Selects what such a read needs besides its own rows. */
    public static final String CONDITION = "(c.type = 'instance' OR " + Unfinished.CONDITION + ")";

    private final ContainerRequests requests;
    private final TurnFinisher finisher;
    private final CommittedDeletions deletions;

    /** The condition that every query of a head adds. */
    @FunctionalInterface
    public interface CommittedDeletions {
        /** Removes the instance if it belongs to a committed deletion. Returns whether it did. */
        boolean removeIfDeleted(Call call, String instanceId, @Nullable String lockToken);
    }

    /** Reads in this container. */
    public WholeReads(ContainerRequests requests, TurnFinisher finisher, CommittedDeletions deletions) {
        this.requests = requests;
        this.finisher = finisher;
        this.deletions = deletions;
    }

    /**
     * Rows of a query within one partition.
     *
     * @param query selects full documents, among them what {@link #CONDITION} selects
     * @throws ProviderException retryable when the instance moves faster than it can be read
     */
    public List<ObjectNode> rows(Call call, String instanceId, SqlQuery query) {
        Backoff backoff = new Backoff();
        do {
            QueryResult result = requests.query(call, instanceId, query);
            Optional<Stored<StagedCommit>> unfinished =
                    Unfinished.of(result.rows()).stored();
            if (unfinished.isPresent()) {
                finisher.finish(call, unfinished.get());
            } else if (!removeIfDeleted(call, instanceId, result.rows())
                    && (result.pages() <= 1 || etag(result.rows()).equals(readEtag(call, instanceId)))) {
                return result.rows();
            }
        } while (backoff.pause(call, null));
        throw ProviderException.retryable(
                call.operation(), "instance '" + instanceId + "' moves faster than it can be read", null);
    }

    /** What was read of an instance that is removed may be what its removal had left just then. */
    private boolean removeIfDeleted(Call call, String instanceId, List<ObjectNode> rows) {
        Optional<ObjectNode> head = head(rows);
        return head.isPresent()
                && deletions.removeIfDeleted(
                        call, instanceId, head.get().path(Fields.LOCK_TOKEN).textValue());
    }

    private Optional<String> readEtag(Call call, String instanceId) {
        // The pages may have taken longer than the call was given for one request.
        return requests.read(call.again(), instanceId, DocumentIds.instance(instanceId))
                .map(DocumentJson::etag);
    }

    private static Optional<String> etag(List<ObjectNode> rows) {
        return head(rows).map(DocumentJson::etag);
    }

    private static Optional<ObjectNode> head(List<ObjectNode> rows) {
        return rows.stream()
                .filter(row -> DocumentJson.isType(row, DocumentType.INSTANCE))
                .findFirst();
    }
}
