package io.sluice.relay.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.program.PrerequisiteException;
import io.sluice.program.http.Endpoint;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.relay.command.CommandStatus;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.Heartbeats;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.delivery.DeliveryCounters;
import io.sluice.relay.dispatch.DispatchMeters;
import io.sluice.relay.dispatch.WorkAnnouncer;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.history.ContainerRanges;
import io.sluice.relay.history.HistoryPublisher;
import io.sluice.relay.history.HistoryTopics;
import io.sluice.relay.history.PagePublisher;
import io.sluice.relay.history.RangeFeeds;
import io.sluice.relay.history.RangeState;
import io.sluice.relay.history.RangeStatus;
import io.sluice.relay.loop.Shutdown;
import io.sluice.relay.metrics.CosmosMeters;
import io.sluice.relay.metrics.HealthMeters;
import io.sluice.relay.metrics.RelayMeters;
import io.sluice.relay.purge.PurgeResponder;
import io.sluice.relay.status.RelayStatus;
import io.sluice.relay.streams.QueryRoutes;
import io.sluice.relay.sweep.Sweep;
import io.sluice.relay.takeover.Takeover;
import io.sluice.relay.topic.TopicAdmin;
import io.sluice.relay.watch.RecentEvents;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a running relay. Made and started by one thread; {@link #status} may come from any. */
public final class RelayRuntime implements AutoCloseable {
    /** The intake may take so much of the drain timeout; the rest is for deliveries that it has begun. */
    private static final double INTAKE_SHARE = 0.75;

    private final RelayConnections connections;
    private final Pauses pauses = new Pauses();
    private final RelayMemory memory = RelayMemory.ofHeap();
    private final Heartbeats heartbeats = new Heartbeats();
    private final RelayMeters meters;
    private final RecentEvents tail;
    private final IntentPipeline intents;
    private final PurgeResponder purges;
    private final WorkAnnouncer announcer;
    private final Takeover takeover;
    private final HistoryPublisher history;
    private final CommandPipeline commands;
    private final @Nullable StreamsHealth streams;
    private final RelayMonitoring monitoring;

    private RelayRuntime(RelayConnections connections, String name, PrometheusMeterRegistry registry) {
        this.connections = connections;
        this.meters = new RelayMeters(
                registry,
                new RelayMeters.Sources(this::deliveryStatus, this::commandStatus, this::deadLettersInStore, pauses));
        this.tail = new RecentEvents(meters, connections.clock());
        this.announcer = new WorkAnnouncer(
                new WorkAnnouncer.Kafka(connections.kafka(), connections.topics()),
                new WorkAnnouncer.Feed(
                        connections.store().workStore(), connections.feed().container()),
                connections.config().dispatch(),
                new DispatchMeters(registry),
                connections.clock());
        this.intents = new IntentPipeline(
                connections,
                new Sweep.Ranges(connections.feed()::physicalRanges, this::isAssigned, this::orphans),
                control(Pipeline.INTENTS),
                new DeliveryCounters(meters::recordDelivery, this::reportDeadLetter, announcer::delivered),
                memory);
        this.takeover = new Takeover(
                connections.kafka(),
                connections.topics().relays(),
                name,
                intents.sweep()::own,
                intents.sweep()::orphansChanged);
        this.purges = newPurges();
        this.history = newHistory();
        this.commands = new CommandPipeline(
                connections,
                intents.partitions(),
                control(Pipeline.COMMANDS),
                memory,
                new CommandPipeline.CommandListener(announcer::delivered, this::reportRefusedCommands));
        this.streams = newStreams(registry);
        this.monitoring = new RelayMonitoring(
                new RelayMonitoring.MonitoredRelay(
                        name, connections, this::status, history::status, intents.failures()),
                new RelayMonitoring.Telemetry(pauses, heartbeats, intents, registry, meters, tail),
                streamsRoutes(),
                connections.clock());
        registerMeters(registry);
    }

    private void registerMeters(PrometheusMeterRegistry registry) {
        HealthMeters.register(
                registry,
                new HealthMeters.Standing(
                        () -> monitoring.health().lifeFaults().isEmpty(),
                        () -> monitoring.health().readinessFaults().isEmpty(),
                        this::share,
                        this::orphaned,
                        connections.store()::clockOffset,
                        intents::sweepAge));
        if (streams != null) {
            streams.register(registry);
        }
        HealthMeters.registerCommands(registry, commands::waiting, monitoring::rejectedCommands);
    }

    /**
     * Connects, checks the prerequisites and starts all parts; when one can't start, closes those that could.
     *
     * @param clock null for the time of the service
     * @param beforePort runs just before the port for operators is opened
     * @throws PrerequisiteException or {@link io.sluice.provider.ProviderException} naming the remedy
     */
    public static RelayRuntime start(
            RelayConfig config, String name, @Nullable InstantSource clock, Runnable beforePort) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var connections = RelayConnections.open(config, clock, new CosmosMeters(registry)::metered);
        AutoCloseable toClose = connections;
        try {
            connections.requireKafka();
            TopicAdmin.log(connections.prepare(config.kafka().provisioning().atStart()));
            // Once more for topics that were made just now.
            connections.prerequisites().requireRights();
            connections.register();
            var parts = new RelayRuntime(connections, name, registry);
            toClose = parts;
            parts.startAll(beforePort);
            toClose = () -> {};
            return parts;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrerequisiteException("interrupted while starting", e);
        } finally {
            Shutdown.quietly(toClose);
        }
    }

    private void startAll(Runnable beforePort) throws InterruptedException {
        announcer.start();
        intents.start();
        takeover.start();
        history.start();
        commands.startIntake();
        if (streams != null) {
            streams.start();
        }
        commands.startLag();
        beforePort.run();
        monitoring.start();
    }

    private HistoryPublisher newHistory() {
        var feed = connections.feed();
        var config =
                connections.config().feed().forDispatch(connections.config().dispatch());
        var feeds = new RangeFeeds(
                new ContainerRanges(
                        feed.containerRid(),
                        feed::physicalRanges,
                        config.first(),
                        range -> new RangeReader(feed.container(), range, config.pageSize())),
                intents.changes(),
                memory,
                connections.clock(),
                config.pace());
        return new HistoryPublisher(
                new HistoryTopics(connections.kafka(), connections.topics()),
                feeds,
                PagePublisher.of(connections.topics(), connections.eventSource(), tail, purges)
                        .announcing(announcer),
                control(Pipeline.EVENTS),
                connections.config().operations().drainTimeout());
    }

    private @Nullable StreamsHealth newStreams(MeterRegistry registry) {
        var config = connections.config();
        if (!config.streams().enabled()) {
            return null;
        }
        var drainTimeout = config.operations().drainTimeout();
        var client =
                StreamsFactory.streams(connections.kafka(), config.kafka(), config.streams(), drainTimeout, registry);
        return StreamsHealth.of(client, connections.kafka(), connections.topics(), connections.clock(), drainTimeout);
    }

    private List<Endpoint> streamsRoutes() {
        return streams == null
                ? QueryRoutes.withoutStreams()
                : new QueryRoutes(streams.streams().queries()).endpoints();
    }

    private PurgeResponder newPurges() {
        var markers = new PurgeMarkers(
                connections.store().container(), connections.store().clockObserver(), connections.clock());
        return new PurgeResponder(
                markers::answer, connections.config().operations().drainTimeout());
    }

    private PipelineControl control(Pipeline part) {
        return new PipelineControl(part, pauses, heartbeats);
    }

    /** An intent has become a dead letter. */
    private void reportDeadLetter() {
        intents.publishDeadLetters();
        monitoring.deadLettersChanged();
    }

    private void reportRefusedCommands() {
        monitoring.rejectedCommandsChanged();
    }

    /** Of ranges in whatever state: one that is not published shows its lag. */
    private double share() {
        return history.status().stream()
                .filter(range -> range.state() != RangeState.SPLIT)
                .mapToDouble(range -> range.range().share())
                .sum();
    }

    private double orphaned() {
        return orphans().stream().mapToDouble(KeyRange::share).sum();
    }

    private Set<KeyRange> orphans() {
        return takeover.orphans();
    }

    private boolean isAssigned() {
        return history.isAssigned();
    }

    private RelayStatus.Intents deliveryStatus() {
        return intents.delivery().status();
    }

    private CommandStatus commandStatus() {
        return commands.status();
    }

    private double deadLettersInStore() {
        return monitoring.deadLetters();
    }

    public int opsPort() {
        return monitoring.port();
    }

    public RelayStatus status() {
        var problems = new ArrayList<>(intents.problems());
        problems.addAll(announcer.problems());
        if (streams != null) {
            streams.problem().ifPresent(problems::add);
        }
        var deadLetters = RelayStatus.known(monitoring.deadLetters());
        return new RelayStatus(
                true,
                intents.status(deadLetters),
                history(problems),
                commands(problems),
                pauses.labels(),
                deadLetters,
                problems);
    }

    private RelayStatus.History history(List<String> problems) {
        var ranges = history.status();
        ranges.forEach(range -> {
            if (range.problem() != null) {
                problems.add("range " + range.range().name() + ": " + range.problem());
            }
        });
        history.problem().ifPresent(problem -> problems.add("the group of key ranges: " + problem));
        return new RelayStatus.History(
                ranges.stream().mapToLong(RangeStatus::published).sum(),
                ranges.stream().map(this::range).toList());
    }

    private RelayStatus.Range range(RangeStatus range) {
        var lag = monitoring.lag(range);
        return new RelayStatus.Range(
                range.range().name(),
                range.state().name(),
                range.published(),
                RelayStatus.known(lag.events()),
                RelayStatus.known(lag.seconds()));
    }

    private RelayStatus.Commands commands(List<String> problems) {
        var now = commands.status();
        if (now.problem() != null) {
            problems.add("commands: " + now.problem());
        }
        if (now.parked().problem() != null) {
            problems.add("commands: " + now.parked().problem());
        }
        return new RelayStatus.Commands(
                now.queued(),
                now.refused(),
                now.unanswered(),
                now.parked().count(),
                RelayStatus.known(monitoring.rejectedCommands()),
                RelayStatus.known(monitoring.lettersNotLookedAt()));
    }

    /**
     * Closes the intake, then what works on the intake's records, then the connections. Parts of a group close
     * together, so that one that hangs takes no time from those that can still drain.
     */
    @Override
    public void close() {
        var intake = new ArrayList<>(intents.intake());
        intake.addAll(List.of(commands.intake(), takeover, history));
        if (streams != null) {
            intake.add(streams);
        }
        var workers = new ArrayList<>(intents.workers());
        workers.addAll(List.of(purges, announcer, commands.lag(), monitoring));
        Shutdown.within(connections.config().operations().drainTimeout())
                .together(INTAKE_SHARE, intake.toArray(AutoCloseable[]::new))
                .together(1, workers.toArray(AutoCloseable[]::new))
                .together(1, connections);
    }
}
