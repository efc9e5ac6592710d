package io.sluice.relay;

import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.deadletter.DeadLetterPublisher;
import io.sluice.relay.delivery.CircuitState;
import io.sluice.relay.delivery.DeliveryCounters;
import io.sluice.relay.delivery.IntentDelivery;
import io.sluice.relay.delivery.SourceDrains;
import io.sluice.relay.delivery.StoreOutbox;
import io.sluice.relay.delivery.Sweep;
import io.sluice.relay.feed.IntentFeed;
import io.sluice.relay.feed.IntentProcessor;
import io.sluice.relay.feed.LeaseOwner;
import io.sluice.relay.feed.ServiceTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the intents of a relay: the change feed and the sweep find them, delivery sends them, and those that fail
 * permanently are published as dead letters. Started by one thread; {@link #status} and {@link #problems} may be called
 * from any.
 */
final class IntentPipeline {
    private final RelayConnections connections;
    private final FailedIntents failures;
    private final DeadLetterPublisher deadLetters;
    private final IntentDelivery delivery;
    private final IntentFeed feed;
    private final Sweep sweep;

    /**
     * Reads and writes nothing yet.
     *
     * @param name of this replica in its leases
     * @param control pauses delivery, and receives its heartbeat
     */
    IntentPipeline(
            RelayConnections connections,
            String name,
            PipelineControl control,
            DeliveryCounters counters,
            RelayMemory memory) {
        this.connections = connections;
        var config = connections.config();
        this.failures = new FailedIntents(
                connections.store().container(), connections.store().clockObserver(), connections.clock());
        this.deadLetters = new DeadLetterPublisher(
                failures,
                () -> connections.kafka().idempotent(connections.topics().deadLetters()),
                connections.topics().deadLetters(),
                config.feed().sweepInterval(),
                config.operations().drainTimeout());
        this.delivery = newDelivery(control, counters, memory);
        this.feed = newFeed(name);
        this.sweep = new Sweep(
                connections.feed().container(),
                delivery,
                feed::sweptRanges,
                new StoreSweep(connections.store()),
                new Sweep.Rhythm(
                        config.feed().sweepInterval(), config.operations().drainTimeout(), connections.clock()));
    }

    private IntentDelivery newDelivery(PipelineControl control, DeliveryCounters counters, RelayMemory memory) {
        var config = connections.config().delivery();
        var intents = new IntentOutbox(
                connections.store().container(), connections.store().clockObserver(), connections.clock());
        var outbox = new StoreOutbox(intents, failures, config.givingUp().answerSources());
        var drains = new SourceDrains(outbox, config, counters, memory, connections.clock());
        return new IntentDelivery(
                drains, config, connections.config().operations().drainTimeout(), control, connections.clock());
    }

    private IntentFeed newFeed(String name) {
        var config = connections.config();
        var processor = new IntentProcessor(
                connections.feed(),
                new LeaseOwner(connections.topics().leasePrefix(), name),
                config.feed().pace(),
                config.operations().drainTimeout(),
                delivery::drainChanged);
        var time = new ServiceTime(connections.clock(), connections.store()::clockOffset);
        return new IntentFeed(processor, time, IntentFeed.CHECK_INTERVAL);
    }

    /** Starts delivery and the publishing of dead letters; intents arrive only after {@link #startFeed}. */
    void startDelivery() {
        deadLetters.start();
        delivery.start();
    }

    /** Starts the change feed, which may have to wait for another replica that creates the leases, and the sweep. */
    void startFeed() {
        feed.start();
        // Reads the leases.
        sweep.start();
    }

    /** Publishes now what has become a dead letter. */
    void publishDeadLetters() {
        deadLetters.wakeUp();
    }

    IntentDelivery delivery() {
        return delivery;
    }

    FailedIntents failures() {
        return failures;
    }

    Duration sweepAge() {
        return sweep.age();
    }

    /** Whether delivery sends no requests, because the store is away. */
    boolean isCircuitOpen() {
        return delivery.circuit() != CircuitState.CLOSED;
    }

    /** What keeps intents from being delivered; empty when nothing does. */
    List<String> problems() {
        var problems = new ArrayList<>(feed.problems());
        if (isCircuitOpen()) {
            problems.add("intents: the store does not answer, one request at a time finds out when it is back");
        }
        var sweepProblem = sweep.problem();
        if (sweepProblem != null) {
            problems.add(sweepProblem);
        }
        var publishingProblem = deadLetters.problem();
        if (publishingProblem != null) {
            problems.add("dead letters can't be published: " + publishingProblem);
        }
        return problems;
    }

    /** @param deadLetters number of intents that are stored as dead letters; null if unknown */
    RelayStatus.Intents status(@Nullable Long deadLetters) {
        var now = delivery.status();
        var found = sweep.found();
        return now.withDispatches(new RelayStatus.Dispatches(
                found == null ? null : (Integer) found.pending(),
                now.dispatches().sent(),
                found == null ? null : (Integer) found.retrying(),
                deadLetters,
                now.dispatches().circuit()));
    }

    /** What finds intents; to be closed first. */
    List<AutoCloseable> intake() {
        return List.of(feed, sweep);
    }

    /** What works on intents that were found; to be closed after the intake. */
    List<AutoCloseable> workers() {
        return List.of(delivery, deadLetters);
    }
}
