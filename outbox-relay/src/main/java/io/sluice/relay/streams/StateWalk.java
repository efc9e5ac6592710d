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
 * Walks over all states of a partition, page by page, and keeps its place, so that another replica goes on with it: for
 * what an index can't tell, such as states that an earlier version kept. Used by one task.
 */
final class StateWalk {
    static final int PAGE = 1_000;
    /** A version that knows no walk may have worked since the latest one. */
    static final Duration AGAIN_AFTER = Duration.ofDays(30);

    /** Beside the indexes by time, above their keys. */
    private static final Bytes PLACE = Bytes.wrap(new byte[] {(byte) 0x81});

    private final KeyValueStore<String, Tracked> instances;
    private final KeyValueStore<Bytes, byte[]> marks;

    StateWalk(KeyValueStore<String, Tracked> instances, KeyValueStore<Bytes, byte[]> marks) {
        this.instances = instances;
        this.marks = marks;
    }

    /**
     * How far it came.
     *
     * @param doneMillis when the latest walk came to its end; null while one is under way
     * @param reached the instance at which it goes on; null for the first
     */
    private record Place(
            @Nullable Long doneMillis, @Nullable String reached) {}

    /** The next states, none when the latest walk is over; the place is kept with them. */
    List<KeyValue<String, Tracked>> next(long nowMillis) {
        var place = place();
        if (place.doneMillis() != null && nowMillis - place.doneMillis() < AGAIN_AFTER.toMillis()) {
            return List.of();
        }
        var page = new ArrayList<KeyValue<String, Tracked>>();
        try (var states = instances.range(place.reached(), null)) {
            while (states.hasNext() && page.size() < PAGE) {
                page.add(states.next());
            }
            keep(states.hasNext() ? new Place(null, page.get(page.size() - 1).key) : new Place(nowMillis, null));
        }
        return page;
    }

    /** Begins at the first state once more. */
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
