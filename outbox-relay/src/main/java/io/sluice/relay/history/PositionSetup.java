package io.sluice.relay.history;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.loop.Threads;
import io.sluice.relay.topic.TopicReader;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the first positions. All of them are written before any replica publishes the first event, so that later a
 * missing position always means a loss.
 */
final class PositionSetup {
    private static final int AT_A_TIME = 8;
    private static final int MOST_TRIES = 8;
    private static final Logger LOG = LoggerFactory.getLogger(PositionSetup.class);

    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;
    private final PositionLog positions;
    private final RetryBackoff backoff = new RetryBackoff(Duration.ofMillis(200), Duration.ofSeconds(5), new Random());

    PositionSetup(KafkaAccess kafka, Admin admin, Topics topics, PositionLog positions) {
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
        this.positions = positions;
    }

    /**
     * Makes sure that every range has a valid position.
     *
     * @param first where a range without a position begins
     * @throws PrerequisiteException when a position is of another layout or container, or missing and that isn't
     *     allowed
     */
    void ensure(int ranges, String containerRid, FirstPosition first) throws InterruptedException {
        var ids = ids(ranges, containerRid);
        var topicId = historyTopicId();
        var unsure = withoutPosition(ids, readAll(ids), first, topicId);
        if (!unsure.isEmpty()) {
            boolean mayBegin = first.repeats() || !isAnythingPublished();
            writeBeginnings(unsure, mayBegin ? first : null, topicId);
        }
    }

    /**
     * The positions that {@link #ensure} would leave; it writes none.
     *
     * @throws PrerequisiteException as that would, and when an open transaction hides a position
     */
    List<Position> preview(int ranges, String containerRid, FirstPosition first) throws InterruptedException {
        var ids = ids(ranges, containerRid);
        var known = readAll(ids);
        var topicId = historyTopicId();
        var missing = withoutPosition(ids, known, first, topicId);
        for (var id : missing) {
            if (!known.containsKey(id.index())) {
                throw new PrerequisiteException(
                        "the position of range " + id.index() + " is behind an open transaction; try again", null);
            }
        }
        if (!missing.isEmpty() && !first.repeats() && isAnythingPublished()) {
            throw missing(missing.get(0));
        }
        var positions = new ArrayList<Position>();
        for (var id : ids) {
            positions.add(
                    missing.contains(id)
                            ? beginning(id, first, topicId)
                            : trusted(
                                    id,
                                    known.getOrDefault(id.index(), Optional.empty())
                                            .orElseThrow(),
                                    topicId));
        }
        return positions;
    }

    private Position trusted(RangeId id, Position position, String topicId) {
        this.positions.historyTopic().refusal(id, position, topicId).ifPresent(why -> {
            throw new PrerequisiteException(why, null);
        });
        return position;
    }

    private String historyTopicId() {
        return new TopicReader(admin).id(topics.history());
    }

    static Position beginning(RangeId id, FirstPosition first, @Nullable String topicId) {
        var beginning = Position.beginning(id, topicId);
        return first.since() == null ? beginning : beginning.since(first.since());
    }

    PrerequisiteException missing(RangeId id) {
        return new PrerequisiteException(
                "the position of range " + id.index() + " is missing though " + topics.history()
                        + " is not empty; if repeating its events is right, start once with "
                        + "--from-beginning or --from",
                null);
    }

    static List<RangeId> ids(int ranges, String containerRid) {
        return IntStream.range(0, ranges)
                .mapToObj(index -> RangeId.of(index, ranges, containerRid))
                .toList();
    }

