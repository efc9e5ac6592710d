package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Busy;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.ChildrenOutside;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Deleted;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Moved;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Running;
import io.sluice.provider.cosmos.document.DeletionDocument;
import io.sluice.provider.cosmos.document.DeletionDocument.State;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.SqlQuery;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of one deletion, by the rules of the protocol model of deletion: look, create the document open, lock every member, wait for the relay, settle
 * what would start children, look for children again, commit, carry out. Used once.
 */
final class DeletionAttempt {
    private static final Logger LOG = LoggerFactory.getLogger(DeletionAttempt.class);
    /** From the open document to its decision, the wait for the relay not counted. */
    private static final Duration TO_DECIDE = Duration.ofSeconds(30);

    private static final Duration TO_TIDY_UP = Duration.ofSeconds(10);

    private static final String SUCCESSOR =
            "SELECT c.id FROM c WHERE c.type = 'orch_queue'" + " AND STARTSWITH(c.workItem, '{\"ContinueAsNew\"')";

    private final DeletionParts parts;
    private final Call call;
    private final Predicate<String> forced;
    private final Map<String, Optional<Stored<InstanceDocument>>> heads = new LinkedHashMap<>();
    private final Map<String, InstanceDocument> locked = new LinkedHashMap<>();
    private final Set<String> created = new HashSet<>();
    private DeleteInstanceResult result = DeleteInstanceResult.NOTHING;

    DeletionAttempt(DeletionParts parts, Call call, Predicate<String> forced) {
        this.parts = parts;
        this.call = call;
        this.forced = forced;
    }

    /** Removes exactly these; what has children outside is refused before anything is written. */
    DeletionOutcome run(List<String> instances) {
        @Nullable DeletionOutcome refused = look(instances);
        List<String> children = refused == null ? parts.offspring().started(call, heads.keySet()) : List.of();
        return children.isEmpty() ? removed(refused) : new ChildrenOutside(children, List.of());
    }

    /** The same for a tree that was found just now: others are looked for only when no member can move any more. */
    DeletionOutcome runOnTree(List<String> tree) {
        return removed(look(tree));
    }

    private DeletionOutcome removed(@Nullable DeletionOutcome refusedAtOnce) {
        @Nullable DeletionOutcome refused = refusedAtOnce;
        if (refused != null) {
            return refused;
        }
        if (heads.isEmpty()) {
            return new Deleted(DeleteInstanceResult.NOTHING);
        }
        List<String> members = leafFirst();
        Stored<DeletionDocument> open = parts.records().create(call, open(members));
        Stored<DeletionDocument> decided;
        try {
            refused = prepare(open.document());
            decided = parts.records().decide(call, open, refused == null ? State.COMMITTED : State.ABORTED);
        } catch (ProviderException e) {
            decided = afterFailure(open, e);
        }
        if (decided.document().state() == State.ABORTED) {
            tidyUp(decided);
            return refused == null ? new Moved() : refused;
        }
        parts.removal().removeAll(call, decided.document());
        return new Deleted(result);
    }

    private DeletionDocument open(List<String> members) {
        long deadline = parts.clock().millis()
                + TO_DECIDE.plus(parts.gate().longestWait()).toMillis();
        return new DeletionDocument(
                UUID.randomUUID().toString(),
                members.get(members.size() - 1),
                State.OPEN,
                members,
                deadline,
                parts.gate().isRelayExpected());
    }

    /** Before anything is written: what there is, and whether it may be deleted. Null: it may. */
    private @Nullable DeletionOutcome look(List<String> instances) {
        List<String> running = new ArrayList<>();
        Set<String> members = new LinkedHashSet<>(instances);
        Map<String, Stored<InstanceDocument>> stored = parts.locks().readAll(call, members);
        for (String member : members) {
            Optional<Stored<InstanceDocument>> head = atRest(member, Optional.ofNullable(stored.get(member)));
            if (head.isPresent()) {
                Meeting met = parts.meetings()
                        .meet(call, member, head.get().document().lockToken());
                if (met == Meeting.BUSY) {
                    return new Busy(member);
                }
                head = met == Meeting.GONE ? atRest(member) : head;
            }
            if (head.isPresent() && !forced.test(member) && isRunning(head.get().document())) {
                running.add(member);
            }
            if (head.isPresent() || !Census.of(parts.requests(), call, member).isEmpty()) {
                heads.put(member, head);
            }
        }
        return running.isEmpty() ? null : new Running(running);
    }

    /** The head, after a turn of several batches that was under way there. */
    private Optional<Stored<InstanceDocument>> atRest(String member) {
        return atRest(member, parts.locks().read(call, member));
    }

    private Optional<Stored<InstanceDocument>> atRest(String member, Optional<Stored<InstanceDocument>> head) {
        boolean staged =
                head.filter(found -> found.document().isLockedFar() && !Deletions.isHeldByOne(found.document()))
                                .isPresent()
                        && parts.finisher().finishIfAny(call, member);
        return staged ? parts.locks().read(call, member) : head;
    }

    /** Between two executions an instance is alive too: what starts the next one is on its way. */
    private boolean isRunning(InstanceDocument head) {
        return switch (head.status()) {
            case InstanceDocument.RUNNING ->
                head.isSurelyAcked()
                        || Census.of(parts.requests(), call, head.instanceId()).isAcked(head);
            case InstanceDocument.CONTINUED_AS_NEW ->
                !parts.requests()
                        .query(call, head.instanceId(), SqlQuery.of(SUCCESSOR))
                        .rows()
                        .isEmpty();
            default -> false;
        };
    }

