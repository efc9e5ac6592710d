package io.sluice.provider.cosmos.turn.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.staged.Unfinished;
import io.sluice.provider.cosmos.staged.WholeReads;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.QueryResult;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads partitions. The queries are scoped to one partition and free of ORDER BY and TOP, so the SDK asks once for the
 * plan of each, and keeps it.
 */
public final class PartitionReader {
    private static final String WITHOUT_QUEUES =
            "SELECT * FROM c WHERE c.type IN ('instance', 'kv', 'kv_delta') OR " + Unfinished.CONDITION;
    private static final String STATE = WITHOUT_QUEUES
            + " OR (c.type = 'outbox_intent' AND c.status IN ('pending', 'queued')) OR (c.type = 'orch_queue' AND ";
    private static final String WITH_VISIBLE_MESSAGES =
            STATE + "c.visibleAt <= @now AND " + ReadyMessages.UNLOCKED + ")";
    private static final String WITH_TAGGED_MESSAGES = STATE + "c.lockToken = @token)";
    private static final String ARRIVED = "SELECT * FROM c WHERE c.type = 'instance' OR " + Unfinished.CONDITION
            + " OR (c.type = 'orch_queue' AND c.visibleAt <= @now AND " + ReadyMessages.UNLOCKED + ")";
    /** Of what waits to be delivered all but its payload, which no turn needs. */
    private static final String INTENTS = "SELECT c.id, c.type, c.instanceId, c.idempotencyKey, c.targetInstanceId,"
            + " c.targetDocumentType, c.status, c.createdAt, c._etag, LEFT(c.payload, 0) AS payload FROM c"
            + " WHERE c.type = 'outbox_intent' AND c.status IN ('pending', 'queued')";

    private static final String BY_ID = "SELECT * FROM c WHERE c.id IN (@ids)";
    private static final String BY_TOKEN = "SELECT * FROM c WHERE c.type = 'instance' AND c.lockToken = @token";

    private static final String STARTS = "SELECT * FROM c WHERE c.type = 'orch_queue' AND " + Messages.IS_START;
    private static final String START = "SELECT c.id FROM c WHERE c.type = 'orch_queue' AND " + Messages.IS_START;

    private final ContainerRequests requests;
    private final QueueRows queue;
    private final WholeReads whole;

    PartitionReader(ContainerRequests requests, QueueRows queue, WholeReads whole) {
        this.requests = requests;
        this.queue = queue;
        this.whole = whole;
    }

    /** The partition with the messages that may be taken now, as many as a turn takes. */
    public PartitionState visible(Call call, String instanceId, long nowMillis) {
        return visible(call, instanceId, WITH_VISIBLE_MESSAGES, nowMillis);
    }

    /** The head, the messages that may be taken now and unfinished turns; without key values and intents. */
    public PartitionState arrived(Call call, String instanceId, long nowMillis) {
        return visible(call, instanceId, ARRIVED, nowMillis);
    }

    /** The partition with the messages that bear the token. */
    public PartitionState tagged(Call call, String instanceId, String token) {
        SqlQuery query = SqlQuery.of(WITH_TAGGED_MESSAGES).with("@token", token);
        QueryResult result = requests.query(call, instanceId, query);
        return result.isOfOneMoment()
                ? parsed(call, result.rows())
                : sinceHead(
                        call,
                        instanceId,
                        () -> requests.query(call.again(), instanceId, query).rows());
    }

    private PartitionState visible(Call call, String instanceId, String sql, long nowMillis) {
        SqlQuery query = SqlQuery.of(sql).with("@now", nowMillis);
        QueryResult result = ofTurn(call, instanceId, query);
        if (result.isOfOneMoment()) {
            return parsed(call, result.rows()).at(result.sessionToken());
        }
        return sinceHead(call, instanceId, () -> {
            QueryResult again = result.isCut() ? result : ofTurn(call.again(), instanceId, query);
            return again.isCut() ? withOldest(call, instanceId, nowMillis) : again.rows();
        });
    }

    private QueryResult ofTurn(Call call, String instanceId, SqlQuery query) {
        return requests.query(
                call, instanceId, query, ReadyMessages.MOST_ROWS_READ, ReadyMessages.MOST_CHARACTERS_OF_TURN);
    }

    /**
     * Pages are read one after the other. With the head's version read before all of them, the lock's If-Match proves
     * that none is stale.
     */
    private PartitionState sinceHead(Call call, String instanceId, Supplier<List<ObjectNode>> rows) {
        Optional<Stored<InstanceDocument>> head = lock(call.again(), instanceId);
        PartitionState state = parsed(call, rows.get());
        return new PartitionState(
                head.orElse(null),
                state.messages(),
                state.keyValues(),
                state.openIntents(),
                state.unfinished(),
                state.fault(),
                "");
    }

    /** The partition, with as many of its messages as a turn takes: memory may have no room for all of them. */
    private List<ObjectNode> withOldest(Call call, String instanceId, long nowMillis) {
        List<ObjectNode> rows = new ArrayList<>();
        rows.addAll(requests.query(call.again(), instanceId, SqlQuery.of(WITHOUT_QUEUES))
                .rows());
        rows.addAll(
                requests.query(call.again(), instanceId, SqlQuery.of(INTENTS)).rows());
        rows.addAll(documents(call.again(), instanceId, ReadyMessages.ofTurn(oldest(call, instanceId, nowMillis))));
        return rows;
    }

