package io.sluice.relay.history;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.feed.KeyRange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Takes over the positions of an earlier release, which cut the key space into a fixed number of equal ranges. These
 * stay ranges, each where it was read to; one that lies in several of the service's partitions is split at its first
 * page.
 */
public final class PositionConversion {
    private final HistoryTopics topics;

    /** Converts nothing yet. */
    public PositionConversion(HistoryTopics topics) {
        this.topics = topics;
    }

    /**
     * Writes all positions in the present form, in one transaction. No relay must run.
     *
     * @param containerRid of the published container
     * @return how many ranges; 0 if there is nothing to convert
     * @throws PrerequisiteException if the earlier positions are of another container, not whole or can't be read
     */
    public int convert(String containerRid) throws InterruptedException {
        try (var admin = topics.admin()) {
            var log = topics.positions(admin);
            var earlier = earlier(log);
            if (earlier.isEmpty()) {
                return 0;
            }
            fenceOff(earlier.size());
            return convert(log, containerRid);
        } catch (TimeoutException | KafkaException e) {
            throw new PrerequisiteException("can't convert the positions: " + e.getMessage(), e);
        }
    }

    /** The positions in the earlier form; none if there are any in the present one. */
    private static List<Position> earlier(PositionLog log) throws TimeoutException, InterruptedException {
        var known = log.readAll();
        if (!known.isComplete()) {
            throw new TimeoutException("a position is behind a transaction that is still open; try again");
        }
        return known.newest().isEmpty() ? known.earlier() : List.of();
    }

    private static List<Position> checked(List<Position> earlier, String containerRid) {
        if (earlier.isEmpty()) {
            throw new PrerequisiteException("the positions were converted by somebody else meanwhile", null);
        }
        var gaps = KeyRange.gaps(earlier.stream().map(Position::bounds).toList());
        if (!gaps.isEmpty()) {
            throw new PrerequisiteException(
                    "the earlier positions leave out range " + gaps.get(0).name()
                            + ": start with --from-beginning or --from instead, after deleting the positions topic",
                    null);
        }
        earlier.stream()
                .filter(position -> !position.containerRid().equals(containerRid))
                .findFirst()
                .ifPresent(position -> {
                    throw new PrerequisiteException(
                            "the earlier positions are of container " + position.containerRid() + ", not of "
                                    + containerRid,
                            null);
                });
        return earlier;
    }

    /** What an earlier relay still has in hand can't be committed any more, and its open transactions are aborted. */
    private void fenceOff(int ranges) {
        for (int range = 0; range < ranges; range++) {
            var producer = producer(String.valueOf(range));
            try {
                producer.initTransactions();
            } finally {
                producer.close(Duration.ZERO);
            }
        }
    }

    private int convert(PositionLog log, String containerRid) throws TimeoutException, InterruptedException {
        var producer = producer(PositionSetup.ALL);
        try {
            // Another conversion can't commit any more, and nobody can move the earlier positions: read once more.
            producer.initTransactions();
            var positions = checked(earlier(log), containerRid);
            producer.beginTransaction();
            var topic = topics.topics().positions();
            for (int range = 0; range < positions.size(); range++) {
                PositionSetup.send(producer, positions.get(range).record(topic));
                // Else a relay of the earlier release would go on there, and publish everything since once more.
                byte[] key = ("range-" + range).getBytes(StandardCharsets.UTF_8);
                PositionSetup.send(producer, new ProducerRecord<>(topic, range, key, null));
            }
            producer.commitTransaction();
            return positions.size();
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private Producer<byte[], byte[]> producer(String id) {
        return topics.kafka()
                .transactional(
                        topics.topics().historyTransactionalId(id),
                        topics.topics().positions());
    }
}