    /** Children before their parents; the last is a root. */
    private List<String> leafFirst() {
        Map<String, Integer> depths = new HashMap<>();
        heads.keySet().forEach(member -> depths.put(member, depth(member)));
        List<String> members = new ArrayList<>(heads.keySet());
        members.sort(Comparator.comparing((String member) -> depths.getOrDefault(member, 0))
                .reversed());
        return members;
    }

    private int depth(String member) {
        int depth = 0;
        @Nullable String parent = parent(member);
        // The bound ends a circle, which only a hand could have drawn.
        while (parent != null && heads.containsKey(parent) && depth < heads.size()) {
            depth++;
            parent = parent(parent);
        }
        return depth;
    }

    private @Nullable String parent(String member) {
        return heads.getOrDefault(member, Optional.empty())
                .map(head -> head.document().parentInstanceId())
                .orElse(null);
    }

    /** Everything that may be in the way is looked at again, now that no member can move. Null: commit. */
    private @Nullable DeletionOutcome prepare(DeletionDocument deletion) {
        for (String member : deletion.members()) {
            @Nullable DeletionOutcome refused = lock(deletion.token(), member);
            if (refused != null) {
                return refused;
            }
        }
        // First the relay, which may be away, as no member's history grows any more; what is settled can't be taken
        // back.
        parts.gate().await(call, deletion.members());
        return childrenOutside(deletion);
    }

    private @Nullable DeletionOutcome lock(String token, String member) {
        Optional<Stored<InstanceDocument>> known = heads.getOrDefault(member, Optional.empty());
        Optional<Stored<InstanceDocument>> head = known;
        while (!parts.locks().lock(call, token, member, head.orElse(null))) {
            head = atRest(member);
            if (head.isPresent() && head.get().document().bears(token)) {
                break;
            }
            @Nullable
            DeletionOutcome refused = head.isEmpty()
                    ? (known.isPresent() ? new Moved() : null)
                    : refusal(head.get().document());
            if (refused == null && call.deadline().isOver()) {
                refused = new Busy(member);
            }
            if (refused != null) {
                return refused;
            }
        }
        if (head.isEmpty()) {
            created.add(member);
        }
        locked.put(member, head.map(Stored::document).orElseGet(() -> InstanceDocument.skeleton(member, "", "", 0)));
        return null;
    }

    /** Why this version can't be locked; null when it can. */
    private @Nullable DeletionOutcome refusal(InstanceDocument head) {
        return switch (parts.meetings().meet(call, head.instanceId(), head.lockToken())) {
            case GONE -> new Moved();
            case BUSY -> new Busy(head.instanceId());
            case FREE ->
                !forced.test(head.instanceId()) && isRunning(head) ? new Running(List.of(head.instanceId())) : null;
        };
    }

    /**
     * Children can still come from undelivered intents, from messages, and from first turns, in this order: asked for in the same order, none slips through.
     */
    private @Nullable DeletionOutcome childrenOutside(DeletionDocument deletion) {
        Set<String> members = Set.copyOf(deletion.members());
        Set<String> starting = new LinkedHashSet<>();
        for (Map.Entry<String, InstanceDocument> member : locked.entrySet()) {
            Census census = Census.of(parts.requests(), call, member.getKey());
            result = result.plus(census.removing(member.getValue()));
            if (census.hasIntents()) {
                starting.addAll(settle(member.getKey(), members));
            }
            if (census.mayStartChildren()) {
                starting.addAll(parts.offspring().starting(call, member.getKey(), members));
            }
        }
        List<String> started = parts.offspring().started(call, members);
        starting.removeAll(started);
        return started.isEmpty() && starting.isEmpty() ? null : new ChildrenOutside(started, List.copyOf(starting));
    }

    /**
     * Forbids what would bring a member or a child of one into being once they are gone. Should the deletion be given up after this, the relay finds the refusal
     * and tells the parent that its child could not be started; of anything else it makes a dead letter, which can be retried.
     *
     * @return children that were started already
     */
    private List<String> settle(String member, Set<String> members) {
        List<String> delivered = new ArrayList<>();
        for (Intent intent : parts.outbox().undelivered(member)) {
            if (!Kinship.concerns(members, intent.targetInstance(), intent.payload())) {
                continue;
            }
            DeliveryOutcome outcome = parts.outbox().refuse(intent, "instance '" + member + "' is being deleted");
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

    /** After a failure: gives up, unless it turns out that the commit had gone through. What can't be undone now is undone by whoever meets it. */
    private Stored<DeletionDocument> afterFailure(Stored<DeletionDocument> open, ProviderException why) {
        Stored<DeletionDocument> decided;
        try {
            decided = parts.records().decide(call.within(TO_TIDY_UP), open, State.ABORTED);
        } catch (ProviderException e) {
            why.addSuppressed(e);
            throw why;
        }
        if (decided.document().state() == State.ABORTED) {
            tidyUp(decided);
            throw why;
        }
        return decided;
    }

    private void tidyUp(Stored<DeletionDocument> aborted) {
        Call tidying = call.within(TO_TIDY_UP);
        String token = aborted.document().token();
        try {
            for (String member : aborted.document().members()) {
                parts.locks().unlock(tidying, token, member, created.contains(member));
            }
            if (!aborted.etag().isEmpty()) {
                parts.records().remove(tidying, aborted);
            }
        } catch (ProviderException e) {
            LOG.atInfo()
                    .addKeyValue("deletion", aborted.document().uuid())
                    .setCause(e)
                    .log("a deletion that was given up is left for whoever meets it");
        }
    }
}
