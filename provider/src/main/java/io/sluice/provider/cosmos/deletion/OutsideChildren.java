package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.ChildrenOutside;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Deleted;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for children of locked members that are not members themselves. A child passes through an undelivered intent, a
 * message, and a first turn, in this order; the search goes in the same order, so it misses none. Thread-safe.
 */
final class OutsideChildren {
    private final ContainerRequests requests;
    private final ChildSearch search;
    private final IntentOutbox outbox;

    OutsideChildren(ContainerRequests requests, ChildSearch search, IntentOutbox outbox) {
        this.requests = requests;
        this.search = search;
        this.outbox = outbox;
    }

    /** Children that have had a turn and are not members. */
    List<String> started(DeletionTargets targets) {
        return search.started(targets.call(), targets.members());
    }

    /**
     * Refuses the intents that would create a member or a child of one, and looks for children.
     *
     * @return the counts of the result, or the children that are not members
     */
    DeletionOutcome settle(DeletionTargets targets, List<String> memberIds) {
        Call call = targets.call();
        Set<String> members = Set.copyOf(memberIds);
        Set<String> starting = new LinkedHashSet<>();
        DeleteInstanceResult result = DeleteInstanceResult.NOTHING;
        for (Map.Entry<String, InstanceDocument> member : targets.locked().entrySet()) {
            PartitionContents contents = PartitionContents.of(requests, call, member.getKey());
            result = result.plus(contents.removing(member.getValue()));
            if (contents.hasIntents()) {
                starting.addAll(refuseIntents(call, member.getKey(), members));
            }
            if (contents.mayStartChildren()) {
                starting.addAll(search.starting(call, member.getKey(), members));
            }
        }
        List<String> started = search.started(call, members);
        starting.removeAll(started);
        return started.isEmpty() && starting.isEmpty()
                ? new Deleted(result)
                : new ChildrenOutside(started, List.copyOf(starting));
    }

    /**
     * Refuses the intents that would create a member or a child of one after the removal. If the deletion is aborted
     * after this, the relay finds the refusal: it reports to the parent that its child could not be started, and makes
     * any other intent a dead letter, which can be retried.
     *
     * @return targets that the intents were delivered to before
     */
    private List<String> refuseIntents(Call call, String member, Set<String> members) {
        List<String> delivered = new ArrayList<>();
        for (Intent intent : outbox.undelivered(member)) {
            if (!ChildIntents.concerns(members, intent.targetInstance(), intent.payload())) {
                continue;
            }
            DeliveryOutcome outcome = outbox.refuse(intent, "instance '" + member + "' is being deleted");
            if (outcome instanceof DeliveryOutcome.Delivered && !members.contains(intent.targetInstance())) {
                delivered.add(intent.targetInstance());
            }
            if (outcome instanceof DeliveryOutcome.Transient passing) {
                throw ProviderException.retryable(
                        call.operation(),
                        call.operation() + " on " + call.subject() + " failed, an undelivered intent of '" + member
                                + "' could not be settled: " + passing.error(),
                        null);
            }
        }
        return delivered;
    }
}
