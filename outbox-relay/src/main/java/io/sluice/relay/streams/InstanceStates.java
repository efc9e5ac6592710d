package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus.State;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the instances of one partition, with its indexes: each instance is in one of them at most. Used by
 * one task.
 */
final class InstanceStates {
    private final KeyValueStore<String, Tracked> instances;
    private final TimeIndex running;
    private final TimeIndex ended;

    InstanceStates(KeyValueStore<String, Tracked> instances, KeyValueStore<Bytes, byte[]> byTime) {
        this.instances = instances;
        this.running = TimeIndex.ofRunning(byTime);
        this.ended = TimeIndex.ofEnded(byTime);
    }

    /** Asks for no more than the first. */
    boolean isEmpty() {
        try (var all = instances.all()) {
            return !all.hasNext();
        }
    }

    @Nullable
    Tracked get(String instance) {
        return instances.get(instance);
    }

    /** @param before what was kept of it, null when nothing was */
    void put(String instance, @Nullable Tracked before, Tracked after) {
        leaveIndexes(instance, before);
        instances.put(instance, after);
        enterIndex(instance, after);
    }

    /** What was kept of it until now; null when nothing was. */
    @Nullable
    Tracked remove(String instance) {
        var before = instances.delete(instance);
        leaveIndexes(instance, before);
        return before;
    }

    /**
     * Some of the running instances, their executions read from the beginning, of which nothing was heard since a time
     * and nothing was told yet, the longest silent first.
     */
    List<TimeIndex.Entry> silentSince(long millis, int atMost) {
        return running.before(millis, atMost);
    }

    /** Some of the instances whose end was read before a time, the earliest first. */
    List<TimeIndex.Entry> endedBefore(long millis, int atMost) {
        return ended.before(millis, atMost);
    }

    /** An entry that no state stands behind, as a version that does not know the index may leave one. */
    void removeEndedEntry(TimeIndex.Entry entry) {
        ended.remove(entry.instance(), entry.millis());
    }

    /**
     * Enters an ended instance of an earlier version, which knew no such index, and counted some from the time of a
     * timer that they left behind.
     *
     * @param nowMillis its end was read then at the latest
     */
    void enterEnded(String instance, Tracked tracked, long nowMillis) {
        if (tracked.heardMillis() > nowMillis) {
            put(instance, tracked, tracked.heardAt(nowMillis));
        } else if (!ended.has(instance, tracked.heardMillis())) {
            ended.put(instance, tracked.heardMillis());
        }
    }

    private void enterIndex(String instance, Tracked tracked) {
        if (tracked.status().state() != State.RUNNING) {
            ended.put(instance, tracked.heardMillis());
        } else if (!tracked.isReportedStuck() && tracked.isWhole()) {
            running.put(instance, tracked.heardMillis());
        }
    }

    private void leaveIndexes(String instance, @Nullable Tracked before) {
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
