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
 * Reads of a partition that show every turn whole or not at all: a turn met half applied is finished first, and after a
 * read of several pages what the instance changed meanwhile is read again, and nothing else. Thread-safe.
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
     * What is to be read, by one query where one page answers it. Of more pages, which come one after the other, what
     * the instance did not change meanwhile is kept. For one read; not thread-safe.
     */
    public interface Reading {
        /** The query to send: it selects full documents of what is wanted, and what {@link #CONDITION} selects. */
        SqlQuery next();

        /**
         * Takes what it showed.
         *
         * @param isOfOneMoment whether these are all rows as they were at one moment, no turn being half applied
         */
        Progress take(List<ObjectNode> rows, boolean isOfOneMoment);

        /** The rows as they were at one moment of the read, once it is {@link Progress#DONE}. */
        List<ObjectNode> answer();
    }

    /** How far a reading is. */
    public enum Progress {
        /** The answer is there. */
        DONE,
        /** What is missing is less than before. */
        FURTHER,
        /** What is missing is as much as before. */
        NONE
    }

    /**
     * Rows within one partition.
     *
     * @throws ProviderException retryable when the instance moves faster than it can be read
     */
    public List<ObjectNode> rows(Call call, String instanceId, Reading reading) {
        Backoff backoff = new Backoff();
        Progress progress = step(call, instanceId, reading);
        // The first pages may have taken longer than the call was given for one request.
        Call rest = call.again();
        while (progress != Progress.DONE) {
            if (progress == Progress.NONE && !backoff.pause(rest, null)) {
                throw ProviderException.retryable(
                        call.operation(), "instance '" + instanceId + "' moves faster than it can be read", null);
            }
            progress = step(rest, instanceId, reading);
        }
        return reading.answer();
    }

    private Progress step(Call call, String instanceId, Reading reading) {
        QueryResult result = requests.query(call, instanceId, reading.next());
        // Begun only now: pages of a store that throttles take longer than the patience with one request.
        return take(call.again(), instanceId, result, reading);
    }

    private Progress take(Call call, String instanceId, QueryResult result, Reading reading) {
        Optional<Stored<StagedCommit>> unfinished = Unfinished.of(result.rows()).stored();
        if (unfinished.isPresent()) {
            finisher.finish(call, unfinished.get());
            return result.pages() > 1 ? reading.take(result.rows(), false) : Progress.NONE;
        }
        if (removeIfDeleted(call, instanceId, result.rows())) {
            return Progress.NONE;
        }
        boolean isOfOneMoment = result.pages() <= 1 || etag(result.rows()).equals(readEtag(call, instanceId));
        return reading.take(result.rows(), isOfOneMoment);
    }

    /** What was read of an instance that is removed may be what its removal had left just then. */
    private boolean removeIfDeleted(Call call, String instanceId, List<ObjectNode> rows) {
        Optional<ObjectNode> head = head(rows);
        return head.isPresent()
                && deletions.removeIfDeleted(
                        call, instanceId, head.get().path(Fields.LOCK_TOKEN).textValue());
    }

    private Optional<String> readEtag(Call call, String instanceId) {
        return requests.read(call, instanceId, DocumentIds.instance(instanceId)).map(DocumentJson::etag);
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
