package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionState;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.search.OldestRows;
import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.NewerDocumentException;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.OperationCost;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.slf4j.LoggerFactory;

/**
 * Instances as admin sees them: from their first ack on. The document a fetch creates to hold its lock is there
 * earlier; its fields distinguish it from an acked one, and where they leave doubt the history does.
 */
final class Heads {
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Heads.class));
    private static final String HISTORY_OF = "SELECT DISTINCT c.instanceId FROM c WHERE c.type = 'history'";
    private static final String ANY_EVENT = "SELECT TOP 1 c.id FROM c WHERE c.type = 'history'";
    private static final Comparator<InstanceDocument> NEWEST_FIRST = Comparator.comparingLong(
                    InstanceDocument::createdAt)
            .reversed()
            .thenComparing(InstanceDocument::instanceId);

    private final ContainerRequests requests;
    private final Deletions deletions;
    private final TurnFinisher finisher;

    Heads(ContainerRequests requests, Deletions deletions, TurnFinisher finisher) {
        this.requests = requests;
        this.deletions = deletions;
        this.finisher = finisher;
    }

    /**
     * The head of an instance that was acked, at rest: a turn or a deletion of several batches that is under way there
     * is finished first.
     */
    Optional<Stored<InstanceDocument>> find(Call call, String instanceId) {
        return find(call, instanceId, head -> deletions.help(call, head));
    }

    private Optional<Stored<InstanceDocument>> find(
            Call call, String instanceId, Function<InstanceDocument, DeletionState> deletion) {
        Optional<Stored<InstanceDocument>> head = read(call, instanceId);
        boolean staged =
                head.filter(found -> found.document().isLockedFar() && !Deletions.isHeldByOne(found.document()))
                                .isPresent()
                        && finisher.finishIfAny(call, instanceId);
        Optional<Stored<InstanceDocument>> now = staged ? read(call, instanceId) : head;
        return now.filter(found -> deletion.apply(found.document()) != DeletionState.REMOVED)
                .filter(found -> found.document().isSurelyAcked()
                        || (isDoubtful(found.document()) && findHistory(call, instanceId)));
    }

    private Optional<Stored<InstanceDocument>> read(Call call, String instanceId) {
        return requests.read(call, instanceId, DocumentIds.instance(instanceId)).map(row -> parse(call, row));
    }

    /**
     * The head of an instance that was acked.
     *
     * @throws ProviderException permanent when there is none
     */
    Stored<InstanceDocument> require(Call call, String instanceId) {
        return find(call, instanceId).orElseThrow(() -> notFound(call, instanceId));
    }

    /** The same for a deletion by force: also an instance that a deletion holds which nobody can read. */
    Stored<InstanceDocument> requireByForce(Call call, String instanceId) {
        return find(call, instanceId, head -> deletions.helpIfReadable(call, head))
                .orElseThrow(() -> notFound(call, instanceId));
    }

    private static ProviderException notFound(Call call, String instanceId) {
        return ProviderException.permanent(
                call.operation(), "instance '" + instanceId + "' not found; list the instances to see its id");
    }

    /** All acked instances, newest first. Their outputs and custom statuses are not read. */
    List<InstanceDocument> all(Call call) {
        return acked(call, SqlQuery.of(InstanceDocument.ALL_WITHOUT_TEXTS));
    }

    /** Acked instances whose current execution has the status, newest first. */
    List<InstanceDocument> withStatus(Call call, String status) {
        return acked(
                call,
                SqlQuery.of(InstanceDocument.ALL_WITHOUT_TEXTS + " AND c.status = @status")
                        .with("@status", status));
    }

    /**
     * Acked instances among the oldest ones.
     *
     * @param oldest in any order
     * @param all whether there are no others
     * @param upTo creation time of the youngest that is certain to be here; others of that very moment may be missing
     */
    record Page(List<InstanceDocument> oldest, boolean all, long upTo) {}

    /**
     * Acked instances that a query finds, the oldest ones by one request to each partition.
     *
     * @param limit instances wanted; some more or some fewer may come
     * @param query makes the query for so many of one partition, in the order of their creation
     */
    Page oldest(Call call, int limit, IntFunction<SqlQuery> query) {
        List<InstanceDocument> oldest = new ArrayList<>();
        long upTo = Long.MAX_VALUE;
        for (OldestRows.OfRange answer : OldestRows.read(requests, call, limit, query)) {
            if (answer.isCut()) {
                LongStream created = answer.rows().stream()
                        .mapToLong(row -> row.path(Fields.CREATED_AT).asLong());
                upTo = Math.min(
                        upTo, OldestRows.shownUntil(created, answer.most()).orElse(upTo));
            }
            oldest.addAll(parse(answer.rows()));
        }
        long certain = upTo;
        oldest.removeIf(head -> head.createdAt() > certain);
        return new Page(onlyAcked(call, oldest), upTo == Long.MAX_VALUE, upTo);
    }

    /** Acked instances with one of these parents, newest first. */
    List<InstanceDocument> childrenOf(Call call, List<String> parents) {
        List<InstanceDocument> children = new ArrayList<>();
        for (List<String> some : QueryBytes.portions(parents)) {
            children.addAll(few(call, "c.parentInstanceId", some));
        }
        children.sort(NEWEST_FIRST);
        return children;
    }

    /** The acked ones among these instances, newest first. */
    List<InstanceDocument> among(Call call, List<String> instances) {
        List<InstanceDocument> found = new ArrayList<>();
        for (List<String> some : QueryBytes.portions(List.copyOf(Set.copyOf(instances)))) {
            found.addAll(few(call, "c.instanceId", some));
        }
        found.sort(NEWEST_FIRST);
        return found;
    }

    /** Instance documents of running first executions that were never acked. */
    long neverAcked(Call call) {
        List<InstanceDocument> unacked = parse(requests.queryAllPartitions(
                call,
                SqlQuery.of(InstanceDocument.ALL_WITHOUT_TEXTS
                        + " AND c.status = 'Running' AND c.currentExecutionId = 1"
                        + " AND (IS_STRING(c.lockToken) OR c.orchestrationName = '')")));
        return (long) unacked.size() - withHistory(call, doubtful(unacked)).size();
    }

    /** The instances of these rows, acked or not, in their order, without those of a committed deletion. */
    List<InstanceDocument> present(Call call, List<ObjectNode> rows) {
        List<InstanceDocument> heads = parse(rows);
        heads.removeIf(deletions.committed(call)::checkGone);
        return heads;
    }

    private List<InstanceDocument> few(Call call, String path, List<String> values) {
        SqlQuery query = SqlQuery.of(InstanceDocument.ALL_WITHOUT_TEXTS).andOneOf(path, values);
        return onlyAcked(call, parse(requests.queryAllRanges(call, query)));
    }

    private List<InstanceDocument> acked(Call call, SqlQuery query) {
        List<InstanceDocument> acked = onlyAcked(call, parse(requests.queryAllPartitions(call, query)));
        acked.sort(NEWEST_FIRST);
        return acked;
    }

    private List<InstanceDocument> onlyAcked(Call call, List<InstanceDocument> heads) {
        heads.removeIf(head -> deletions.helpIfReadable(call, head) == DeletionState.REMOVED);
        Set<String> acked = withHistory(call, doubtful(heads));
        heads.removeIf(head -> !head.isSurelyAcked() && !acked.contains(head.instanceId()));
        return heads;
    }

    /** Those of which only the history says whether they were acked. */
    private static List<InstanceDocument> doubtful(List<InstanceDocument> heads) {
        return heads.stream().filter(Heads::isDoubtful).toList();
    }

    /** One that waits for its first fetch was surely not acked. */
    private static boolean isDoubtful(InstanceDocument head) {
        return !head.isSurelyAcked() && !head.isUntouched();
    }

    private boolean findHistory(Call call, String instanceId) {
        return !requests.query(call, instanceId, SqlQuery.of(ANY_EVENT)).rows().isEmpty();
    }

    private Set<String> withHistory(Call call, List<InstanceDocument> heads) {
        Set<String> acked = new HashSet<>();
        List<String> ids = heads.stream().map(InstanceDocument::instanceId).toList();
        for (List<String> some : QueryBytes.portions(ids)) {
            requests.queryAllPartitions(call, SqlQuery.of(HISTORY_OF).andOneOf("c.instanceId", some))
                    .forEach(row -> acked.add(row.path("instanceId").asText()));
        }
        return acked;
    }

    private static List<InstanceDocument> parse(List<ObjectNode> rows) {
        List<InstanceDocument> heads = new ArrayList<>(rows.size());
        for (ObjectNode row : rows) {
            try {
                heads.add(InstanceDocument.fromJson(row));
            } catch (NewerDocumentException e) {
                OperationCost.newerMet(String.valueOf(e.getMessage()));
            } catch (MalformedDocumentException e) {
                MALFORMED.log(row, "a malformed instance is left out of lists and of what works on many", e);
            }
        }
        return heads;
    }

    private static Stored<InstanceDocument> parse(Call call, ObjectNode row) {
        try {
            return new Stored<>(InstanceDocument.fromJson(row), DocumentJson.etag(row));
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }
}
