package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.topic.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state stores of this replica, and finds the replica that holds the state of another instance. Thread-safe.
 *
 * <p>Answers are never stale: standby copies are not read. While partitions move between replicas, no replica may hold
 * a state for a moment: {@link StateUnavailableException}.
 */
public final class InteractiveQueries {
    /** The most windows of an answer: of a hundred orchestrations by the minute, an hour has 6 000. */
    public static final int MOST_STATISTICS = 10_000;

    private final KafkaStreams streams;
    private final Topics topics;
    private final @Nullable HostInfo self;
    private final IntSupplier allPartitions;

    /** @param allPartitions gives the number of partitions of the history; each state store has as many */
    InteractiveQueries(KafkaStreams streams, Topics topics, @Nullable HostInfo self, IntSupplier allPartitions) {
        this.streams = streams;
        this.topics = topics;
        this.self = self;
        this.allPartitions = allPartitions;
    }

    /**
     * The part of a list that one or several replicas hold.
     *
     * @param partitions the partitions whose states were read; states of others are not in the list
     * @param reached up to this id, inclusive, the list is complete; null when it is complete to its end
     */
    public record PartialList<T>(
            Set<Integer> partitions,
            List<T> values,
            @Nullable String reached) {
        public PartialList {
            partitions = Set.copyOf(partitions);
            values = List.copyOf(values);
        }

        /** This part and the part of another replica. */
        public PartialList<T> with(PartialList<T> other) {
            var allPartitions = new TreeSet<>(partitions);
            allPartitions.addAll(other.partitions());
            var allValues = new ArrayList<>(values);
            allValues.addAll(other.values());
            return new PartialList<>(allPartitions, allValues, InstanceScan.nearer(reached, other.reached()));
        }
    }

    /**
     * A page of a list of instances, ordered by their ids.
     *
     * @param next the next page begins after this id; null when this is the last page. A page with few instances, or
     *     none, may still have a next one
     */
    public record Page(
            List<InstanceStatus> instances, @Nullable String next) {
        public Page {
            instances = List.copyOf(instances);
        }
    }

