package io.sluice.relay.runtime;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.program.ProcessMeters;
import io.sluice.program.http.Endpoint;
import io.sluice.program.http.OpsServer;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.Heartbeats;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.deadletter.DeadLetterAdmin;
import io.sluice.relay.deadletter.DeadLetterCount;
import io.sluice.relay.deadletter.DeadLetterRoutes;
import io.sluice.relay.deadletter.RetryJob;
import io.sluice.relay.feed.EventBacklog;
import io.sluice.relay.history.RangeStatus;
import io.sluice.relay.loop.Shutdown;
import io.sluice.relay.metrics.RelayMeters;
import io.sluice.relay.partition.UnavailablePartition;
import io.sluice.relay.rejected.RejectedCommandAdmin;
import io.sluice.relay.rejected.RejectedCount;
import io.sluice.relay.rejected.RejectedRoutes;
import io.sluice.relay.status.RelayStatus;
import io.sluice.relay.watch.LagMonitor;
import io.sluice.relay.watch.Liveness;
import io.sluice.relay.watch.RecentEvents;
import io.sluice.relay.watch.WorkAssignments;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Monitors a running relay and serves the port for operators. Created and started by one thread; the counts may be read
 * by any.
 */
final class RelayMonitoring implements AutoCloseable {
    private final MonitoredRelay relay;
    private final Telemetry telemetry;
    private final RelayHealth health;
    private final LagMonitor survey;
    private final DeadLetterCount count;
    private final RetryJob retries;
    private final RejectedCount rejected;
    private final ProcessMeters process;
    private final OpsServer server;

    /** The relay that is monitored. */
    record MonitoredRelay(
            String name,
            RelayConnections connections,
            Supplier<RelayStatus> status,
            Supplier<List<RangeStatus>> rangeStatus,
            FailedIntents failures) {
        RelayConfig.Operations operations() {
            return connections.config().operations();
        }
    }

    /** The state by which a relay is monitored: pauses, heartbeats, meters and latest events. */
    record Telemetry(
            Pauses pauses,
            Heartbeats heartbeats,
            IntentPipeline intents,
            PrometheusMeterRegistry registry,
            RelayMeters meters,
            RecentEvents tail) {}

    RelayMonitoring(MonitoredRelay relay, Telemetry telemetry, List<Endpoint> more, InstantSource clock) {
        this.relay = relay;
        this.telemetry = telemetry;
        var operations = relay.operations();
        var backlog = new EventBacklog(relay.connections().feed().container());
        this.survey = new LagMonitor(
                relay.rangeStatus(), backlog::newerThan, this::surveyed, clock, operations.drainTimeout());
        this.count = new DeadLetterCount(
                relay.connections().feed().container(),
                relay.connections().config().feed().sweepInterval(),
                operations.drainTimeout());
        var admin = new DeadLetterAdmin(relay.failures(), operations.retriesPerSecond());
        this.retries = new RetryJob(admin, count::wakeUp, clock, operations.drainTimeout());
        var connections = relay.connections();
        this.rejected = new RejectedCount(
                connections.kafka(),
                connections.topics().deadLetters(),
                connections.config().feed().sweepInterval(),
                operations.drainTimeout());
        this.health = new RelayHealth(relay.status(), this::workers, operations.livenessTimeout());
        List<Endpoint> endpoints = new ArrayList<>(new OpsRoutes(
                        relay.name(),
                        health,
                        telemetry.registry(),
                        telemetry.pauses(),
                        telemetry.tail(),
                        survey,
                        owners())
                .endpoints());
        endpoints.addAll(more);
        endpoints.addAll(new DeadLetterRoutes(admin, retries, count).endpoints());
        endpoints.addAll(new RejectedRoutes(
                        new RejectedCommandAdmin(
                                connections.kafka(),
                                connections.topics(),
                                connections.config().kafka().allowedReplyTopics()),
                        rejected::wakeUp)
                .endpoints());
        this.server = new OpsServer(operations.http(), endpoints);
        this.process = new ProcessMeters(telemetry.registry());
    }

    private WorkAssignments owners() {
        var connections = relay.connections();
        var topics = connections.topics();
        return new WorkAssignments(connections.kafka()::admin, List.of(topics.historyGroup(), topics.commandsGroup()));
    }

    void start() {
        survey.start();
        count.start();
        rejected.start();
        server.start();
    }

    int port() {
        return server.port();
    }

    RelayHealth health() {
        return health;
    }

    /** Number of dead letters in the store; NaN if unknown. */
    double deadLetters() {
        return count.latest();
    }

    /** Number of older records of the dead letter topic that were not read; NaN if unknown. */
    double lettersNotLookedAt() {
        return rejected.notRead();
    }

    double rejectedCommands() {
        return rejected.latest();
    }

    void deadLettersChanged() {
        count.wakeUp();
    }

    void rejectedCommandsChanged() {
        rejected.wakeUp();
    }

    /** The lag of a range; unknown before its first measurement. */
    RelayMeters.Lag lag(RangeStatus range) {
        return survey.of(range.range()).orElseGet(() -> new RelayMeters.Lag(range.range(), Double.NaN, Double.NaN));
    }

    private void surveyed(List<RelayMeters.Lag> ranges) {
        telemetry.meters().lag(ranges);
        telemetry
                .meters()
                .unavailable(telemetry.intents().unavailable().stream()
                        .map(UnavailablePartition::range)
                        .toList());
        // Otherwise the first work after idle hours would seem to have waited that long.
        if (!hasDueIntents()) {
            telemetry.heartbeats().beat(Pipeline.INTENTS.label());
        }
    }

    private boolean hasDueIntents() {
        return telemetry.intents().delivery().hasDueWork();
    }

    private List<Liveness.Worker> workers() {
        var workers = new ArrayList<Liveness.Worker>();
        workers.add(new Liveness.Worker(
                "the delivery of intents",
                hasDueIntents() && !telemetry.pauses().isPaused(Pipeline.INTENTS),
                telemetry.heartbeats().silence(Pipeline.INTENTS.label())));
        workers.add(always("the intake of commands", Pipeline.COMMANDS.label()));
        workers.add(always("the group of key ranges", Pipeline.EVENTS.label()));
        relay.rangeStatus().get().stream()
                .filter(RelayMonitoring::givesHeartbeats)
                .map(range -> always(
                        "the publisher of range " + range.range().name(),
                        PipelineControl.worker(Pipeline.EVENTS, range.range().name())))
                .forEach(workers::add);
        return workers;
    }

    /** A worker that gives heartbeats with or without work and success; without a heartbeat it hangs. */
    private Liveness.Worker always(String worker, String heartbeat) {
        return new Liveness.Worker(worker, true, telemetry.heartbeats().silence(heartbeat));
    }

    /**
     * A publisher whose attempts fail gives heartbeats all the same: lag and faults concern readiness and alerts. With
     * Kafka away, a process that is killed can't start again, and delivers no intents meanwhile. A refused position
     * needs an operator; a restart would not help.
     */
    private static boolean givesHeartbeats(RangeStatus range) {
        return switch (range.state()) {
            case TAKING_OVER, PUBLISHING, PAUSED, RECOVERING -> true;
            case REFUSED, SPLIT, ENDED -> false;
        };
    }

    @Override
    public void close() {
        Shutdown.quietly(server, retries, survey, count, rejected, process);
    }
}
