package io.sluice.relay.command;

import io.sluice.relay.command.CommandBatch.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The parked commands of one instance, in order. Belongs to the consumer's thread. */
final class ParkedQueue {
    /** So many are tried at once. */
    private static final int MOST_AT_ONCE = 100;

    private final String instance;
    private final List<Waiting> waiting = new ArrayList<>();
    private @Nullable Lane underWay;
    private int failures;
    private long nextNanos;

    /**
     * A command that is parked.
     *
     * @param sinceMillis when it was
     */
    record Waiting(Entry entry, long sinceMillis) {}

    ParkedQueue(String instance) {
        this.instance = instance;
        this.nextNanos = System.nanoTime();
    }

    String instance() {
        return instance;
    }

    void add(Entry entry, long sinceMillis) {
        waiting.add(new Waiting(entry, sinceMillis));
    }

    List<Waiting> waiting() {
        return waiting;
    }

    /** Whether there is neither a command nor a request under way. */
    boolean isOver() {
        return waiting.isEmpty() && (underWay == null || underWay.done().isDone());
    }

    /** Those at its beginning of which the result is known. */
    List<Entry> settled() {
        return waiting.stream()
                .map(Waiting::entry)
                .takeWhile(entry -> entry.outcome() != null)
                .toList();
    }

    /** Those to try next. */
    List<Entry> open() {
        return waiting.stream()
                .map(Waiting::entry)
                .filter(entry -> entry.outcome() == null)
                .limit(MOST_AT_ONCE)
                .toList();
    }

    void remove(Collection<Entry> finished) {
        var gone = Set.copyOf(finished);
        waiting.removeIf(each -> gone.contains(each.entry()));
    }

    /** Leaves the commands of these partitions to others; returns them. */
    List<Entry> drop(Collection<TopicPartition> partitions) {
        var dropped = waiting.stream()
                .map(Waiting::entry)
                .filter(entry -> partitions.contains(entry.partition()))
                .toList();
        dropped.forEach(Entry::abandon);
        remove(dropped);
        return dropped;
    }

    /** A request for its first command is or may be under way. */
    void setUnderWay(Lane lane) {
        underWay = lane;
    }

    @Nullable
    Lane underWay() {
        return underWay;
    }

    /** Its try has ended with an answer of the store to each command. */
    void succeeded(long nowNanos) {
        underWay = null;
        failures = 0;
        nextNanos = nowNanos;
    }

    /** Its try has ended without. */
    void failed(long nextTryNanos) {
        underWay = null;
        failures++;
        nextNanos = nextTryNanos;
    }

    /** Its try has ended without a request. */
    void ended() {
        underWay = null;
    }

    /** Tries in vain since the latest answer. */
    int failures() {
        return failures;
    }

    /** Its next try is due at once. */
    void wake(long nowNanos) {
        nextNanos = Math.min(nextNanos, nowNanos);
    }

    long nextNanos() {
        return nextNanos;
    }

    boolean isDue(long nowNanos) {
        return underWay == null && nextNanos - nowNanos <= 0 && !open().isEmpty();
    }
}
