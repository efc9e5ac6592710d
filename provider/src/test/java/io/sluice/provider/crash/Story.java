package io.sluice.provider.crash;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import java.util.List;

/** Some orchestrations and what is done with them. Its end is the same whatever befalls a request on the way. */
interface Story {
    /** All instances of it. */
    List<String> instances();

    /** Whether acks deliver intents themselves; else they are the relay's. */
    default boolean immediateDelivery() {
        return true;
    }

    /** Whether this fetch is given back rather than worked on. */
    default boolean abandons(LockedTurn turn) {
        return false;
    }

    /** Whether the requests of this step are struck; others are taken by another story. */
    default boolean isAtRisk(String step) {
        return true;
    }

    /** What a turn comes to. */
    TurnAck decide(LockedTurn turn);

    /** Plays it from its beginning to its end. */
    void play(Actor actor, Contents contents);

    /** What an activity gives. */
    static WorkItem completionOf(WorkItem.ActivityExecute activity) {
        return new WorkItem.ActivityCompleted(
                activity.instance(), activity.executionId(), activity.id(), "done " + activity.name());
    }
}
