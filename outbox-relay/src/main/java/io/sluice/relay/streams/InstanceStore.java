package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus.State;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The states of the instances of one partition, with an index of the running and one of the ended instances. An
 * instance is in one index at most. Used by one task.
 */
final class InstanceStore {
    private final KeyValueStore<String, InstanceState> instances;
    private final TimeIndex running;
    private final TimeIndex ended;

    InstanceStore(KeyValueStore<String, InstanceState> instances, KeyValueStore<Bytes, byte[]> byTime) {
        this.instances = instances;
        this.running = TimeIndex.ofRunning(byTime);
        this.ended = TimeIndex.ofEnded(byTime);
    }

    /** Reads one entry at most. */
    boolean isEmpty() {
        try (var all = instances.all()) {
            return !all.hasNext();
        }
    }

    @Nullable
    InstanceState get(String instance) {
        return instances.get(instance);
    }

    /** @param before its state until now, null when it had none */
    void put(String instance, @Nullable InstanceState before, InstanceState after) {
        leaveIndexes(instance, before);
        instances.put(instance, after);
        enterIndex(instance, after);
    }

    /** Removes and returns the state of an instance; null when it had none. */
    @Nullable
    InstanceState remove(String instance) {
        var before = instances.delete(instance);
        leaveIndexes(instance, before);
        return before;
    }

    /**
     * Some of the running instances without an event since a time, the longest silent first. Instances that are
     * reported already, or whose execution was not read from the beginning, are left out.
     */
    List<TimeIndex.Entry> silentSince(long millis, int atMost) {
        return running.before(millis, atMost);
    }

    /** Some of the instances whose end was read before a time, the earliest first. */
    List<TimeIndex.Entry> endedBefore(long millis, int atMost) {
        return ended.before(millis, atMost);
    }

    /** Removes an entry without a state, as a version without this index may leave it. */
    void removeEndedEntry(TimeIndex.Entry entry) {
        ended.remove(entry.instance(), entry.millis());
    }

    /**
     * Adds an ended instance of an earlier version to the index. Such a version had no index, and kept the due time of
     * a timer for some ended instances.
     *
     * @param nowMillis its end was read then at the latest
     */
    void enterEnded(String instance, InstanceState tracked, long nowMillis) {
        if (tracked.heardMillis() > nowMillis) {
            put(instance, tracked, tracked.heardAt(nowMillis));
        } else if (!ended.has(instance, tracked.heardMillis())) {
            ended.put(instance, tracked.heardMillis());
        }
    }

    private void enterIndex(String instance, InstanceState tracked) {
        if (tracked.status().state() != State.RUNNING) {
            ended.put(instance, tracked.heardMillis());
        } else if (!tracked.isReportedStuck() && tracked.isWhole()) {
            running.put(instance, tracked.heardMillis());
        }
    }

    private void leaveIndexes(String instance, @Nullable InstanceState before) {
        if (before == null) {
            return;
        }
        if (before.status().state() == State.RUNNING) {
            running.remove(instance, before.heardMillis());
        } else {
            ended.remove(instance, before.heardMillis());
        }
    }
}
