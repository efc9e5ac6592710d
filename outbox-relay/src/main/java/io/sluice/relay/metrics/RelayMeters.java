package io.sluice.relay.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.sluice.relay.command.CommandStatus;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.status.RelayStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What a replica does. Tags are pipelines, ranges and outcomes, never instances, so their number is bounded.
 * Thread-safe.
 */
public final class RelayMeters {
    private static final String RANGE = "range";

    private final MeterRegistry registry;
    private final Timer intentLatency;
    private final Timer eventLatency;
    private final MultiGauge lagEvents;
    private final MultiGauge lagSeconds;
    private final MultiGauge unavailable;

    /**
     * What is counted elsewhere and only read here.
     *
     * @param intents the status of delivery
     * @param commands the status of the intake
     * @param deadLetters how many intents lie in the store as dead letters, NaN when that isn't known
     * @param pauses the paused pipelines
     */
    public record Sources(
            Supplier<RelayStatus.Intents> intents,
            Supplier<CommandStatus> commands,
            DoubleSupplier deadLetters,
            Pauses pauses) {}

    /**
     * How far a range is behind.
     *
     * @param events written and not published, NaN when that isn't known
     * @param seconds age of the newest published one while others wait, 0 when none does, NaN when that isn't known
     */
    public record Lag(KeyRange range, double events, double seconds) {}

    /** Registers its meters. */
    public RelayMeters(MeterRegistry registry, Sources sources) {
        this.registry = registry;
        this.intentLatency = latency(
                "sluice.relay.intents.latency", "From an intent's creation to its document in the target partition");
        this.eventLatency = latency(
                "sluice.relay.history.latency", "From an event's commit in Cosmos, in whole seconds, to that in Kafka");
        this.lagEvents = MultiGauge.builder("sluice.relay.history.lag.events")
                .description("Events written and not published, by range of this replica; NaN is unknown")
                .register(registry);
        this.lagSeconds = MultiGauge.builder("sluice.relay.history.lag")
                .description("Age of the newest published event while others wait, 0 when none does; NaN is unknown")
                .baseUnit("seconds")
                .register(registry);
        this.unavailable = MultiGauge.builder("sluice.relay.partition.unavailable")
                .description("1 for a partition of the store that does not answer, or throttles everything")
                .register(registry);
        intents(sources.intents());
        commands(sources.commands());
        paused(sources.pauses());
        Gauge.builder("sluice.relay.dead.letters", () -> sources.deadLetters().getAsDouble())
                .description("Intents that lie in the store as dead letters; NaN is unknown")
                .register(registry);
    }

    private Timer latency(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(200),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(15),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(5))
                .register(registry);
    }

    private void intents(Supplier<RelayStatus.Intents> now) {
        counter(
                "sluice.relay.intents.delivered",
                "Target documents this replica created",
                now,
                RelayStatus.Intents::delivered);
        counter(
                "sluice.relay.intents.retried",
                "Deliveries that failed and are tried again",
                now,
                RelayStatus.Intents::retried);
        counter(
                "sluice.relay.intents.parked",
                "Deliveries the store refused, put off",
                now,
                RelayStatus.Intents::parked);
        counter("sluice.relay.intents.dead", "Intents given up: dead letters", now, RelayStatus.Intents::failed);
        Gauge.builder("sluice.relay.intents.sources", () -> now.get().sourcesWaiting())
                .description("Sources being worked on or waiting for their time")
                .register(registry);
        Gauge.builder("sluice.relay.intents.malformed", () -> now.get().malformed())
                .description("Documents that say they are undelivered intents and can't be read by anybody")
                .register(registry);
    }

    private void commands(Supplier<CommandStatus> now) {
        counter("sluice.relay.commands.accepted", "Commands queued, repetitions included", now, CommandStatus::queued);
        counter("sluice.relay.commands.rejected", "Commands that became dead letters", now, CommandStatus::refused);
        counter(
                "sluice.relay.commands.unanswered",
                "Replies given up, as their topics did not take them",
                now,
                CommandStatus::unanswered);
        Gauge.builder("sluice.relay.commands.parked", () -> now.get().parked().count())
                .description("Commands of this replica's partitions that the store does not take now")
                .register(registry);
        Gauge.builder(
                        "sluice.relay.commands.parked.age",
                        () -> now.get().parked().seconds(System.currentTimeMillis()))
                .description("For how long the one has been parked that has been for longest, 0 when none is")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("sluice.relay.commands.full", () -> now.get().parked().full())
                .description("Partitions of the commands topic that pause, as they have no room to park more")
                .register(registry);
    }

    private <T> void counter(String name, String description, Supplier<T> now, ToDoubleFunction<T> count) {
        // The registry holds this object weakly; the owner of the meters keeps it alive.
        FunctionCounter.builder(name, this, meters -> count.applyAsDouble(now.get()))
                .description(description)
                .register(registry);
    }

    private void paused(Pauses pauses) {
        for (Pipeline pipeline : Pipeline.values()) {
            Gauge.builder("sluice.relay.paused", () -> pauses.isPaused(pipeline) ? 1 : 0)
                    .description("1 while an operator has paused this pipeline")
                    .tag("pipeline", pipeline.label())
                    .register(registry);
        }
    }

    /** An intent was delivered, so long after its creation. */
    public void recordDelivery(long latencyMillis) {
        intentLatency.record(Math.max(0, latencyMillis), TimeUnit.MILLISECONDS);
    }

    /** An event was committed to Kafka, so long after its commit in Cosmos. */
    public void recordPublished(long latencyMillis) {
        eventLatency.record(Math.max(0, latencyMillis), TimeUnit.MILLISECONDS);
    }

    /** A transaction of a range was committed. */
    public void recordCommit(KeyRange range, int events, long nanos) {
        transaction("committed").record(nanos, TimeUnit.NANOSECONDS);
        Counter.builder("sluice.relay.history.published")
                .description("Events committed to Kafka")
                .tag(RANGE, range.name())
                .register(registry)
                .increment(events);
    }

    /** A transaction was begun and not committed for certain. */
    public void recordAbort(long nanos) {
        transaction("aborted").record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer transaction(String outcome) {
        return Timer.builder("sluice.relay.history.transactions")
                .description("Transactions of Kafka, one a page with events")
                .tag("outcome", outcome)
                .register(registry);
    }

    /** Takes over how far the ranges of this replica are behind; others are shown no more. */
    public void lag(List<Lag> ranges) {
        lagEvents.register(
                ranges.stream()
                        .map(lag -> MultiGauge.Row.of(tag(lag), lag.events()))
                        .toList(),
                true);
        lagSeconds.register(
                ranges.stream()
                        .map(lag -> MultiGauge.Row.of(tag(lag), lag.seconds()))
                        .toList(),
                true);
    }

    /** Takes over to which partitions of the store nothing can be delivered; others are shown no more. */
    public void unavailable(List<KeyRange> partitions) {
        unavailable.register(
                partitions.stream()
                        .map(partition -> MultiGauge.Row.of(Tags.of(RANGE, partition.name()), 1))
                        .toList(),
                true);
    }

    private static Tags tag(Lag lag) {
        return Tags.of(RANGE, lag.range().name());
    }
}
