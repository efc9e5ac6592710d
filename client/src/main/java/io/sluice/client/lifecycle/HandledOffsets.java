package io.sluice.client.lifecycle;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The offsets that a group has reached and not committed yet. Used by one thread. */
final class HandledOffsets {
    private static final Logger LOG = LoggerFactory.getLogger(HandledOffsets.class);

    private final @Nullable String group;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();

    /** @param group null for a reader that commits nothing */
    HandledOffsets(@Nullable String group, Consumer<byte[], byte[]> consumer) {
        this.group = group;
        this.consumer = consumer;
    }

    /** @param next the offset of the next event to handle */
    void put(TopicPartition partition, OffsetAndMetadata next) {
        offsets.put(partition, next);
    }

    void forget(Collection<TopicPartition> partitions) {
        offsets.keySet().removeAll(partitions);
    }

    /** Commits what was handled. What Kafka does not accept now is kept, unless it belongs to another member. */
    void commit() {
        if (group == null || offsets.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(Map.copyOf(offsets));
            offsets.clear();
        } catch (CommitFailedException | RebalanceInProgressException e) {
            offsets.clear();
            LOG.atWarn()
                    .addKeyValue("group", group)
                    .setCause(e)
                    .log("partitions went to another member before their events were committed: they come again there");
        } catch (RetriableException e) {
            LOG.atWarn().addKeyValue("group", group).setCause(e).log("offsets could not be committed, will try again");
        }
    }
}
