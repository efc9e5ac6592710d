package io.sluice.provider.crash;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.util.List;

/**
 * A parent with an activity of a session, one that is cancelled, a child, key values and an external event: everything
 * a turn of one batch can hold. Every item is abandoned once.
 */
final class OrderStory implements Story {
    /** Served by nobody, so that it waits to be cancelled. */
    private static final String UNSERVED = "gpu";

    private final String order;
    private final String child;
    private final boolean immediateDelivery;

    OrderStory(String run, boolean immediateDelivery) {
        this.order = run + "order";
        this.child = run + "child";
        this.immediateDelivery = immediateDelivery;
    }

    @Override
    public List<String> instances() {
        return List.of(order, child);
    }

    @Override
    public boolean immediateDelivery() {
        return immediateDelivery;
    }

    /** All else happens the same way, whoever delivers. */
    @Override
    public boolean isAtRisk(String step) {
        return immediateDelivery || step.contains("intent") || step.equals("ack a turn");
    }

    @Override
    public boolean abandons(LockedTurn turn) {
        return turn.item().instance().equals(order) && turn.item().history().isEmpty() && turn.attemptCount() == 1;
    }

    @Override
    public TurnAck decide(LockedTurn locked) {
        var turn = Turn.of(locked);
        if (turn.instance().equals(child)) {
            childTurn(turn);
        } else if (turn.isFirst()) {
            begin(turn);
        } else if (turn.has(EventKind.ActivityCompleted.class)
                && turn.has(EventKind.SubOrchestrationCompleted.class)
                && turn.has(EventKind.ExternalEvent.class)) {
            end(turn);
        }
        return turn.ack();
    }

    private void begin(Turn turn) {
        turn.add(new EventKind.KeyValueSet("step", "charged", 1));
        long spare = turn.add(new EventKind.ActivityScheduled("spare", "{}", null, UNSERVED));
        turn.execute(new WorkItem.ActivityExecute(order, 1, spare, "spare", "{}", null, UNSERVED));
        long charge = turn.add(new EventKind.ActivityScheduled("charge", "{}", order + "-cart", null));
        turn.execute(new WorkItem.ActivityExecute(order, 1, charge, "charge", "{}", order + "-cart", null));
        long sub = turn.add(new EventKind.SubOrchestrationScheduled("Child", child, "{}"));
        turn.send(new WorkItem.StartOrchestration(child, "Child", "{}", "1.0.0", order, sub, 1L, 1));
        turn.status("Running", null);
    }

    private void end(Turn turn) {
        turn.add(new EventKind.KeyValueSet("step", "done", 2));
        turn.cancel(turn.idOf(EventKind.ActivityScheduled.class));
        turn.add(new EventKind.OrchestrationCompleted("done"));
        turn.status("Completed", "done");
    }

    private void childTurn(Turn turn) {
        turn.add(new EventKind.OrchestrationCompleted("child"));
        turn.status("Completed", "child");
        turn.send(new WorkItem.SubOrchCompleted(order, 1, turn.parentEvent(), "child"));
    }

    @Override
    public void play(Actor actor, Contents contents) {
        actor.tell(
                order, new WorkItem.StartOrchestration(order, "Order", "{}", "1.0.0", null, null, null, 1), contents);
        actor.workUntil(() -> contents.count(order, "history") > 0);
        actor.tell(order, new WorkItem.ExternalRaised(order, "paid", "{}"), contents);
        actor.workUntil(() -> contents.status(order).equals("Completed")
                && instances().stream().allMatch(instance -> contents.count(instance, "outbox_intent") == 0));
        actor.lapse();
        // One that could not be removed is left to the next time.
        for (int i = 0; i < 2 && contents.count(order, "session") > 0; i++) {
            actor.act("drop sessions", () -> actor.provider().cleanupOrphanedSessions(Actor.LOCK));
        }
    }
}
