package io.sluice.relay.history;

import io.sluice.relay.kafka.BoundedAdmin;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * The topics of history and positions, and the group that distributes the key ranges. Each call makes a client of its
 * own.
 */
public record HistoryTopics(KafkaAccess kafka, Topics topics) {
    BoundedAdmin admin() {
        return kafka.adminForReading();
    }

    PositionLog positions(Admin admin) {
        return new PositionLog(kafka, admin, topics, KafkaAccess.TRANSACTION_TIMEOUT);
    }

    PositionSetup setup(Admin admin, PositionLog positions) {
        return new PositionSetup(kafka, admin, topics, positions);
    }

    GroupOwnership ownership(Admin admin) {
        return new GroupOwnership(admin, topics.historyGroup(), topics.positions());
    }

    RangeTakeover takeover(PositionLog positions, RangeOwnership ownership) {
        return new RangeTakeover(
                range -> kafka.transactional(
                        topics.historyTransactionalId(range.key()), topics.history(), topics.positions()),
                positions,
                ownership);
    }

    Consumer<byte[], byte[]> groupMember() {
        return kafka.groupMember(topics.historyGroup(), "earliest");
    }
}
