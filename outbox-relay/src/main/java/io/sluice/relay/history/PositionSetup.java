package io.sluice.relay.history;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import dev.failsafe.function.CheckedRunnable;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.loop.Threads;
import io.sluice.relay.topic.TopicReader;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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
    /** Under this id the first positions of all ranges are written. */
    static final String ALL = "setup";

    private static final int AT_A_TIME = 8;
    private static final int MOST_TRIES = 8;
    private static final int MOST_READINGS = 5;
    private static final Duration BETWEEN_READINGS = Duration.ofMillis(300);
    private static final Logger LOG = LoggerFactory.getLogger(PositionSetup.class);

    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;
    private final PositionLog positions;
    private final StopRequest pause = new StopRequest();
    private final RetryBackoff backoff = new RetryBackoff(Duration.ofMillis(200), Duration.ofSeconds(5), new Random());

    PositionSetup(KafkaAccess kafka, Admin admin, Topics topics, PositionLog positions) {
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
        this.positions = positions;
    }

    /**
     * The container whose positions these are.
     *
     * @param rid its resource id
     * @param firstRanges the ranges at a first start: the service's partitions
     */
    record Container(String rid, Supplier<List<KeyRange>> firstRanges) {}

    /**
     * Makes sure that every range has a valid position.
     *
     * @param first where a range without a position begins
     * @throws PrerequisiteException when a position is of another container or form, or missing and that isn't allowed
     */
    void ensure(Container container, FirstPosition first) throws InterruptedException {
        var known = readAll();
        if (!known.tileKeySpace()) {
            requireComplete(known);
        }
        requireFit(known, container.rid());
        if (!known.gaps().isEmpty()) {
            boolean mayBegin = first.repeats() || !isAnythingPublished();
            if (!mayBegin) {
                throw missing(known.gaps().get(0));
            }
            writeMissing(container, first);
        }
        var topicId = historyTopicId();
        var toSet = known.active().stream()
                .filter(position -> isToBeSet(position, first, topicId))
                .map(Position::range)
                .toList();
        if (!toSet.isEmpty()) {
            writeBeginnings(toSet, first, topicId);
        }
    }

    /**
     * The positions that {@link #ensure} would leave; it writes none.
     *
     * @param adopts whether those of another history topic count as if they were of the present one
     * @throws PrerequisiteException as that would, and when an open transaction hides a position
     */
    List<Position> preview(Container container, FirstPosition first, boolean adopts) throws InterruptedException {
        if (new TopicReader(admin).partitions(topics.positions()) == 0) {
            return withoutTopic(container, first);
        }
        var known = readAll();
        requireComplete(known);
        requireFit(known, container.rid());
        if (!known.gaps().isEmpty() && !first.repeats() && isAnythingPublished()) {
            throw missing(known.gaps().get(0));
        }
        var topicId = historyTopicId();
        var positions = new ArrayList<Position>();
        for (var read : known.active()) {
            var position = adopts ? read.adoptedBy(topicId) : read;
            positions.add(
                    isToBeSet(position, first, topicId)
                            ? beginning(position.range(), first, topicId)
                            : trusted(position, topicId));
        }
        beginnings(known, container, first, topicId).forEach(positions::add);
        return positions;
    }

    private List<Position> withoutTopic(Container container, FirstPosition first) throws InterruptedException {
        var none = new Positions(List.of(), List.of(), 1, true);
        if (!first.repeats() && new TopicReader(admin).partitions(topics.history()) > 0 && isAnythingPublished()) {
            throw missing(none.gaps().get(0));
        }
        return beginnings(none, container, first, null);
    }

    private Position trusted(Position position, String topicId) {
        this.positions
                .historyTopic()
                .refusal(position.range(), position, topicId)
                .ifPresent(why -> {
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

    /** The first positions of what has none: of the service's partitions, or of what is left out. */
    private static List<Position> beginnings(
            Positions known, Container container, FirstPosition first, @Nullable String topicId) {
        var ranges = known.active().isEmpty() ? container.firstRanges().get() : known.gaps();
        return ranges.stream()
                .map(range -> beginning(new RangeId(range, container.rid(), known.partitions()), first, topicId))
                .toList();
    }

    private PrerequisiteException missing(KeyRange range) {
        return new PrerequisiteException(
                "the position of range " + range.name() + " is missing though " + topics.history()
                        + " is not empty; if repeating its events is right, start once with "
                        + "--from-beginning or --from",
                null);
    }

    private void requireComplete(Positions known) {
        if (!known.isComplete()) {
            throw new PrerequisiteException(
                    "not all positions could be read in time: " + topics.positions()
                            + " has an open transaction, or is very large since it is not compacted; try again",
                    new TimeoutException("the transaction was not ended in time"));
        }
    }

    private void requireFit(Positions known, String containerRid) {
        if (known.newest().isEmpty() && !known.earlier().isEmpty()) {
            throw new PrerequisiteException(
                    "the positions in " + topics.positions()
                            + " are of an earlier release, which cut the key space into "
                            + known.earlier().size() + " equal ranges. Stop all its relays, and take them over with"
                            + " positions convert --yes: nothing is published twice or left out",
                    null);
        }
        var faults = new ArrayList<String>();
        Position before = null;
        for (var position : known.active()) {
            try {
                position.requireRange(new RangeId(position.bounds(), containerRid, known.partitions()));
                if (before != null && before.bounds().overlaps(position.bounds())) {
                    faults.add("the positions of ranges " + before.range().name() + " and "
                            + position.range().name() + " overlap: somebody else than the relay has written to "
                            + topics.positions());
                }
            } catch (PositionRefusedException e) {
                faults.add(e.getMessage());
            }
            before = position;
        }
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
    }

    /** A refused position, or one of another history topic, counts as missing once an operator says where to go on. */
    private static boolean isToBeSet(Position position, FirstPosition first, String topicId) {
        return first.repeats() && (position.isRefused() || !topicId.equals(position.topicId()));
    }

    /**
     * Reads all positions. Partitions are not read at one moment: if a range is split meanwhile, it may be seen beside
     * its parts, or without them. So a reading that doesn't fit is repeated.
     */
    private Positions readAll() throws InterruptedException {
        try {
            var known = positions.readAll();
            for (int tries = 1; tries < MOST_READINGS && !known.newest().isEmpty() && !known.tileKeySpace(); tries++) {
                pause.await(BETWEEN_READINGS);
                known = positions.readAll();
            }
            return known;
        } catch (TimeoutException e) {
            throw new PrerequisiteException("can't read " + topics.positions() + ": " + e.getMessage(), e);
        }
    }

    /** Writes all first positions in one transaction. */
    private void writeMissing(Container container, FirstPosition first) {
        retried("the first positions", () -> {
            var producer = kafka.transactional(topics.historyTransactionalId(ALL), topics.positions());
            try {
                // Replicas that start together fence each other here; a fenced one reads again.
                producer.initTransactions();
                var known = readAll();
                requireComplete(known);
                var missing = known.gaps().isEmpty()
                        ? List.<Position>of()
                        : beginnings(known, container, first, historyTopicId());
                if (!missing.isEmpty()) {
                    producer.beginTransaction();
                    missing.forEach(position -> send(producer, position.record(topics.positions())));
                    producer.commitTransaction();
                    missing.forEach(position -> logWritten(position.range(), first));
                }
            } finally {
                // The next initTransactions of this id aborts an open transaction.
                producer.close(Duration.ZERO);
            }
        });
    }

    private static void logWritten(RangeId id, FirstPosition first) {
        LOG.atInfo()
                .addKeyValue(LogKeys.RANGE, id.name())
                .addKeyValue("begin", first.begin())
                .log("wrote the first position of a range");
    }

    private void writeBeginnings(List<RangeId> ids, FirstPosition first, String topicId) throws InterruptedException {
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

    private RangeId writeBeginning(RangeId id, FirstPosition first, String topicId) {
        retried("the position of range " + id.name(), () -> writeIfToBeSet(id, first, topicId));
        return id;
    }

    private void retried(String what, CheckedRunnable write) {
        var retries = RetryPolicy.builder()
                .handle(TimeoutException.class, KafkaException.class)
                .withMaxAttempts(MOST_TRIES)
                .withDelayFn(failed -> backoff.after(failed.getAttemptCount()))
                .onRetryScheduled(failed -> LOG.atInfo()
                        .addKeyValue("what", what)
                        .addKeyValue(LogKeys.ATTEMPTS, failed.getAttemptCount())
                        .addKeyValue(LogKeys.REASON, String.valueOf(failed.getLastException()))
                        .log("writing a position failed, will try again"))
                .build();
        try {
            Failsafe.with(retries).run(write);
        } catch (FailsafeException | KafkaException e) {
            // What is checked comes wrapped.
            var cause = e instanceof FailsafeException && e.getCause() != null ? e.getCause() : e;
            throw new PrerequisiteException("can't write " + what + ": " + cause.getMessage(), cause);
        }
    }

    /** Raises the epoch, reads the position again, and writes it only if it is still to be set. */
    private void writeIfToBeSet(RangeId id, FirstPosition first, String topicId)
            throws TimeoutException, InterruptedException {
        var producer = kafka.transactional(topics.historyTransactionalId(id.key()), topics.positions());
        try {
            producer.initTransactions();
            var newest = positions.read(id);
            if (newest.filter(position -> !position.ended() && isToBeSet(position, first, topicId))
                    .isEmpty()) {
                return;
            }
            producer.beginTransaction();
            send(producer, beginning(id, first, topicId).record(topics.positions()));
            producer.commitTransaction();
            logWritten(id, first);
        } finally {
            // The next initTransactions of this id aborts an open transaction.
            producer.close(Duration.ZERO);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit reports what the send met
    static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message) {
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
