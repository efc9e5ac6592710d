package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.ChildrenOutside;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Deleted;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for children of locked members that are not members themselves. They can still come from undelivered intents,
 * from messages, and from first turns, in this order: asked for in the same order, none is missed. Thread-safe.
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

    /** Children that have had a turn. */
    List<String> started(DeletionTargets targets) {
        return search.started(targets.call(), targets.members());
    }

    /**
     * Refuses the intents that would bring a member or a child of one into being, and looks for children.
     *
     * @return what the removal of all members will count for, or which children are outside
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
     * Forbids what would bring a member or a child of one into being once they are gone. Should the deletion be given
     * up after this, the relay finds the refusal and reports to the parent that its child could not be started; of any
     * other intent it makes a dead letter, which can be retried.
     *
     * @return children that were started already
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
