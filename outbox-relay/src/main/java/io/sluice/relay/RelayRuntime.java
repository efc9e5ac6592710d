package io.sluice.relay;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.provider.outbox.CommandInbox;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.relay.command.CommandIntake;
import io.sluice.relay.command.CommandStatus;
import io.sluice.relay.deadletter.DeadLetterPublisher;
import io.sluice.relay.delivery.CircuitState;
import io.sluice.relay.delivery.DeliveryCounters;
import io.sluice.relay.delivery.DeliveryStatus;
import io.sluice.relay.delivery.IntentDelivery;
import io.sluice.relay.delivery.SourceDrains;
import io.sluice.relay.delivery.StoreOutbox;
import io.sluice.relay.delivery.Sweep;
import io.sluice.relay.feed.IntentFeed;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.feed.ServiceTime;
import io.sluice.relay.history.HistoryPublisher;
import io.sluice.relay.history.RangeStatus;
import io.sluice.relay.http.Endpoint;
import io.sluice.relay.metrics.CosmosMeters;
import io.sluice.relay.metrics.HealthMeters;
import io.sluice.relay.metrics.RelayMeters;
import io.sluice.relay.ops.Heartbeats;
import io.sluice.relay.ops.Pauses;
import io.sluice.relay.ops.Pipeline;
import io.sluice.relay.ops.PipelineControl;
import io.sluice.relay.ops.PrerequisiteException;
import io.sluice.relay.ops.RelayMemory;
import io.sluice.relay.ops.RetryBackoff;
import io.sluice.relay.streams.QueryRoutes;
import io.sluice.relay.watch.GroupLag;
import io.sluice.relay.watch.GroupOffsets;
import io.sluice.relay.watch.RecentEvents;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts of a running relay. Made and started by one thread; {@link #status} may come from any. */
final class RelayRuntime implements AutoCloseable {
    private static final Duration LEASE_WATCH = Duration.ofSeconds(30);
    /** Of the time to drain; the rest is for deliveries that the intake has begun. */
    private static final double INTAKE_SHARE = 0.75;

    private final RelayConfig config;
    private final InstantSource clock;
    private final RelayConnections connections;
    private final Pauses pauses = new Pauses();
    private final RelayMemory memory = RelayMemory.ofHeap();
    private final Heartbeats heartbeats = new Heartbeats();
    private final RelayMeters meters;
    private final CosmosMeters cosmosMeters;
    private final RecentEvents tail;
    private final FailedIntents failures;
    private final DeadLetterPublisher deadLetters;
    private final IntentDelivery delivery;
    private final IntentFeed intentFeed;
    private final Sweep sweep;
    private final HistoryPublisher history;
    private final CommandIntake commands;
    private final @Nullable StreamsHealth insight;
    private final GroupLag commandsLag;
    private final RelayMonitoring overview;

    private RelayRuntime(
            RelayConfig config,
            String name,
            InstantSource clock,
            PrometheusMeterRegistry registry,
            RelayConnections connections,
            CosmosMeters cosmosMeters,
            int ranges) {
        this.cosmosMeters = cosmosMeters;
        this.config = config;
        this.clock = clock;
        this.connections = connections;
        this.meters = new RelayMeters(
                registry,
                new RelayMeters.Sources(
                        this::deliveryStatus,
                        this::commandStatus,
                        () -> overview().deadLetters(),
                        pauses));
        this.tail = new RecentEvents(meters, clock);
        this.failures = new FailedIntents(
                connections.store().container(), connections.store().clockObserver(), clock);
        this.deadLetters = new DeadLetterPublisher(
                failures,
                () -> connections.kafka().idempotent(connections.topics().deadLetters()),
                connections.topics().deadLetters(),
                config.feed().sweepInterval(),
                config.operations().drainTimeout());
        this.delivery = newDelivery();
        this.intentFeed = newIntentFeed(name);
        this.sweep = new Sweep(
                connections.feed().container(),
                delivery,
                intentFeed::sweptRanges,
                new StoreSweep(connections.store()),
                new Sweep.Rhythm(
                        config.feed().sweepInterval(), config.operations().drainTimeout(), clock));
        this.history = newHistory(ranges);
        this.commands = newCommands();
        this.insight = newInsight(registry);
        this.commandsLag = newCommandsLag();
        this.overview = new RelayMonitoring(
                new RelayMonitoring.Subject(name, connections, ranges, this::status, history::status, failures),
                new RelayMonitoring.Watched(pauses, heartbeats, delivery::hasDueWork, registry, meters, tail),
                insightRoutes(),
                clock);
        HealthMeters.register(
                registry,
                new HealthMeters.Standing(
                        () -> overview().health().lifeFaults().isEmpty(),
                        () -> overview().health().readinessFaults().isEmpty(),
                        () -> delivery.status().circuit() != CircuitState.CLOSED,
                        ranges,
                        connections.store()::clockOffset,
                        sweep::age));
        if (insight != null) {
            insight.register(registry);
        }
        HealthMeters.registerCommands(registry, () -> commandsLag.latest().records(), overview::rejectedCommands);
    }

    /**
     * Connects, checks, and starts all of them, by the service's time unless told another; when one can't start, those that could are closed again.
     *
     * @param portWanted is run just before the port for operators is opened
     * @throws PrerequisiteException or {@link io.sluice.provider.ProviderException} saying what to do
     */
    static RelayRuntime start(RelayConfig config, String name, @Nullable InstantSource clock, Runnable portWanted) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var cosmosMeters = new CosmosMeters(registry);
        var connections = RelayConnections.open(config, cosmosMeters::metered);
        AutoCloseable toClose = connections;
        try {
            connections.mustBeAllowed();
            int ranges =
                    connections.prepare(config.kafka().provisioning().atStart()).ranges();
            // Once more for topics that were made just now.
            connections.mustBeAllowed();
            connections.register();
            var parts = new RelayRuntime(
                    config,
                    name,
                    clock == null ? connections.store().clock() : clock,
                    registry,
                    connections,
                    cosmosMeters,
                    ranges);
            toClose = parts;
            parts.startAll(portWanted);
            toClose = () -> {};
            return parts;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrerequisiteException("interrupted while starting", e);
        } finally {
            Shutdown.quietly(toClose);
        }
    }

    private void startAll(Runnable portWanted) throws InterruptedException {
        deadLetters.start();
        delivery.start();
        history.start();
        commands.start();
        startInsight();
        // Last: it may have to wait for another replica that is making the leases.
        intentFeed.start();
        // Asks for the leases.
        sweep.start();
        commandsLag.start();
        portWanted.run();
        overview.start();
    }

    private IntentDelivery newDelivery() {
        var givingUp = config.delivery().givingUp();
        var settings = new IntentDelivery.Settings(
                config.delivery().concurrency(),
                shape(config.delivery().backoff()),
                config.operations().drainTimeout(),
                givingUp.maxAttempts(),
                givingUp.maxAge(),
                config.delivery().fleet() == Fleet.MIXED);
        var outbox = new StoreOutbox(
                new IntentOutbox(
                        connections.store().container(), connections.store().clockObserver(), clock),
                failures,
                givingUp.answerSources());
        var counters = new DeliveryCounters(meters::recordDelivery, this::failedForGood);
        var drains = new SourceDrains(outbox, settings, counters, memory, clock);
        return new IntentDelivery(drains, settings, control(Pipeline.INTENTS), clock);
    }

    private static RetryBackoff.Shape shape(RelayConfig.Backoff told) {
        return new RetryBackoff.Shape(
                RetryBackoff.Kind.valueOf(told.kind().name()), told.first(), told.longest(), told.jitter());
    }

    private IntentFeed newIntentFeed(String name) {
        var settings = new IntentFeed.Settings(
                connections.topics().leasePrefix(),
                connections.feed().containerRid(),
                config.feed().pageSize(),
                config.feed().longestRest(),
                config.operations().drainTimeout(),
                LEASE_WATCH);
        var time = new ServiceTime(clock, connections.store()::clockOffset);
        return new IntentFeed(connections.feed(), name, delivery::drainChanged, settings, time);
    }

    private HistoryPublisher newHistory(int ranges) {
        var container = connections.feed().container();
        int pageSize = config.feed().pageSize();
        var feed = new HistoryPublisher.Feed(
                connections.eventSource(),
                connections.feed().containerRid(),
                range -> new RangeReader(container, range, pageSize),
                purges(),
                clock,
                memory.pages());
        var settings = new HistoryPublisher.Settings(
                ranges,
                pageSize,
                config.feed().shortestRest(),
                config.feed().longestRest(),
                connections.firstPosition(),
                config.operations().drainTimeout());
        return new HistoryPublisher(
                connections.kafka(), connections.topics(), feed, delivery, settings, control(Pipeline.EVENTS), tail);
    }

    private @Nullable StreamsHealth newInsight(MeterRegistry registry) {
        if (!config.streams().enabled()) {
            return null;
        }
        var drainTimeout = config.operations().drainTimeout();
        var streams =
                StreamsFactory.streams(connections.kafka(), config.kafka(), config.streams(), drainTimeout, registry);
        return StreamsHealth.of(streams, connections.kafka(), connections.topics(), clock, drainTimeout);
    }

    private void startInsight() {
        if (insight != null) {
            insight.start();
        }
    }

    private GroupLag newCommandsLag() {
        var topics = connections.topics();
        var offsets = new GroupOffsets(connections.kafka(), topics.commandsGroup(), topics.commands());
        return new GroupLag(
                "sluice-commands-lag", offsets, clock, config.operations().drainTimeout());
    }

    private List<Endpoint> insightRoutes() {
        return insight == null ? List.of() : new QueryRoutes(insight.streams().queries()).endpoints();
    }

    private Consumer<PurgeMarker> purges() {
        return new PurgeMarkers(
                connections.store().container(), connections.store().clockObserver(), clock)::answer;
    }

    private CommandIntake newCommands() {
        var settings = new CommandIntake.Settings(
                config.delivery().concurrency(),
                config.delivery().commandMaxAge(),
                config.delivery().backoff().longest(),
                config.operations().drainTimeout(),
                config.kafka().allowedReplyTopics());
        var inbox = new CommandInbox(
                connections.store().container(), connections.store().clockObserver(), clock);
        return new CommandIntake(
                connections.kafka(), connections.topics(), inbox, settings, clock, control(Pipeline.COMMANDS), memory);
    }

    private PipelineControl control(Pipeline part) {
        return new PipelineControl(part, pauses, heartbeats);
    }

    private void failedForGood() {
        deadLetters.wakeUp();
        overview.deadLettersChanged();
    }

    private DeliveryStatus deliveryStatus() {
        return delivery.status();
    }

    private CommandStatus commandStatus() {
        return commands.status();
    }

    private RelayMonitoring overview() {
        return overview;
    }

    int opsPort() {
        return overview.port();
    }

    RelayStatus status() {
        var troubles = new ArrayList<>(intentFeed.troubles());
        var intents = delivery.status();
        if (intents.circuit() != CircuitState.CLOSED) {
            troubles.add("intents: the store does not answer, one request at a time finds out when it is back");
        }
        if (cosmosMeters.isThrottled(connections.feed().leasesName())) {
            troubles.add("the container " + connections.feed().leasesName()
                    + " is throttled: leases expire and change hands; run provision, or raise its throughput");
        }
        if (sweep.trouble() != null) {
            troubles.add(sweep.trouble());
        }
        if (deadLetters.trouble() != null) {
            troubles.add("dead letters can't be published: " + deadLetters.trouble());
        }
        if (insight != null) {
            insight.trouble().ifPresent(troubles::add);
        }
        return new RelayStatus(
                true,
                new RelayStatus.Intents(
                        intents.delivered(),
                        intents.retried(),
                        intents.parked(),
                        intents.failed(),
                        intents.sources(),
                        intents.malformed(),
                        intents.latestLatencyMillis(),
                        dispatches(intents)),
                history(troubles),
                commands(troubles),
                pauses.labels(),
                RelayStatus.known(overview.deadLetters()),
                troubles);
    }

    private RelayStatus.Dispatches dispatches(DeliveryStatus intents) {
        var inStore = sweep.found();
        return new RelayStatus.Dispatches(
                inStore == null ? null : (Integer) inStore.pending(),
                intents.sent(),
                inStore == null ? null : (Integer) inStore.retrying(),
                RelayStatus.known(overview.deadLetters()),
                intents.circuit().label());
    }

    private RelayStatus.History history(List<String> troubles) {
        var ranges = history.status();
        ranges.forEach(range -> {
            if (range.trouble() != null) {
                troubles.add("range " + range.range() + ": " + range.trouble());
            }
        });
        history.trouble().ifPresent(trouble -> troubles.add("the group of key ranges: " + trouble));
        return new RelayStatus.History(
                ranges.stream().mapToLong(RangeStatus::published).sum(),
                ranges.stream().map(this::range).toList());
    }

    private RelayStatus.Range range(RangeStatus range) {
        var lag = overview.lag(range);
        return new RelayStatus.Range(
                range.range(),
                range.state().name(),
                range.published(),
                RelayStatus.known(lag.events()),
                RelayStatus.known(lag.seconds()));
    }

    private RelayStatus.Commands commands(List<String> troubles) {
        var now = commands.status();
        if (now.trouble() != null) {
            troubles.add("commands: " + now.trouble());
        }
        return new RelayStatus.Commands(
                now.queued(),
                now.refused(),
                now.unanswered(),
                RelayStatus.known(overview.rejectedCommands()),
                RelayStatus.known(overview.lettersNotLookedAt()));
    }

    /** Intake first, then what it gave others to do, then the connections; what hangs takes nothing from the time of what can still drain beside it. */
    @Override
    public void close() {
        Shutdown.within(config.operations().drainTimeout())
                .together(INTAKE_SHARE, commands, insight == null ? () -> {} : insight, intentFeed, sweep, history)
                .together(1, delivery, deadLetters, commandsLag, overview)
                .together(1, connections);
    }
}