    /** The start and the oldest messages; all of them where it can't be told which are the oldest. */
    private List<QueueRows.Row> oldest(Call call, String instanceId, long nowMillis) {
        List<ObjectNode> top = ready(call, instanceId, ReadyMessages.oldestOfTurn(), nowMillis);
        List<QueueRows.Row> oldest = ReadyMessages.surelyOldest(queue.read(top), top.size());
        if (oldest.isEmpty()) {
            return queue.read(ready(call, instanceId, ReadyMessages.all(), nowMillis));
        }
        Map<String, QueueRows.Row> rows = new LinkedHashMap<>();
        oldest.forEach(row -> rows.put(row.document().id(), row));
        queue.read(ready(call, instanceId, ReadyMessages.starts(), nowMillis))
                .forEach(start -> rows.putIfAbsent(start.document().id(), start));
        return List.copyOf(rows.values());
    }

    private List<ObjectNode> ready(Call call, String instanceId, SqlQuery query, long nowMillis) {
        return requests.query(call.again(), instanceId, query.with("@now", nowMillis))
                .rows();
    }

    /**
     * The instance's head alone.
     *
     * @throws ProviderException permanent when it can't be read
     */
    Optional<Stored<InstanceDocument>> instance(Call call, String instanceId) {
        return requests.read(call, instanceId, DocumentIds.instance(instanceId)).map(row -> {
            try {
                return new Stored<>(InstanceDocument.fromJson(row), DocumentJson.etag(row));
            } catch (MalformedDocumentException e) {
                throw Failures.corrupt(call, e);
            }
        });
    }

    /** The instance's head alone, as far as it can be read: whose the lock is, and in which version. */
    public Optional<Stored<InstanceDocument>> lock(Call call, String instanceId) {
        return requests.read(call, instanceId, DocumentIds.instance(instanceId)).map(row -> head(call, row));
    }

    /**
     * Queries for a message that begins an execution, be it visible, put off or tagged. Returns whether there is one.
     */
    public boolean findStart(Call call, String instanceId) {
        return !requests.query(call, instanceId, SqlQuery.of(START)).rows().isEmpty();
    }

    /**
     * The key values alone.
     *
     * @throws ProviderException permanent when one can't be read
     */
    KeyValues keyValues(Call call, String instanceId) {
        return readable(call, whole.rows(call, instanceId, KeyValueReading.ofAll(instanceId)));
    }

    private KeyValues readable(Call call, List<ObjectNode> rows) {
        KeyValues values = parsed(call, rows).keyValues();
        if (values.fault() != null) {
            throw Failures.corrupt(call, new MalformedDocumentException(values.fault()));
        }
        return values;
    }

    /**
     * One key alone: its change in the running execution, and its committed value.
     *
     * @throws ProviderException permanent when one of them can't be read
     */
    KeyValues keyValue(Call call, String instanceId, String key) {
        return readable(call, whole.rows(call, instanceId, KeyValueReading.ofOne(instanceId, key)));
    }

    /** The head of the instance whose lock bears the token, in whatever partition. */
    public Optional<Stored<InstanceDocument>> byToken(Call call, String token) {
        List<ObjectNode> rows =
                requests.queryAllRanges(call, SqlQuery.of(BY_TOKEN).with("@token", token));
        return rows.stream().findFirst().map(row -> head(call, row));
    }

    /**
     * The messages that may be taken now, in FIFO order, and whether that was one moment's answer; if it was not, some
     * may be left out.
     */
    public Arrived messages(Call call, String instanceId, long nowMillis) {
        QueryResult result =
                ofTurn(call, instanceId, SqlQuery.of(ReadyMessages.WHOLE).with("@now", nowMillis));
        List<QueueDocument> messages =
                readable(result.rows()).stream().sorted(QueueDocument.FIFO).toList();
        return new Arrived(messages, result.isOfOneMoment());
    }

    /** The messages that begin executions, whether visible, locked or neither, the oldest first. */
    List<QueueDocument> starts(Call call, String instanceId) {
        return readable(requests.query(call, instanceId, SqlQuery.of(STARTS)).rows()).stream()
                .sorted(QueueDocument.FIFO)
                .toList();
    }

    /** Messages without the rest of their partition. */
    public record Arrived(List<QueueDocument> messages, boolean exhaustive) {}

    /** The messages among the documents, but for malformed ones. */
    public List<QueueDocument> readable(List<ObjectNode> documents) {
        return queue.read(documents).stream().map(QueueRows.Row::document).toList();
    }

    /** The documents with these ids, as far as they exist; of one moment where there are no more than a turn's. */
    public List<ObjectNode> documents(Call call, String instanceId, List<String> ids) {
        List<ObjectNode> documents = new ArrayList<>();
        Call next = call;
        for (List<String> some : QueryBytes.portions(ids)) {
            SqlQuery query = SqlQuery.of(BY_ID).withEach("@ids", some);
            documents.addAll(requests.query(next, instanceId, query).rows());
            next = next.again();
        }
        return documents;
    }

    private PartitionState parsed(Call call, List<ObjectNode> rows) {
        try {
            return PartitionState.of(rows, queue);
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }

    private static Stored<InstanceDocument> head(Call call, ObjectNode row) {
        try {
            return PartitionState.Head.of(row).stored();
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }
}
