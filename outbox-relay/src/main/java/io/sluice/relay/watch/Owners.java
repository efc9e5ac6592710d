package io.sluice.relay.watch;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.relay.feed.LeaseAdmin;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;

/** Asks Kafka's groups and the leases who does what among all replicas. Thread-safe. */
public final class Owners {
    private static final long TIMEOUT_SECONDS = 5;

    private final Supplier<Admin> admins;
    private final List<String> groups;
    private final LeaseAdmin leases;

    /** Who has a partition of a topic; that of the positions is a key range. */
    public record Owner(
            @JsonProperty("topic") String topic,
            @JsonProperty("partition") int partition,
            @JsonProperty("member") String member,
            @JsonProperty("host") String host) {}

    /** Everybody's work. */
    public record Shares(
            @JsonProperty("partitions") List<Owner> partitions,
            @JsonProperty("leases") List<LeaseAdmin.Lease> leases) {}

    /** Asks about these groups. */
    public Owners(Supplier<Admin> admins, List<String> groups, LeaseAdmin leases) {
        this.admins = admins;
        this.groups = List.copyOf(groups);
        this.leases = leases;
    }

    /**
     * Who does what just now; while a group shares out anew, nobody has its partitions.
     *
     * @throws IllegalStateException when Kafka doesn't answer
     */
    public Shares now() throws InterruptedException {
        try (var admin = admins.get()) {
            var described = admin.describeConsumerGroups(groups).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            var partitions = described.values().stream()
                    .flatMap(group -> group.members().stream())
                    .flatMap(member -> member.assignment().topicPartitions().stream()
                            .map(partition -> new Owner(
                                    partition.topic(), partition.partition(), member.consumerId(), member.host())))
                    .sorted(Comparator.comparing(Owner::topic).thenComparing(Owner::partition))
                    .toList();
            return new Shares(partitions, leases.all());
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Kafka doesn't say who is in the groups " + groups, e);
        }
    }
}
