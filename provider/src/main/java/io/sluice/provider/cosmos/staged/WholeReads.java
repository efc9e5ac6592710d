package io.sluice.provider.cosmos.staged;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.document.DocumentIds;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.DocumentType;
import io.sluice.provider.cosmos.document.StagedCommit;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.Backoff;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.QueryResult;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.util.List;
import java.util.Optional;

/**
 * Reads of a partition that show every turn whole or not at all: a turn met half applied is finished first, and a read of several pages begins again when
 * the instance moved meanwhile. Thread-safe.
 */
public final class WholeReads {
    /** Selects what such a read needs besides its own rows. */
    public static final String CONDITION = "(c.type = 'instance' OR " + Unfinished.CONDITION + ")";

    private final ContainerRequests requests;
    private final TurnFinisher finisher;

    /** Reads in this container. */
    public WholeReads(ContainerRequests requests, TurnFinisher finisher) {
        this.requests = requests;
        this.finisher = finisher;
    }

    /**
     * Rows of a query within one partition.
     *
     * @param query selects full documents, among them those of {@link #CONDITION}
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
            } else if (result.pages() <= 1 || !hasMoved(call, instanceId, result.rows())) {
                return result.rows();
            }
        } while (backoff.pause(call, null));
        throw ProviderException.retryable(
                call.operation(), "instance '" + instanceId + "' moves faster than it can be read", null);
    }

    private boolean hasMoved(Call call, String instanceId, List<ObjectNode> rows) {
        Optional<String> before = rows.stream()
                .filter(row -> DocumentJson.isType(row, DocumentType.INSTANCE))
                .map(DocumentJson::etag)
                .findFirst();
        Optional<String> after = requests.read(call, instanceId, DocumentIds.instance(instanceId))
                .map(DocumentJson::etag);
        return !before.equals(after);
    }
}
