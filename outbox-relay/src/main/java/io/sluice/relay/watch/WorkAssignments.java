package io.sluice.relay.watch;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.relay.kafka.BoundedAdmin;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Asks Kafka's groups which replica works on which partition. Thread-safe. */
public final class WorkAssignments {
    private static final long TIMEOUT_SECONDS = 5;

    private final Supplier<BoundedAdmin> admins;
    private final List<String> groups;

    /** The member that owns a partition of a topic; partitions of the positions topic are key ranges. */
    public record PartitionOwner(
            @JsonProperty("topic") String topic,
            @JsonProperty("partition") int partition,
            @JsonProperty("member") String member,
            @JsonProperty("host") String host) {}

    /** The work of all replicas. */
    public record Assignments(@JsonProperty("partitions") List<PartitionOwner> partitions) {}

    /** Asks about these groups. */
    public WorkAssignments(Supplier<BoundedAdmin> admins, List<String> groups) {
        this.admins = admins;
        this.groups = List.copyOf(groups);
    }

    /**
     * The current assignments; while a group is rebalancing, its partitions have no owner.
     *
     * @throws IllegalStateException when Kafka doesn't answer
     */
    public Assignments now() throws InterruptedException {
        try (var admin = admins.get()) {
            var described = admin.describeConsumerGroups(groups).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            var partitions = described.values().stream()
                    .flatMap(group -> group.members().stream())
                    .flatMap(member -> member.assignment().topicPartitions().stream()
                            .map(partition -> new PartitionOwner(
                                    partition.topic(), partition.partition(), member.consumerId(), member.host())))
                    .sorted(Comparator.comparing(PartitionOwner::topic).thenComparing(PartitionOwner::partition))
                    .toList();
            return new Assignments(partitions);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Kafka doesn't say who is in the groups " + groups, e);
        }
    }
}
