package io.sluice.provider.crash;

import io.sluice.provider.InstanceFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.Objects;

/** An instance of two executions is pruned, then deleted with its child: several partitions at once. */
final class RemovalStory implements Story {
    private final String root;
    private final String child;

    RemovalStory(String run) {
        this.root = run + "root";
        this.child = run + "leaf";
    }

    @Override
    public List<String> instances() {
        return List.of(root, child);
    }

    @Override
    public TurnAck decide(LockedTurn locked) {
        var turn = Turn.of(locked);
        if (turn.instance().equals(root) && turn.execution() == 1) {
            turn.add(new EventKind.OrchestrationContinuedAsNew("{}"));
            turn.status("ContinuedAsNew", null);
            turn.send(new WorkItem.ContinueAsNew(root, "Root", "{}", "1.0.0", null, null, null, List.of(), null));
        } else if (turn.instance().equals(root) && turn.isFirst()) {
            turn.send(new WorkItem.StartOrchestration(child, "Leaf", "{}", "1.0.0", root, 1L, 2L, 1));
            complete(turn);
        } else {
            complete(turn);
        }
        return turn.ack();
    }

    private static void complete(Turn turn) {
        turn.add(new EventKind.OrchestrationCompleted("done"));
        turn.status("Completed", "done");
    }

    @Override
    public void play(Actor actor, Contents contents) {
        actor.tell(root, new WorkItem.StartOrchestration(root, "Root", "{}", "1.0.0", null, null, null, 1), contents);
        actor.workUntil(() -> contents.status(child).equals("Completed") && contents.count(root, "outbox_intent") == 0);
        untilDone(actor, "prune", () -> admin(actor).pruneExecutions(root, PruneOptions.ALL_FINISHED));
        untilDone(actor, "delete", () -> {
            if (!admin(actor).listInstances().contains(root)) {
                return;
            }
            admin(actor).deleteInstanceBulk(InstanceFilter.of(List.of(root)));
        });
    }

    /** Whoever died over it is followed by a sweep, and by somebody who asks again. */
    private static void untilDone(Actor actor, String what, Runnable step) {
        if (!actor.ask(what, step)) {
            actor.lapse();
            actor.sweep();
            actor.act(what, step);
        }
    }

    private static ProviderAdmin admin(Actor actor) {
        return Objects.requireNonNull(actor.provider().asManagementCapability()).orElseThrow();
    }
}
