package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.ChildrenOutside;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Deleted;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Refused;
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
import java.util.function.Predicate;

/**
 * Searches for children of locked members that are not members themselves. A child passes through an undelivered
 * intent, a message, and a first turn, in this order; the search goes in the same order, so it misses none.
 * Thread-safe.
 */
final class OutsideChildren {
    private final ContainerRequests requests;
    private final ChildSearch search;
    private final IntentOutbox outbox;
    private final MembersAtOnce atOnce;

    OutsideChildren(ContainerRequests requests, ChildSearch search, IntentOutbox outbox, MembersAtOnce atOnce) {
        this.atOnce = atOnce;
        this.requests = requests;
        this.search = search;
        this.outbox = outbox;
    }

    /** Children that have had a turn and are not members. */
    List<String> started(DeletionTargets targets) {
        return search.started(targets.call(), targets.members());
    }

    /**
     * Searches for children, and only where there are none, refuses the intents that would create a member or a child
     * of one, and searches again: what was delivered between is found then.
     *
     * @return the counts of the result, or what is against the deletion
     */
    DeletionOutcome settle(DeletionTargets targets, OpenDeletion deletion) {
        Call call = targets.call();
        Map<String, PartitionContents> contents = atOnce.map(call, deletion.members(), (own, member) -> {
            PartitionContents found = PartitionContents.of(requests, own, member);
            deletion.proceeded();
            return found;
        });
        DeleteInstanceResult result = DeleteInstanceResult.NOTHING;
        List<String> notBegun = new ArrayList<>();
        for (Map.Entry<String, PartitionContents> member : contents.entrySet()) {
            InstanceDocument head = targets.locked(member.getKey());
            result = result.plus(member.getValue().removing(head));
            if (member.getValue().isStartedOnly(head) && !targets.terms().isForced(member.getKey())) {
                notBegun.add(member.getKey());
            }
        }
        if (!notBegun.isEmpty()) {
            return new Refused(notBegun, notBegun);
        }
        ChildrenOutside outside = new Look(call, deletion, contents).find();
        return outside.isEmpty() ? new Deleted(result) : outside;
    }

    /** One attempt's search, and what it is for. */
    private final class Look {
        private final Call call;
        private final OpenDeletion deletion;
        private final Set<String> members;
        private final List<String> parents;
        private final List<String> sources;

        Look(Call call, OpenDeletion deletion, Map<String, PartitionContents> contents) {
            this.call = call;
            this.deletion = deletion;
            this.members = Set.copyOf(deletion.members());
            this.parents = those(contents, PartitionContents::mayStartChildren);
            this.sources = those(contents, PartitionContents::hasIntents);
        }

        ChildrenOutside find() {
            ChildrenOutside outside = search(List.of());
            if (!outside.isEmpty() || sources.isEmpty()) {
                return outside;
            }
            Map<String, List<String>> delivered = atOnce.map(call, sources, (own, source) -> {
                List<String> targets = refuseIntents(own, source, members);
                deletion.proceeded();
                return targets;
            });
            return search(delivered.values().stream().flatMap(List::stream).toList());
        }

        private ChildrenOutside search(List<String> delivered) {
            Set<String> starting = new LinkedHashSet<>(delivered);
            atOnce.map(call, parents, (own, parent) -> {
                        List<String> found = search.starting(own, parent, members);
                        deletion.proceeded();
                        return found;
                    })
                    .values()
                    .forEach(starting::addAll);
            List<String> started = search.started(call.again(), members);
            deletion.proceeded();
            starting.removeAll(started);
            return new ChildrenOutside(started, List.copyOf(starting));
        }
    }

    private static List<String> those(Map<String, PartitionContents> all, Predicate<PartitionContents> which) {
        return all.entrySet().stream()
                .filter(member -> which.test(member.getValue()))
                .map(Map.Entry::getKey)
                .toList();
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
