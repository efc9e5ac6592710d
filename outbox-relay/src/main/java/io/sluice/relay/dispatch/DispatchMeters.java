package io.sluice.relay.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/** Counts announcements. Thread-safe. */
public final class DispatchMeters {
    private final MeterRegistry registry;
    private final Timer lookaheads;

    /** What made an announcement. */
    enum Source {
        /** A page of the change feed. */
        FEED,
        /** A lookahead. */
        LOOKAHEAD,
        /** An activity was held until its time. */
        HELD,
        /** This relay has written the message itself. */
        OWN,
        /** A pulse, which is no work. */
        PULSE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Registers its meters, also where work is not announced. */
    public DispatchMeters(MeterRegistry registry) {
        this.registry = registry;
        this.lookaheads = Timer.builder("sluice.relay.dispatch.lookaheads")
                .description("Lookaheads: queries for work that is due soon, until all of it was announced")
                .register(registry);
        for (var source : Source.values()) {
            if (source != Source.PULSE) {
                announced(source, 0, 0);
            }
            failures(source).increment(0);
        }
    }

    /**
     * Registers what is read when it is asked for.
     *
     * @param horizonSeconds until the first range is not covered by a lookahead, negative afterwards, NaN when there is
     *     none
     * @param held activities that wait for their times
     */
    public void register(DoubleSupplier horizonSeconds, DoubleSupplier held) {
        Gauge.builder("sluice.relay.dispatch.horizon", horizonSeconds::getAsDouble)
                .description(
                        "How far the ranges of this replica are covered by lookaheads, the least of them; NaN for none")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("sluice.relay.dispatch.held", held::getAsDouble)
                .description("Activities that are announced later, at their times")
                .register(registry);
    }

    /** Kafka has taken announcements. */
    void announced(Source source, int turns, int activities) {
        announcements(source, "turns").increment(turns);
        announcements(source, "activities").increment(activities);
    }

    private Counter announcements(Source source, String queue) {
        return Counter.builder("sluice.relay.dispatch.announced")
                .description("Announcements of work that Kafka has taken")
                .tag("source", source.label())
                .tag("queue", queue)
                .register(registry);
    }

    /** Announcements were refused or could not be sent. */
    void failed(Source source) {
        failures(source).increment();
    }

    private Counter failures(Source source) {
        return Counter.builder("sluice.relay.dispatch.failures")
                .description("Times that work could not be announced")
                .tag("source", source.label())
                .register(registry);
    }

    /** A lookahead has ended, all of it announced. */
    void lookaheadEnded(long nanos) {
        lookaheads.record(nanos, TimeUnit.NANOSECONDS);
    }
}
