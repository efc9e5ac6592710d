package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.relay.ops.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads the states that this replica holds, and says which replica holds the others. Thread-safe.
 *
 * <p>While partitions move, a state may be nowhere for a moment: {@link NotNow}.
 */
public final class InsightQueries {
    private final KafkaStreams streams;
    private final Topics topics;
    private final @Nullable HostInfo self;

    InsightQueries(KafkaStreams streams, Topics topics, @Nullable HostInfo self) {
        this.streams = streams;
        this.topics = topics;
        this.self = self;
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
        var metadata = asked(() -> streams.queryMetadataForKey(Insight.INSTANCES, instance, new StringSerializer()));
        if (metadata.equals(KeyQueryMetadata.NOT_AVAILABLE)) {
            throw new NotNow(null);
        }
        return other(metadata.activeHost());
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

    /** The state of an instance, if this replica holds it and it is there. */
    public Optional<InstanceStatus> instance(String id) {
        return asked(() -> Optional.ofNullable(streams.store(StoreQueryParameters.fromNameAndType(
                                Insight.INSTANCES, QueryableStoreTypes.<String, Tracked>keyValueStore()))
                        .get(id)))
                .map(Tracked::status);
    }

    /** The instances that this replica holds, by their ids. What is not chosen is read all the same. */
    public List<InstanceStatus> instances(Choice choice) {
        var chosen = new ArrayList<InstanceStatus>();
        for (int partition : partitions()) {
            chosen.addAll(asked(() -> instances(choice, partition)));
        }
        return first(chosen, choice.limit());
    }

    /** The first of what several replicas gave. */
    public static List<InstanceStatus> first(Collection<InstanceStatus> statuses, int limit) {
        return statuses.stream()
                .sorted(Comparator.comparing(InstanceStatus::instance))
                .limit(limit)
                .toList();
    }

    private List<InstanceStatus> instances(Choice choice, int partition) {
        var store = streams.store(StoreQueryParameters.fromNameAndType(
                        Insight.INSTANCES, QueryableStoreTypes.<String, Tracked>keyValueStore())
                .withPartition(partition));
        var chosen = new ArrayList<InstanceStatus>();
        try (var all = store.range(choice.after(), null)) {
            while (all.hasNext() && chosen.size() < choice.limit()) {
                var status = all.next().value.status();
                if (choice.takes(status) && !status.instance().equals(choice.after())) {
                    chosen.add(status);
                }
            }
        }
        return chosen;
    }

    /** Partitions of the history whose states are here to be read. */
    private Set<Integer> partitions() {
        var partitions = new TreeSet<Integer>();
        for (ThreadMetadata thread : asked(streams::metadataForLocalThreads)) {
            thread.activeTasks()
                    .forEach(task -> task.topicPartitions().stream()
                            .filter(each -> each.topic().equals(topics.history()))
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
    public List<OrchestrationStatistics> statistics(Instant from, Instant to) {
        return asked(() -> {
            var store = streams.store(StoreQueryParameters.fromNameAndType(
                    Insight.STATISTICS, QueryableStoreTypes.<String, Tally>windowStore()));
            var statistics = new ArrayList<OrchestrationStatistics>();
            try (var windows = store.fetchAll(from, to)) {
                windows.forEachRemaining(window -> statistics.add(window.value.of(
                        window.key.key(),
                        window.key.window().startTime(),
                        window.key.window().endTime())));
            }
            return inOrder(statistics);
        });
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
