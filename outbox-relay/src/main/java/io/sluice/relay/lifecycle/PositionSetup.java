package io.sluice.relay.lifecycle;

import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.StartFault;
import io.sluice.relay.ops.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the first positions. All of them are there before the first event is published by anybody, so that later a
 * missing position always means that something was lost.
 */
final class PositionSetup {
    private static final Logger LOG = LoggerFactory.getLogger(PositionSetup.class);

    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;
    private final PositionLog positions;

    PositionSetup(KafkaAccess kafka, Admin admin, Topics topics, PositionLog positions) {
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
        this.positions = positions;
    }

    /**
     * Makes sure that every range has a position that fits.
     *
     * @param fromBeginning whether a missing position may become the beginning of the feed though events were published
     * @throws StartFault when a position is of another layout or container, or missing and that isn't allowed
     */
    void ensure(int ranges, String containerRid, boolean fromBeginning) throws InterruptedException {
        var faults = new ArrayList<String>();
        var unsure = new ArrayList<RangeId>();
        for (int index = 0; index < ranges; index++) {
            var id = RangeId.of(index, ranges, containerRid);
            try {
                if (!exists(id)) {
                    unsure.add(id);
                }
            } catch (PositionRefused e) {
                faults.add(e.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            throw StartFault.of(faults);
        }
        if (!unsure.isEmpty()) {
            boolean mayBegin = fromBeginning || !isAnythingPublished();
            unsure.forEach(id -> writeBeginning(id, mayBegin));
        }
    }

    private boolean exists(RangeId id) throws PositionRefused, InterruptedException {
        try {
            var position = positions.read(id.index());
            if (position.isPresent()) {
                position.get().mustBeOf(id);
            }
            return position.isPresent();
        } catch (TimeoutException e) {
            LOG.atDebug().addKeyValue(LogKeys.RANGE, id.index()).setCause(e).log("position behind a transaction");
            return false;
        }
    }

    /** By the protocol: raise the epoch first, look again, and write only what is still missing. */
    private void writeBeginning(RangeId id, boolean mayBegin) {
        try (var producer = kafka.transactional(topics.historyTransactionalId(id.index()))) {
            producer.initTransactions();
            if (positions.read(id.index()).isEmpty()) {
                if (!mayBegin) {
                    throw new StartFault(
                            "the position of range " + id.index() + " is missing though " + topics.history()
                                    + " is not empty; if repeating its events is right, start once with "
                                    + "--from-beginning",
                            null);
                }
                producer.beginTransaction();
                send(
                        producer,
                        new ProducerRecord<>(
                                topics.positions(),
                                id.index(),
                                id.recordKey(),
                                Position.beginning(id).encode()));
                producer.commitTransaction();
                LOG.atInfo().addKeyValue(LogKeys.RANGE, id.index()).log("position set to the beginning of the feed");
            }
        } catch (TimeoutException | PositionRefused e) {
            throw new StartFault("can't write the first position of range " + id.index() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFault("interrupted while writing the first position of range " + id.index(), e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit reports what the send met
    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message) {
        producer.send(message);
    }

    private boolean isAnythingPublished() throws InterruptedException {
        try {
            int partitions = admin.describeTopics(List.of(topics.history())).allTopicNames().get().values().stream()
                    .mapToInt(topic -> topic.partitions().size())
                    .sum();
            Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topics.history(), partition))
                    .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
            return admin.listOffsets(ends).all().get().values().stream().anyMatch(end -> end.offset() > 0);
        } catch (ExecutionException e) {
            throw new StartFault("can't read the end of " + topics.history() + ": " + e.getCause(), e);
        }
    }
}
