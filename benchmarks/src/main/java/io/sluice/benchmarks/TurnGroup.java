package io.sluice.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;

/** The consumer group whose members share the turns. */
final class TurnGroup implements AutoCloseable {
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final Admin admin;
    private final String nameBegins;

    /** Of one store: the rest of the name is a hash of that. */
    TurnGroup(String bootstrapServers, String nameBegins) {
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        this.nameBegins = nameBegins;
    }

    /** Waits until it has so many members, and each of them its partitions. */
    void awaitMembers(int count) {
        Wait.until(count + " runtimes share the turns", () -> isShared(count));
    }

    private boolean isShared(int count) {
        try {
            List<String> names = admin.listGroups(ListGroupsOptions.forConsumerGroups()).all().get().stream()
                    .map(GroupListing::groupId)
                    .filter(name -> name.startsWith(nameBegins))
                    .toList();
            return names.size() == 1
                    && admin.describeConsumerGroups(names).all().get().values().stream()
                            .allMatch(group -> isShared(group, count));
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker does not tell of the group", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a group forms", e);
        }
    }

    private static boolean isShared(ConsumerGroupDescription group, int count) {
        return group.groupState() == GroupState.STABLE
                && group.members().size() == count
                && group.members().stream().allMatch(TurnGroup::isWorking);
    }

    private static boolean isWorking(MemberDescription member) {
        return !member.assignment().topicPartitions().isEmpty()
                && member.targetAssignment()
                        .map(target -> target.equals(member.assignment()))
                        .orElse(true);
    }

    @Override
    public void close() {
        admin.close(CLOSE_LIMIT);
    }
}
