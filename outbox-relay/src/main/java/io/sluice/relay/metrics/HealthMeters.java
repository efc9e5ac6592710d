package io.sluice.relay.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** How a replica stands, for alerts: what its health says, as figures. */
public final class HealthMeters {
    private HealthMeters() {}

    /**
     * What is asked at every reading of the meters.
     *
     * @param live whether it is to be left alone
     * @param ready whether it does all of its work
     * @param share the part of the key space whose histories this replica publishes, 0 to 1
     * @param orphaned the part of the key space of replicas that have died in which this one sweeps for intents
     * @param clockOffset what has to be added to this machine's clock to get the service's time
     * @param sweepAge since the latest sweep came to its end
     */
    public record Standing(
            BooleanSupplier live,
            BooleanSupplier ready,
            DoubleSupplier share,
            DoubleSupplier orphaned,
            Supplier<Duration> clockOffset,
            Supplier<Duration> sweepAge) {}

    /** Meters in this registry, which holds what they read. */
    public static void register(MeterRegistry registry, Standing standing) {
        registerHealth(registry, standing.live(), standing.ready());
        Gauge.builder("sluice.relay.history.share", () -> standing.share().getAsDouble())
                .description("The part of the key space that this replica publishes; 1 over all replicas")
                .register(registry);
        Gauge.builder("sluice.relay.orphaned.share", () -> standing.orphaned().getAsDouble())
                .description("The part of the key space of dead replicas in which this replica sweeps for intents")
                .register(registry);
        TimeGauge.builder(
                        "sluice.relay.clock.offset",
                        () -> standing.clockOffset().get().toMillis(),
                        TimeUnit.MILLISECONDS)
                .description("What has to be added to this machine's clock to get the service's time")
                .register(registry);
        TimeGauge.builder(
                        "sluice.relay.sweep.age",
                        () -> standing.sweepAge().get().toMillis(),
                        TimeUnit.MILLISECONDS)
                .description("Since the latest sweep came to its end, or since the start")
                .register(registry);
    }

    /** Only what health says, where there is nothing else yet, or nothing else at all. */
    public static void registerHealth(MeterRegistry registry, BooleanSupplier live, BooleanSupplier ready) {
        flag(registry, "sluice.relay.live", "0 when the process should be killed", live);
        flag(registry, "sluice.relay.ready", "1 while it does all of its work", ready);
    }

    /**
     * The meters of Kafka Streams, for a replica that runs them.
     *
     * @param lag events that wait for the streams of all replicas, NaN when that isn't known
     * @param standingSeconds for how long nothing was taken of what waits, NaN when that isn't known
     */
    public static void registerStreams(
            MeterRegistry registry, BooleanSupplier running, DoubleSupplier lag, DoubleSupplier standingSeconds) {
        flag(registry, "sluice.relay.streams.running", "1 while the streams of this replica work", running);
        Gauge.builder("sluice.relay.streams.lag", lag::getAsDouble)
                .description("Events that wait for the streams of all replicas; NaN is unknown")
                .register(registry);
        Gauge.builder("sluice.relay.streams.standing", standingSeconds::getAsDouble)
                .description("For how long nothing was taken of a partition in which events wait; NaN is unknown")
                .baseUnit("seconds")
                .register(registry);
    }

    /**
     * What waits of commands.
     *
     * @param lag commands that wait for the relays of all replicas, NaN when that isn't known
     * @param rejected commands that were refused and not sent again, NaN when that isn't known
     */
    public static void registerCommands(MeterRegistry registry, DoubleSupplier lag, DoubleSupplier rejected) {
        Gauge.builder("sluice.relay.rejected.commands", rejected::getAsDouble)
                .description("Commands that lie in the dead letter topic and were not sent again; NaN is unknown")
                .register(registry);
        Gauge.builder("sluice.relay.commands.lag", lag::getAsDouble)
                .description("Commands that wait to be taken by any replica; NaN is unknown")
                .register(registry);
    }

    /** Counts the instances that streams found to be stuck. */
    public static Counter stuck(MeterRegistry registry) {
        return Counter.builder("sluice.relay.streams.stuck")
                .description("Instances that were found to be stuck")
                .register(registry);
    }

    /** Counts the ended instances that streams removed, their time being over. */
    public static Counter removed(MeterRegistry registry) {
        return Counter.builder("sluice.relay.streams.removed")
                .description("Ended instances that were removed, as their time was over")
                .register(registry);
    }

    /** Counts how often events of a partition had expired before streams read them. */
    public static Counter jumps(MeterRegistry registry) {
        return Counter.builder("sluice.relay.streams.jumps")
                .description("Times that events of a partition had expired before streams read them")
                .register(registry);
    }

    private static void flag(MeterRegistry registry, String name, String description, BooleanSupplier flag) {
        Gauge.builder(name, () -> flag.getAsBoolean() ? 1 : 0)
                .description(description)
                .register(registry);
    }
}
