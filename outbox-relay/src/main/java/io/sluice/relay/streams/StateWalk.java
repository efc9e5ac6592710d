package io.sluice.relay.streams;

import io.sluice.client.lifecycle.LifecycleJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Walks over all states of a partition, page by page, to find those that no index holds, such as states of an earlier
 * version. Its position is stored, so that another replica continues there. Used by one task.
 */
final class StateWalk {
    static final int PAGE = 1_000;
    /** An earlier version without a walk may have run since the latest walk. */
    static final Duration AGAIN_AFTER = Duration.ofDays(30);

    /** Sorts after the keys of the indexes by time. */
    private static final Bytes PLACE = Bytes.wrap(new byte[] {(byte) 0x81});

    private final KeyValueStore<String, InstanceState> instances;
    private final KeyValueStore<Bytes, byte[]> marks;

    StateWalk(KeyValueStore<String, InstanceState> instances, KeyValueStore<Bytes, byte[]> marks) {
        this.instances = instances;
        this.marks = marks;
    }

    /**
     * The position of the walk.
     *
     * @param doneMillis when the latest walk ended; null while one is under way
     * @param reached the instance at which the walk continues; null for the first
     */
    private record Place(
            @Nullable Long doneMillis, @Nullable String reached) {}

    /** Returns the next states, none when the walk is done, and stores the new position. */
    List<KeyValue<String, InstanceState>> next(long nowMillis) {
        var place = place();
        if (place.doneMillis() != null && nowMillis - place.doneMillis() < AGAIN_AFTER.toMillis()) {
            return List.of();
        }
        var page = new ArrayList<KeyValue<String, InstanceState>>();
        try (var states = instances.range(place.reached(), null)) {
            while (states.hasNext() && page.size() < PAGE) {
                page.add(states.next());
            }
            keep(states.hasNext() ? new Place(null, page.get(page.size() - 1).key) : new Place(nowMillis, null));
        }
        return page;
    }

    /** Begins a new walk at the first state. */
    void restart() {
        keep(new Place(null, null));
    }

    private Place place() {
        byte[] kept = marks.get(PLACE);
        return kept == null ? new Place(null, null) : LifecycleJson.decode(kept, Place.class);
    }

    private void keep(Place place) {
        marks.put(PLACE, LifecycleJson.encode(place));
    }
}
