package io.sluice.provider.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores where a new share group begins in a topic: at its end. Until a record is answered the leader of the partition
 * alone knows the place, in memory. The next leader would begin at the end of its time, and records that came between
 * would be announced to nobody, without a sign that they are missing. Used by one thread.
 */
final class GroupStart {
    private static final Logger LOG = LoggerFactory.getLogger(GroupStart.class);

    private final Admin admin;
    private final String group;

    GroupStart(Admin admin, String group) {
        this.admin = admin;
        this.group = group;
    }

    /**
     * Does nothing to a group that has its place. Every member calls it before it joins: where others have joined
     * meanwhile, one of them has stored the place, and it can't be stored any more.
     *
     * @throws KafkaException when the brokers do not answer, or refuse
     */
    void store(TopicState topic) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> missing = missing(topic);
        if (missing.isEmpty()) {
            return;
        }
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
                BrokerAnswers.await(admin.listOffsets(missing).all()).entrySet()) {
            ends.put(end.getKey(), end.getValue().offset());
        }
        try {
            BrokerAnswers.await(admin.alterShareGroupOffsets(group, ends).all());
            LOG.atInfo()
                    .addKeyValue("group", group)
                    .addKeyValue("offsets", ends)
                    .log("a new group begins here");
        } catch (GroupNotEmptyException e) {
            LOG.atDebug().addKeyValue("group", group).setCause(e).log("another process was the first to join");
        }
    }

    private Map<TopicPartition, OffsetSpec> missing(TopicState topic) throws InterruptedException {
        ListShareGroupOffsetsSpec partitions = new ListShareGroupOffsetsSpec().topicPartitions(topic.all());
        Map<TopicPartition, SharePartitionOffsetInfo> stored = BrokerAnswers.await(
                admin.listShareGroupOffsets(Map.of(group, partitions)).partitionsToOffsetInfo(group));
        Map<TopicPartition, OffsetSpec> missing = new HashMap<>();
        for (TopicPartition partition : topic.all()) {
            if (stored.get(partition) == null) {
                missing.put(partition, OffsetSpec.latest());
            }
        }
        return missing;
    }
}
