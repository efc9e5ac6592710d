package io.sluice.provider.crash;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.util.List;

/** One turn of several batches: its parts are staged, committed at once, applied and finished. */
final class BigTurnStory implements Story {
    private static final int ACTIVITIES = 110;
    private static final String UNSERVED = "gpu";

    private final String instance;

    BigTurnStory(String run) {
        this.instance = run + "big";
    }

    @Override
    public List<String> instances() {
        return List.of(instance);
    }

    @Override
    public TurnAck decide(LockedTurn locked) {
        var turn = Turn.of(locked);
        for (int i = 0; i < ACTIVITIES; i++) {
            long id = turn.add(new EventKind.ActivityScheduled("ship", "{}", null, UNSERVED));
            turn.execute(new WorkItem.ActivityExecute(instance, 1, id, "ship", "{}", null, UNSERVED));
        }
        turn.status("Running", null);
        return turn.ack();
    }

    @Override
    public void play(Actor actor, Contents contents) {
        actor.tell(
                instance,
                new WorkItem.StartOrchestration(instance, "Big", "{}", "1.0.0", null, null, null, 1),
                contents);
        actor.workUntil(() -> contents.count(instance, "worker_queue") == ACTIVITIES
                && contents.count(instance, "staged") == 0
                && contents.count(instance, "orch_queue") == 0);
    }
}
