package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.deletion.Meeting;
import io.sluice.provider.cosmos.document.DocumentIds;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.MalformedDocumentException;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.SqlQuery;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Instances as admin sees them: from their first ack on. The document a fetch creates to hold its lock is there earlier; it is told from an acked one by
 * what it says, and where that leaves doubt by the history.
 */
final class Heads {
    private static final String COLUMNS =
            "SELECT c.instanceId, c.orchestrationName, c.orchestrationVersion, c.currentExecutionId, c.status,"
                    + " c.parentInstanceId, c.lockToken, c.lockedUntil, c.createdAt, c.updatedAt, c._etag"
                    + " FROM c WHERE c.type = 'instance'";
    private static final String HISTORY_OF = "SELECT DISTINCT c.instanceId FROM c WHERE c.type = 'history'";
    private static final String ANY_EVENT = "SELECT TOP 1 c.id FROM c WHERE c.type = 'history'";
    /** Ids asked for in one query; they may be long, and a query's text and parameters may take 512 KB. */
    private static final int IDS_PER_QUERY = 200;

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

    /** The head of an instance that was acked, at rest: a turn or a deletion of several batches that is under way there is finished first. */
    Optional<Stored<InstanceDocument>> find(Call call, String instanceId) {
        Optional<Stored<InstanceDocument>> head = read(call, instanceId);
        boolean staged =
                head.filter(found -> found.document().isLockedFar() && !Deletions.isHeldByOne(found.document()))
                                .isPresent()
                        && finisher.finishIfAny(call, instanceId);
        return (staged ? read(call, instanceId) : head)
                .filter(found -> !isGone(call, found.document()))
                .filter(found -> found.document().isSurelyAcked() || hasHistory(call, instanceId));
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
        return find(call, instanceId)
                .orElseThrow(() -> ProviderException.permanent(
                        call.operation(), "instance '" + instanceId + "' not found; list the instances to see its id"));
    }

    /** All acked instances, newest first. Their outputs and custom statuses are not read. */
    List<InstanceDocument> all(Call call) {
        return acked(call, SqlQuery.of(COLUMNS));
    }

    /** Acked instances whose current execution has the status, newest first. */
    List<InstanceDocument> withStatus(Call call, String status) {
        return acked(call, SqlQuery.of(COLUMNS + " AND c.status = @status").with("@status", status));
    }

    /** Acked instances with one of these parents, newest first. */
    List<InstanceDocument> childrenOf(Call call, List<String> parents) {
        List<InstanceDocument> children = new ArrayList<>();
        for (List<String> some : slices(parents)) {
            children.addAll(acked(call, SqlQuery.of(COLUMNS).andOneOf("c.parentInstanceId", some)));
        }
        return children;
    }

    /** Those of the instances that were acked, newest first. */
    List<InstanceDocument> among(Call call, List<String> instances) {
        List<InstanceDocument> found = new ArrayList<>();
        for (List<String> some : slices(List.copyOf(Set.copyOf(instances)))) {
            found.addAll(acked(call, SqlQuery.of(COLUMNS).andOneOf("c.instanceId", some)));
        }
        found.sort(NEWEST_FIRST);
        return found;
    }

    /** Instance documents of running first executions that were never acked. */
    long neverAcked(Call call) {
        List<InstanceDocument> doubtful = parse(
                call,
                requests.queryAllPartitions(
                        call,
                        SqlQuery.of(COLUMNS + " AND c.status = 'Running' AND c.currentExecutionId = 1"
                                + " AND (IS_STRING(c.lockToken) OR c.orchestrationName = '')")));
        return (long) doubtful.size() - withHistory(call, doubtful).size();
    }

    private List<InstanceDocument> acked(Call call, SqlQuery query) {
        List<InstanceDocument> heads = parse(call, requests.queryAllPartitions(call, query));
        heads.removeIf(head -> isGone(call, head));
        List<InstanceDocument> doubtful =
                heads.stream().filter(head -> !head.isSurelyAcked()).toList();
        if (!doubtful.isEmpty()) {
            Set<String> acked = withHistory(call, doubtful);
            heads.removeIf(head -> !head.isSurelyAcked() && !acked.contains(head.instanceId()));
        }
        heads.sort(NEWEST_FIRST);
        return heads;
    }

    /** A member of a committed deletion is removed before it is said not to be there. */
    private boolean isGone(Call call, InstanceDocument head) {
        return Deletions.isHeldByOne(head) && deletions.meet(call, head) == Meeting.GONE;
    }

    private boolean hasHistory(Call call, String instanceId) {
        return !requests.query(call, instanceId, SqlQuery.of(ANY_EVENT)).rows().isEmpty();
    }

    private Set<String> withHistory(Call call, List<InstanceDocument> heads) {
        Set<String> acked = new HashSet<>();
        List<String> ids = heads.stream().map(InstanceDocument::instanceId).toList();
        for (List<String> some : slices(ids)) {
            requests.queryAllPartitions(call, SqlQuery.of(HISTORY_OF).andOneOf("c.instanceId", some))
                    .forEach(row -> acked.add(row.path("instanceId").asText()));
        }
        return acked;
    }

    private static List<List<String>> slices(List<String> ids) {
        List<List<String>> slices = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += IDS_PER_QUERY) {
            slices.add(new ArrayList<>(ids.subList(from, Math.min(ids.size(), from + IDS_PER_QUERY))));
        }
        return slices;
    }

    private static List<InstanceDocument> parse(Call call, List<ObjectNode> rows) {
        List<InstanceDocument> heads = new ArrayList<>(rows.size());
        rows.forEach(row -> heads.add(parse(call, row).document()));
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
