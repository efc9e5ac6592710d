package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.relay.ops.PrerequisiteException;
import io.sluice.relay.ops.Topics;
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
 * Reads the states that this replica holds, and says which replica holds the others. Thread-safe.
 *
 * <p>Answers are never stale: standby copies are not asked. While partitions move, a state may be nowhere for a moment: {@link NotNow}.
 */
public final class InsightQueries {
    private final KafkaStreams streams;
    private final Topics topics;
    private final @Nullable HostInfo self;
    private final IntSupplier allPartitions;

    /** @param allPartitions how many the history has, and with it each of the states */
    InsightQueries(KafkaStreams streams, Topics topics, @Nullable HostInfo self, IntSupplier allPartitions) {
        this.streams = streams;
        this.topics = topics;
        this.self = self;
        this.allPartitions = allPartitions;
    }

    /**
     * What a replica has of a list.
     *
     * @param partitions of the states that were read; a state of another partition would not be in the list
     * @param reached up to this id, inclusive, nothing is left out; null where nothing is left out at all
     */
    public record Held<T>(
            Set<Integer> partitions,
            List<T> values,
            @Nullable String reached) {
        public Held {
            partitions = Set.copyOf(partitions);
            values = List.copyOf(values);
        }

        /** Together with what another replica has. */
        public Held<T> with(Held<T> other) {
            var allPartitions = new TreeSet<>(partitions);
            allPartitions.addAll(other.partitions());
            var allValues = new ArrayList<>(values);
            allValues.addAll(other.values());
            return new Held<>(allPartitions, allValues, InstanceScan.nearer(reached, other.reached()));
        }
    }

    /**
     * A page of a list of instances, by their ids.
     *
     * @param next after which id the next page begins; null when this was the last. A page may have few instances, or none, and a next one all the same
     */
    public record Page(
            List<InstanceStatus> instances, @Nullable String next) {
        public Page {
            instances = List.copyOf(instances);
        }
    }

    /** The state asked for is between two replicas; ask again. */
    public static final class NotNow extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotNow(@Nullable Throwable cause) {
            super("the states are being handed over between replicas, ask again in a moment", cause);
        }
    }

    /**
     * Which instances.
     *
     * @param state null for all
     * @param orchestration null for all
     * @param after only those whose id is greater; empty for all
     * @param limit at most so many, those of the least ids
     */
    public record Choice(@Nullable State state, @Nullable String orchestration, String after, int limit) {
        boolean takes(InstanceStatus status) {
            return (state == null || state == status.state())
                    && (orchestration == null || orchestration.equals(status.orchestration()));
        }
    }

    /**
     * Which replica holds an instance's state; empty when it is this one.
     *
     * @throws NotNow when that is not known at present
     */
    public Optional<HostInfo> holderOf(String instance) {
        return other(place(instance).activeHost());
    }

    private KeyQueryMetadata place(String instance) {
        var place = asked(() -> streams.queryMetadataForKey(Insight.INSTANCES, instance, new StringSerializer()));
        if (place.equals(KeyQueryMetadata.NOT_AVAILABLE)) {
            throw new NotNow(null);
        }
        return place;
    }

    /** The replicas besides this one. */
    public Set<HostInfo> others() {
        return asked(() -> streams.streamsMetadataForStore(Insight.INSTANCES)).stream()
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
     * @throws NotNow when this replica does not hold the instance's partition, whoever said that it does, or is still reading it in
     */
    public Optional<InstanceStatus> instance(String id) {
        int partition = place(id).partition();
        return asked(() -> Optional.ofNullable(instancesOf(partition).get(id))).map(Tracked::status);
    }

    private ReadOnlyKeyValueStore<String, Tracked> instancesOf(int partition) {
        return streams.store(StoreQueryParameters.fromNameAndType(
                        Insight.INSTANCES, QueryableStoreTypes.<String, Tracked>keyValueStore())
                .withPartition(partition));
    }

    /** Instances that this replica holds. What is not chosen is read all the same, so a request reads some states and the next goes on. */
    public Held<InstanceStatus> instances(Choice choice) {
        var partitions = partitions(topics.history()::equals);
        var scan = new InstanceScan(choice, allPartitions(), partitions.size(), System::nanoTime);
        var held = new Held<InstanceStatus>(Set.of(), List.of(), null);
        for (int partition : partitions) {
            held = held.with(asked(() -> scan.read(partition, instancesOf(partition))));
        }
        return held;
    }

    private int allPartitions() {
        try {
            return allPartitions.getAsInt();
        } catch (PrerequisiteException e) {
            throw new NotNow(e);
        }
    }

    /**
     * Makes sure that nothing is left out: while a partition moves, a list without its states would be a wrong one.
     *
     * @throws NotNow when a partition is missing
     */
    public <T> Held<T> complete(Held<T> held) {
        if (held.partitions().size() < allPartitions()) {
            throw new NotNow(null);
        }
        return held;
    }

    /** The first instances of what all replicas gave. */
    public static Page page(Held<InstanceStatus> held, int limit) {
        return InstanceScan.page(held, limit);
    }

    /** Partitions whose states are here to be read, by the topic that they are made of. */
    private Set<Integer> partitions(Predicate<String> topic) {
        var partitions = new TreeSet<Integer>();
        for (ThreadMetadata thread : asked(streams::metadataForLocalThreads)) {
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
     */
    public Held<OrchestrationStatistics> statistics(Instant from, Instant to) {
        var statistics = new ArrayList<OrchestrationStatistics>();
        var partitions = partitions(topic -> topic.endsWith(Insight.BY_ORCHESTRATION + "-repartition"));
        for (int partition : partitions) {
            statistics.addAll(asked(() -> statistics(from, to, partition)));
        }
        return new Held<>(partitions, inOrder(statistics), null);
    }

    private List<OrchestrationStatistics> statistics(Instant from, Instant to, int partition) {
        var store = streams.store(StoreQueryParameters.fromNameAndType(
                        Insight.STATISTICS, QueryableStoreTypes.<String, Tally>windowStore())
                .withPartition(partition));
        var statistics = new ArrayList<OrchestrationStatistics>();
        try (var windows = store.fetchAll(from, to)) {
            windows.forEachRemaining(window -> statistics.add(window.value.of(
                    window.key.key(),
                    window.key.window().startTime(),
                    window.key.window().endTime())));
        }
        return statistics;
    }

    /** In the order of their windows, then by orchestration. */
    public static List<OrchestrationStatistics> inOrder(Collection<OrchestrationStatistics> statistics) {
        return statistics.stream()
                .sorted(Comparator.comparing(OrchestrationStatistics::windowStart)
                        .thenComparing(OrchestrationStatistics::orchestration))
                .toList();
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask();
    }

    private static <T> T asked(Question<T> question) {
        try {
            return question.ask();
        } catch (InvalidStateStoreException | IllegalStateException e) {
            throw new NotNow(e);
        }
    }
}
