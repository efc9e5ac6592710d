package io.sluice.relay.history;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.topic.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * What an operator does with positions while no relay runs: those of an earlier release are converted, refused ones are
 * trusted, and those of another history topic are adopted.
 */
public final class PositionAdmin {
    private final HistoryTopics topics;

    /** Does nothing yet. */
    public PositionAdmin(HistoryTopics topics) {
        this.topics = topics;
    }

    /**
     * Takes over the positions of an earlier release, which cut the key space into a fixed number of equal ranges.
     * Writes them in the present form, in one transaction. They stay ranges, each where it was read to; one that lies
     * in several of the service's partitions is split at its first page.
     *
     * @param containerRid of the published container
     * @return how many ranges; 0 if there is nothing to convert
     * @throws PrerequisiteException if the earlier positions are of another container, not whole or can't be read
     */
    public int convert(String containerRid) throws InterruptedException {
        return with("convert the positions", (admin, log) -> {
            var earlier = earlier(log);
            if (earlier.isEmpty()) {
                return 0;
            }
            fenceOff(earlier.size());
            return convert(log, containerRid);
        });
    }

    @FunctionalInterface
    private interface Task<T> {
        T run(Admin admin, PositionLog log) throws TimeoutException, InterruptedException;
    }

    /** @param what is done, for the message if it can't be */
    private <T> T with(String what, Task<T> task) throws InterruptedException {
        try (var admin = topics.admin()) {
            return task.run(admin, topics.positions(admin));
        } catch (TimeoutException | KafkaException e) {
            throw new PrerequisiteException("can't " + what + ": " + e.getMessage(), e);
        }
    }

    /** The positions in the earlier form; none if there are any in the present one. */
    private static List<Position> earlier(PositionLog log) throws TimeoutException, InterruptedException {
        var known = all(log);
        return known.newest().isEmpty() ? known.earlier() : List.of();
    }

    private static Positions all(PositionLog log) throws TimeoutException, InterruptedException {
        var known = log.readAll();
        if (!known.isComplete()) {
            throw new TimeoutException("a position is behind a transaction that is still open; try again");
        }
        return known;
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

    /**
     * What became of refused positions.
     *
     * @param trusted the names of the ranges that go on
     * @param others why ranges stay refused, whose position is of another history topic or container
     */
    public record Trusted(List<String> trusted, List<String> others) {
        public Trusted {
            trusted = List.copyOf(trusted);
            others = List.copyOf(others);
        }
    }

    /**
     * Lets ranges go on at positions that are refused for being ahead of the feed's end, because the operator knows
     * that the container was not set back: as when the service numbers the changes of a merged partition anew. Each is
     * trusted until its next event, and as long as the feed does not end before where it ends now: a restore is still
     * noticed.
     *
     * @param containerRid of the published container
     * @param readers reads a range
     * @throws PrerequisiteException if the positions can't be read or written
     */
    public Trusted trust(String containerRid, Function<KeyRange, PageReader> readers) throws InterruptedException {
        return with("trust the positions", (admin, log) -> {
            var trusted = new ArrayList<String>();
            var others = new ArrayList<String>();
            for (var position : all(log).active()) {
                if (isAhead(position, containerRid)) {
                    trust(log, position.range(), readers.apply(position.bounds()));
                    trusted.add(position.range().name());
                } else if (position.refused() != null) {
                    others.add(position.refused());
                }
            }
            return new Trusted(trusted, others);
        });
    }

    /** Of whichever history topic: a position of another one is refused for that next, until it is adopted. */
    private static boolean isAhead(Position position, String containerRid) {
        return FeedEndCheck.isReasonOf(position)
                && position.continuation() != null
                && position.containerRid().equals(containerRid);
    }

    private void trust(PositionLog log, RangeId range, PageReader reader)
            throws TimeoutException, InterruptedException {
        var end = reader.endContinuation()
                .orElseThrow(
                        () -> new PrerequisiteException("the feed of range " + range.name() + " has no end", null));
        rewrite(log, range, position -> position.isRefused() ? position.trustedFrom(end) : position);
    }

    /**
     * How many positions are of another history topic than the present one.
     *
     * @throws PrerequisiteException if they can't be read
     */
    public int ofAnotherTopic() throws InterruptedException {
        return adopt(false);
    }

    /**
     * Lets all positions go on in the present history topic, which has another id because it was mirrored, or restored,
     * with its events. Whether it has them all is for the caller to know.
     *
     * @return how many were of another one
     * @throws PrerequisiteException if they can't be read or written
     */
    public int adopt() throws InterruptedException {
        return adopt(true);
    }

    private int adopt(boolean writes) throws InterruptedException {
        return with("adopt the history topic", (admin, log) -> {
            var present = new TopicReader(admin).id(topics.topics().history());
            int others = 0;
            for (var position : all(log).active()) {
                if (!present.equals(position.topicId())) {
                    others++;
                    if (writes) {
                        rewrite(log, position.range(), found -> found.adoptedBy(present));
                    }
                }
            }
            return others;
        });
    }

    /** Raises the epoch and reads the position again, as every owner does before it writes. */
    private void rewrite(PositionLog log, RangeId range, UnaryOperator<Position> change)
            throws TimeoutException, InterruptedException {
        var producer = producer(range.key());
        try {
            producer.initTransactions();
            var found = log.read(range);
            if (found.isPresent()) {
                producer.beginTransaction();
                PositionSetup.send(
                        producer,
                        change.apply(found.get()).record(topics.topics().positions()));
                producer.commitTransaction();
            }
        } finally {
            // The next initTransactions of this id aborts an open transaction.
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
