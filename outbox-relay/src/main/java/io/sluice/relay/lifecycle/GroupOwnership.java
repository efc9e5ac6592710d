package io.sluice.relay.lifecycle;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the group's coordinator who owns a range. The consumer's own belief isn't enough: a process that was paused
 * learns late that its ranges went elsewhere. Thread-safe; one request per question.
 */
final class GroupOwnership implements RangePublisher.Ownership {
    private static final Logger LOG = LoggerFactory.getLogger(GroupOwnership.class);
    private static final long TIMEOUT_SECONDS = 5;

    private final Admin admin;
    private final String group;
    private final String topic;
    private volatile String member = "";

    GroupOwnership(Admin admin, String group, String topic) {
        this.admin = admin;
        this.group = group;
        this.topic = topic;
    }

    /** Tells who we are in the group. */
    void setMember(String memberId) {
        member = memberId;
    }

    @Override
    public RangePublisher.Owner of(int range) {
        try {
            var groups = admin.describeConsumerGroups(List.of(group)).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            var described = groups.get(group);
            return described == null
                    ? RangePublisher.Owner.UNKNOWN
                    : owner(described, new TopicPartition(topic, range));
        } catch (ExecutionException | TimeoutException e) {
            LOG.atDebug().setCause(e).log("the group gave no answer about its members");
            return RangePublisher.Owner.UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return RangePublisher.Owner.UNKNOWN;
        }
    }

    private RangePublisher.Owner owner(ConsumerGroupDescription description, TopicPartition range) {
        if (description.groupState() != GroupState.STABLE) {
            return RangePublisher.Owner.UNKNOWN;
        }
        return description.members().stream()
                        .filter(each -> each.consumerId().equals(member))
                        .anyMatch(each -> each.assignment().topicPartitions().contains(range))
                ? RangePublisher.Owner.US
                : RangePublisher.Owner.ANOTHER;
    }
}
