package io.sluice.provider.crash;

import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.util.List;

/**
 * An instance that is started once whoever dies over it, keeps what is given along from turn to turn, and whose first
 * turn is given back once.
 */
final class StartStory implements Story {
    private static final InstanceExt PENDING = new InstanceExt("{\"status\":\"PENDING\"}");
    private static final InstanceExt RUNNING = new InstanceExt("{\"status\":\"RUNNING\"}");

    private final String order;

    StartStory(String run) {
        this.order = run + "order";
    }

    @Override
    public List<String> instances() {
        return List.of(order);
    }

    @Override
    public boolean abandons(LockedTurn turn) {
        return turn.item().history().isEmpty() && turn.attemptCount() == 1;
    }

    @Override
    public TurnAck decide(LockedTurn locked) {
        var turn = Turn.of(locked);
        if (turn.isFirst()) {
            turn.status("Running", null);
            return ackWith(turn, PENDING.equals(locked.ext()) ? RUNNING : new InstanceExt("{\"lost\":true}"));
        }
        if (turn.has(EventKind.ExternalEvent.class)) {
            turn.add(new EventKind.OrchestrationCompleted("done"));
            turn.status("Completed", "done");
        }
        return turn.ack();
    }

    private static TurnAck ackWith(Turn turn, InstanceExt ext) {
        TurnAck ack = turn.ack();
        return ack.withMetadata(ack.metadata().withExt(ext));
    }

    @Override
    public void play(Actor actor, Contents contents) {
        var wish = InstanceStart.of(new WorkItem.StartOrchestration(order, "Order", "{}", "1.0.0", null, null, null, 1))
                .withExt(PENDING)
                .withRequestId("the-only-one");
        // A client that dies over it asks again, under the same name.
        if (!start(actor, wish)) {
            start(actor, wish);
        }
        actor.workUntil(() -> contents.count(order, "history") > 0);
        actor.tell(order, new WorkItem.ExternalRaised(order, "paid", "{}"), contents);
        actor.workUntil(() -> contents.status(order).equals("Completed"));
        actor.lapse();
    }

    private static boolean start(Actor actor, InstanceStart wish) {
        return actor.act("start", () -> actor.provider().starts().startInstance(wish))
                .isPresent();
    }
}