    /** No replica holds the state at the moment, as its partition moves; a later request will succeed. */
    public static final class StateUnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StateUnavailableException(@Nullable Throwable cause) {
            super("the states are being handed over between replicas, ask again in a moment", cause);
        }
    }

    /**
     * Selects instances.
     *
     * @param state null for all
     * @param orchestration null for all
     * @param after only instances whose id is greater; empty for all
     * @param limit at most so many, with the least ids
     */
    public record InstanceFilter(
            @Nullable State state, @Nullable String orchestration, String after, int limit) {
        boolean matches(InstanceStatus status) {
            return (state == null || state == status.state())
                    && (orchestration == null || orchestration.equals(status.orchestration()));
        }
    }

    /**
     * The replica that holds an instance's state; empty when it is this one.
     *
     * @throws StateUnavailableException when that is not known at present
     */
    public Optional<HostInfo> holderOf(String instance) {
        return other(place(instance).activeHost());
    }

    private KeyQueryMetadata place(String instance) {
        var place =
                query(() -> streams.queryMetadataForKey(LifecycleTopology.INSTANCES, instance, new StringSerializer()));
        if (place.equals(KeyQueryMetadata.NOT_AVAILABLE)) {
            throw new StateUnavailableException(null);
        }
        return place;
    }

    /** All other replicas. */
    public Set<HostInfo> others() {
        return query(() -> streams.streamsMetadataForStore(LifecycleTopology.INSTANCES)).stream()
                .map(StreamsMetadata::hostInfo)
                .flatMap(host -> other(host).stream())
                .collect(Collectors.toSet());
    }

    private Optional<HostInfo> other(HostInfo host) {
        return self == null || host.equals(self) || host.equals(HostInfo.unavailable())
                ? Optional.empty()
                : Optional.of(host);
    }

    /**
     * The state of an instance; empty when there is none.
     *
     * @throws StateUnavailableException when this replica does not hold the instance's partition, or is still restoring
     *     it
     */
    public Optional<InstanceStatus> instance(String id) {
        int partition = place(id).partition();
        return query(() -> Optional.ofNullable(instancesOf(partition).get(id))).map(InstanceState::status);
    }

    private ReadOnlyKeyValueStore<String, InstanceState> instancesOf(int partition) {
        return streams.store(StoreQueryParameters.fromNameAndType(
                        LifecycleTopology.INSTANCES, QueryableStoreTypes.<String, InstanceState>keyValueStore())
                .withPartition(partition));
    }

    /**
     * The instances of this replica that match. States that do not match have to be read too, so a request reads a
     * limited number of states and the next one continues.
     */
    public PartialList<InstanceStatus> instances(InstanceFilter choice) {
        var partitions = partitions(topics.history()::equals);
        var scan = new InstanceScan(choice, allPartitions(), partitions.size(), System::nanoTime);
        var held = new PartialList<InstanceStatus>(Set.of(), List.of(), null);
        for (int partition : partitions) {
            held = held.with(query(() -> scan.read(partition, instancesOf(partition))));
        }
        return held;
    }

    private int allPartitions() {
        try {
            return allPartitions.getAsInt();
        } catch (PrerequisiteException e) {
            throw new StateUnavailableException(e);
        }
    }

    /**
     * Checks that the list has the states of all partitions: while a partition moves, its states are missing.
     *
     * @throws StateUnavailableException when a partition is missing
     */
    public <T> PartialList<T> complete(PartialList<T> held) {
        if (held.partitions().size() < allPartitions()) {
            throw new StateUnavailableException(null);
        }
        return held;
    }

    /** The first page of the parts of all replicas. */
    public static Page page(PartialList<InstanceStatus> held, int limit) {
        return InstanceScan.page(held, limit);
    }

    /** The partitions of a topic whose states this replica holds. */
    private Set<Integer> partitions(Predicate<String> topic) {
        var partitions = new TreeSet<Integer>();
        for (ThreadMetadata thread : query(streams::metadataForLocalThreads)) {
            thread.activeTasks()
                    .forEach(task -> task.topicPartitions().stream()
                            .filter(each -> topic.test(each.topic()))
                            .forEach(each -> partitions.add(each.partition())));
        }
        return partitions;
    }

    /**
     * The statistics that this replica holds, by window, then by orchestration.
     *
     * @param from windows that begin before are left out
     * @param to windows that begin after are left out
     * @param orchestration whose windows are meant; null for all
     * @throws IllegalArgumentException when they are more than {@link #MOST_STATISTICS}
     */
    public PartialList<OrchestrationStatistics> statistics(Instant from, Instant to, @Nullable String orchestration) {
        var statistics = new ArrayList<OrchestrationStatistics>();
        var partitions = partitions(topic -> topic.endsWith(LifecycleTopology.BY_ORCHESTRATION + "-repartition"));
        for (int partition : partitions) {
            statistics.addAll(query(() -> statistics(from, to, orchestration, partition)));
            requireFew(statistics);
        }
        return new PartialList<>(partitions, inOrder(statistics), null);
    }

    private List<OrchestrationStatistics> statistics(
            Instant from, Instant to, @Nullable String orchestration, int partition) {
        var store = streams.store(StoreQueryParameters.fromNameAndType(
                        LifecycleTopology.STATISTICS, QueryableStoreTypes.<String, StatisticsAggregate>windowStore())
                .withPartition(partition));
        var statistics = new ArrayList<OrchestrationStatistics>();
        try (var windows = store.fetchAll(from, to)) {
            while (windows.hasNext() && statistics.size() <= MOST_STATISTICS) {
                var window = windows.next();
                if (orchestration == null || orchestration.equals(window.key.key())) {
                    statistics.add(window.value.of(
                            window.key.key(),
                            window.key.window().startTime(),
                            window.key.window().endTime()));
                }
            }
        }
        return statistics;
    }

    /**
     * Checks that an answer is not too long to be held in memory.
     *
     * @throws IllegalArgumentException when it is
     */
    public static void requireFew(Collection<OrchestrationStatistics> statistics) {
        if (statistics.size() > MOST_STATISTICS) {
            throw new IllegalArgumentException("more than " + MOST_STATISTICS
                    + " windows were asked for; name an orchestration, or times (from, to) that are closer together");
        }
    }

    /** In the order of their windows, then by orchestration. */
    public static List<OrchestrationStatistics> inOrder(Collection<OrchestrationStatistics> statistics) {
        return statistics.stream()
                .sorted(Comparator.comparing(OrchestrationStatistics::windowStart)
                        .thenComparing(OrchestrationStatistics::orchestration))
                .toList();
    }

    @FunctionalInterface
    private interface Query<T> {
        T run();
    }

    private static <T> T query(Query<T> query) {
        try {
            return query.run();
        } catch (InvalidStateStoreException | IllegalStateException e) {
            throw new StateUnavailableException(e);
        }
    }
}
