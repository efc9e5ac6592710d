package io.sluice.relay.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.deadletter.DeadLetterPublisher;
import io.sluice.relay.delivery.DeliveryCounters;
import io.sluice.relay.delivery.IntentDelivery;
import io.sluice.relay.delivery.SourceDrains;
import io.sluice.relay.delivery.StoreOutbox;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.partition.StorePartitions;
import io.sluice.relay.partition.UnavailablePartition;
import io.sluice.relay.status.RelayStatus;
import io.sluice.relay.sweep.Sweep;
import io.sluice.relay.sweep.UnfinishedWork;
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
    private final StorePartitions partitions;
    private final IntentDelivery delivery;
    private final Sweep sweep;
    private final UnfinishedWork unfinished;

    /**
     * Reads and writes nothing yet.
     *
     * @param ranges of the store
     * @param control pauses delivery, and receives its heartbeat
     */
    IntentPipeline(
            RelayConnections connections,
            Sweep.Ranges ranges,
            PipelineControl control,
            DeliveryCounters counters,
            RelayMemory memory) {
        this.connections = connections;
        var config = connections.config();
        this.failures = new FailedIntents(
                connections.store().container(),
                connections.store().clockObserver(),
                connections.store().limits(),
                connections.clock());
        this.deadLetters = new DeadLetterPublisher(
                failures,
                () -> connections.kafka().idempotent(connections.topics().deadLetters()),
                connections.topics().deadLetters(),
                config.feed().sweepInterval(),
                config.operations().drainTimeout());
        this.partitions = new StorePartitions(
                connections.feed()::physicalRanges, config.operations().drainTimeout());
        this.delivery = newDelivery(control, counters, memory);
        this.sweep = new Sweep(
                connections.feed().container(),
                delivery,
                ranges,
                new Sweep.Rhythm(
                        config.feed().sweepInterval(), config.operations().drainTimeout(), connections.clock()));
        this.unfinished = new UnfinishedWork(
                new StoreSweep(connections.store()),
                config.feed().sweepInterval(),
                config.operations().drainTimeout());
    }

    private IntentDelivery newDelivery(PipelineControl control, DeliveryCounters counters, RelayMemory memory) {
        var config = connections.config().delivery();
        var intents = new IntentOutbox(
                connections.store().container(), connections.store().clockObserver(), connections.clock());
        var store = new SourceDrains.Store(
                new StoreOutbox(intents, failures, config.givingUp().answerSources()), partitions, connections.clock());
        var drains = new SourceDrains(store, config, counters, memory);
        return new IntentDelivery(
                drains, config, connections.config().operations().drainTimeout(), control, connections.clock());
    }

    /** Starts delivery, what finds intents, and the publishing of dead letters. */
    void start() {
        startDelivery();
        deadLetters.start();
        unfinished.start();
    }

    /** Starts delivery and what finds intents, which need the store alone. */
    void startDelivery() {
        partitions.start();
        delivery.start();
        sweep.start();
    }

    /** Follows what is read of the change feed. */
    ChangeListener changes() {
        return new ChangeListener() {
            @Override
            public void taken(KeyRange range) {
                if (!partitions.has(range)) {
                    partitions.readAgain();
                }
                sweep.taken(range);
            }

            @Override
            public void onChange(KeyRange range, List<JsonNode> documents) {
                sweep.onChange(range, documents);
            }

            @Override
            public void givenAway(KeyRange range) {
                sweep.givenAway(range);
            }
        };
    }

    /** What finds intents that the feed shows no more. */
    Sweep sweep() {
        return sweep;
    }

    /** The partitions of the store, which are read from the start of delivery to the end of its workers. */
    StorePartitions partitions() {
        return partitions;
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

    /** The partitions of the store to which nothing can be delivered. */
    List<UnavailablePartition> unavailable() {
        return delivery.unavailable();
    }

    /** What keeps intents from being delivered; empty when nothing does. */
    List<String> problems() {
        var problems = new ArrayList<>(UnavailablePartition.problems(unavailable()));
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
        return List.of(sweep, unfinished);
    }

    /** What works on intents that were found; to be closed after the intake. */
    List<AutoCloseable> workers() {
        return List.of(delivery, deadLetters, partitions);
    }
}
