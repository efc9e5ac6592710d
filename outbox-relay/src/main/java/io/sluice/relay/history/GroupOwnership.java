package io.sluice.relay.history;

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
 * Asks the group's coordinator which member owns a range. The assignment that the consumer knows isn't enough: a
 * process that was paused learns late that its ranges went to another member. Thread-safe; one request per call.
 */
final class GroupOwnership implements RangeOwnership {
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

    /** Sets the member id that this replica has in the group at present. */
    void setMember(String memberId) {
        member = memberId;
    }

    @Override
    public Owner askOwner(RangeId range) {
        try {
            var groups = admin.describeConsumerGroups(List.of(group)).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            var described = groups.get(group);
            return described == null ? Owner.UNKNOWN : owner(described, new TopicPartition(topic, range.partition()));
        } catch (ExecutionException | TimeoutException e) {
            LOG.atDebug().setCause(e).log("the coordinator did not say which members the group has");
            return Owner.UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Owner.UNKNOWN;
        }
    }

    private Owner owner(ConsumerGroupDescription description, TopicPartition range) {
        if (description.groupState() != GroupState.STABLE) {
            return Owner.UNKNOWN;
        }
        return description.members().stream()
                        .filter(each -> each.consumerId().equals(member))
                        .anyMatch(each -> each.assignment().topicPartitions().contains(range))
                ? Owner.US
                : Owner.ANOTHER;
    }
}