    /**
     * The ranges whose position has to be checked and perhaps written: it is missing, behind an open transaction, or
     * refused and now to be set.
     */
    private static List<RangeId> withoutPosition(
            List<RangeId> ids, Map<Integer, Optional<Position>> known, FirstPosition first, String topicId) {
        var faults = new ArrayList<String>();
        var unsure = new ArrayList<RangeId>();
        for (var id : ids) {
            var newest = known.getOrDefault(id.index(), Optional.empty());
            try {
                if (newest.isEmpty()) {
                    unsure.add(id);
                } else {
                    newest.get().requireRange(id);
                    if (isToBeSet(newest.get(), first, topicId)) {
                        unsure.add(id);
                    }
                }
            } catch (PositionRefusedException e) {
                faults.add(e.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
        return unsure;
    }

    /** A refused position, or one of another history topic, counts as missing once an operator says where to go on. */
    private static boolean isToBeSet(Position position, @Nullable FirstPosition first, String topicId) {
        return first != null && first.repeats() && (position.isRefused() || !topicId.equals(position.topicId()));
    }

    private Map<Integer, Optional<Position>> readAll(List<RangeId> ids) throws InterruptedException {
        try {
            return positions.readAll(ids.stream().map(RangeId::index).toList());
        } catch (TimeoutException e) {
            throw new PrerequisiteException("can't read " + topics.positions() + ": " + e.getMessage(), e);
        }
    }

    private void writeBeginnings(List<RangeId> ids, @Nullable FirstPosition first, String topicId)
            throws InterruptedException {
        var pool = Executors.newFixedThreadPool(Math.min(ids.size(), AT_A_TIME), Threads.named("sluice-positions"));
        try {
            List<Callable<RangeId>> writes = new ArrayList<>();
            ids.forEach(id -> writes.add(() -> writeBeginning(id, first, topicId)));
            for (var written : pool.invokeAll(writes)) {
                written.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof PrerequisiteException fault
                    ? fault
                    : new PrerequisiteException("can't write the first positions: " + e.getCause(), e);
        } finally {
            pool.shutdownNow();
        }
    }

    /** Replicas that start together fence each other here; a fenced replica tries again. */
    private RangeId writeBeginning(RangeId id, @Nullable FirstPosition first, String topicId) {
        var retries = RetryPolicy.builder()
                .handle(TimeoutException.class, KafkaException.class)
                .withMaxAttempts(MOST_TRIES)
                .withDelayFn(failed -> backoff.after(failed.getAttemptCount()))
                .onRetryScheduled(failed -> LOG.atInfo()
                        .addKeyValue(LogKeys.RANGE, id.index())
                        .addKeyValue(LogKeys.ATTEMPTS, failed.getAttemptCount())
                        .addKeyValue(LogKeys.REASON, String.valueOf(failed.getLastException()))
                        .log("writing the first position of a range failed, will try again"))
                .build();
        try {
            Failsafe.with(retries).run(() -> writeIfMissing(id, first, topicId));
            return id;
        } catch (FailsafeException | KafkaException e) {
            // What is checked comes wrapped.
            var cause = e instanceof FailsafeException && e.getCause() != null ? e.getCause() : e;
            throw new PrerequisiteException(
                    "can't write the first position of range " + id.index() + ": " + cause.getMessage(), cause);
        }
    }

    /** Raises the epoch, reads the position again, and writes it only if it is still missing. */
    private void writeIfMissing(RangeId id, @Nullable FirstPosition first, String topicId)
            throws TimeoutException, InterruptedException {
        var producer = kafka.transactional(topics.historyTransactionalId(id.index()), topics.positions());
        try {
            producer.initTransactions();
            var newest = positions.read(id.index());
            if (newest.isPresent() && !isToBeSet(newest.get(), first, topicId)) {
                return;
            }
            if (first == null) {
                throw missing(id);
            }
            producer.beginTransaction();
            var position = beginning(id, first, topicId);
            send(producer, new ProducerRecord<>(topics.positions(), id.index(), id.recordKey(), position.encode()));
            producer.commitTransaction();
            LOG.atInfo()
                    .addKeyValue(LogKeys.RANGE, id.index())
                    .addKeyValue("begin", first.begin())
                    .log("wrote the first position of a range");
        } finally {
            // The next initTransactions of this id aborts an open transaction.
            producer.close(Duration.ZERO);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit reports what the send met
    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message) {
        producer.send(message);
    }

    boolean isAnythingPublished() throws InterruptedException {
        try {
            int partitions = admin.describeTopics(List.of(topics.history())).allTopicNames().get().values().stream()
                    .mapToInt(topic -> topic.partitions().size())
                    .sum();
            Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topics.history(), partition))
                    .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
            return admin.listOffsets(ends).all().get().values().stream().anyMatch(end -> end.offset() > 0);
        } catch (ExecutionException e) {
            throw new PrerequisiteException("can't read the end of " + topics.history() + ": " + e.getCause(), e);
        }
    }
}
