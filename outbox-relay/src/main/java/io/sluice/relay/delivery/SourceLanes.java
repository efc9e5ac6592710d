package io.sluice.relay.delivery;

import io.sluice.relay.delivery.SourceQueue.Due;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.partition.PartitionPlaces;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The sources that workers have, by the physical partition in which they lie, and those that wait until their partition
 * has a place. Used under the lock of the queue.
 */
final class SourceLanes {
    /** Sources of the backlog that wait for one partition; the sweep finds the others again. */
    private static final int MOST_OF_BACKLOG = 200;

    private final PartitionPlaces places;
    private final Map<KeyRange, SourceLane> lanes = new HashMap<>();

    private static final class SourceLane {
        private final Deque<Due> waiting = new ArrayDeque<>();
        private int inHand;
        private int backlog;
    }

    SourceLanes(PartitionPlaces places) {
        this.places = places;
    }

    /** What becomes of a source that is due. */
    enum Turn {
        /** A worker may take it. */
        NOW,
        /** It waits until its partition has a place. */
        LATER,
        /** It is forgotten, as too many of the backlog wait already. */
        NEVER
    }

    /** Whether a worker may take a source; else it waits here, or is forgotten. */
    Turn turn(Due due) {
        var lane = lanes.get(places.of(due.source()));
        if (lane == null || lane.inHand < places.most()) {
            return Turn.NOW;
        }
        if (due.ofBacklog() && lane.backlog >= MOST_OF_BACKLOG) {
            return Turn.NEVER;
        }
        lane.backlog += due.ofBacklog() ? 1 : 0;
        lane.waiting.add(due);
        return Turn.LATER;
    }

    /** A worker takes a source; returns the lane it is to leave. */
    KeyRange enter(Due due) {
        var partition = places.of(due.source());
        lanes.computeIfAbsent(partition, range -> new SourceLane()).inHand++;
        return partition;
    }

    /**
     * A worker gives a source back.
     *
     * @param isStale which of those that wait count no longer
     * @return those that wait no longer: as many as have a place, all when nobody else would let them go on
     */
    List<Due> leave(KeyRange partition, Predicate<Due> isStale) {
        var lane = lanes.get(partition);
        if (lane == null) {
            return List.of();
        }
        lane.inHand--;
        int free = lane.inHand == 0 ? Integer.MAX_VALUE : places.most() - lane.inHand;
        var next = new ArrayList<Due>();
        while (next.size() < free && !lane.waiting.isEmpty()) {
            var due = lane.waiting.remove();
            lane.backlog -= due.ofBacklog() ? 1 : 0;
            if (!isStale.test(due)) {
                next.add(due);
            }
        }
        if (lane.inHand == 0) {
            lanes.remove(partition);
        }
        return next;
    }
}
