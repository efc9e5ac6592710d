package io.sluice.benchmarks.relay;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * How many events a second come out of Kafka, exactly once, when replicas work a backlog off: they are paused while it
 * is written, so that neither the writer nor their start counts.
 */
final class EventRate {
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final RelayTestbed bed;

    EventRate(RelayTestbed bed) {
        this.bed = bed;
    }

    /**
     * What one run gave.
     *
     * @param perSecond events, from the first one visible to the last
     * @param processor milliseconds of the relays' processors for each event
     */
    record Figures(double perSecond, double processor) {}

    /** Works a backlog of some turns off. */
    Figures of(int turns) {
        return of(turns, bed.store()::writeEvents);
    }

    /** The same, of turns that also leave work. */
    Figures withWork(int turns) {
        return of(turns, bed.store()::writeEventsAndWork);
    }

    private Figures of(int turns, BiFunction<String, Integer, Integer> writing) {
        bed.relays().forEach(relay -> relay.pauseEvents(true));
        RelayTestbed.await(() -> bed.isInState("PAUSED"));
        int events = writing.apply("run-" + RUNS.incrementAndGet(), turns);
        try (var published = bed.published()) {
            double before = processorMillis();
            bed.relays().forEach(relay -> relay.pauseEvents(false));
            double perSecond = published.perSecond(events);
            return new Figures(perSecond, (processorMillis() - before) / events);
        }
    }

    private double processorMillis() {
        return bed.relays().stream().mapToDouble(RelayProgram::processorMillis).sum();
    }
}
