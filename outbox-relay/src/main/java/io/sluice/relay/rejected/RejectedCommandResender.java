package io.sluice.relay.rejected;

import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.reply.AllowedReplyTopics;
import io.sluice.relay.reply.ReplyRights;
import io.sluice.relay.reply.ReplyTopics;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request to send rejected commands again. All requests use the same transactional id: a new one fences all earlier
 * requests, and only then reads the marks, up to the high watermark. So no command is sent twice, even if several
 * operators send commands again at once or one of them crashes. For one thread.
 */
final class RejectedCommandResender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RejectedCommandResender.class);
    private static final long TIMEOUT_SECONDS = 10;

    private final KafkaAccess kafka;
    private final Topics topics;
    private final AllowedReplyTopics allowed;
    private final Producer<byte[], byte[]> producer;

    /**
     * The marks in a partition of the dead letter topic.
     *
     * @param resent offsets of the dead letters that were sent again before
     * @param begin of the partition
     * @param end its high watermark
     */
    private record Marks(Set<Long> resent, long begin, long end) {}

    RejectedCommandResender(KafkaAccess kafka, Topics topics, AllowedReplyTopics allowed) {
        this.kafka = kafka;
        this.topics = topics;
        this.allowed = allowed;
        this.producer = kafka.transactional(topics.resendTransactionalId(), topics.commands(), topics.deadLetters());
    }

    Map<RejectedId, ResendResult> send(Collection<RejectedId> ids) throws InterruptedException {
        var places = new TreeSet<>(ids);
        var outcomes = new LinkedHashMap<RejectedId, ResendResult>();
        try {
            send(places, outcomes);
        } catch (KafkaException e) {
            if (!isOvertaken(e)) {
                throw e;
            }
            places.forEach(id -> outcomes.putIfAbsent(id, ResendResult.of(RejectedCommandAdmin.Outcome.OVERTAKEN)));
        }
        return outcomes;
    }

    /** Whether another request began after this one. */
    private static boolean isOvertaken(KafkaException failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause ->
                        cause instanceof ProducerFencedException || cause instanceof InvalidProducerEpochException);
    }

    private void send(SortedSet<RejectedId> places, Map<RejectedId, ResendResult> outcomes)
            throws InterruptedException {
        producer.initTransactions();
        try (var admin = kafka.admin();
                var reader = new DeadLetterTopicReader(kafka, topics.deadLetters())) {
            var letters = described(admin, topics.deadLetters());
            int partitions = described(admin, topics.commands()).partitions().size();
            var marks = marks(admin, reader, places, letters.partitions().size());
            var replyTopics =
                    new ReplyTopics(new ReplyRights(admin)::fault, topics::isOwn, allowed, InstantSource.system());
            for (var id : places) {
                var known = marks.get(id.partition());
                var letter = known == null ? null : letter(reader, id, known);
                outcomes.put(
                        id,
                        resend(
                                letter,
                                replyTopics,
                                partitions,
                                letters.topicId().toString()));
            }
        }
    }

    private ResendResult resend(
            @Nullable ConsumerRecord<byte[], byte[]> letter, ReplyTopics replyTopics, int partitions, String topicId)
            throws InterruptedException {
        if (letter == null) {
            return ResendResult.of(RejectedCommandAdmin.Outcome.GONE);
        }
        if (!RejectedCommand.isWhole(letter)) {
            return ResendResult.of(RejectedCommandAdmin.Outcome.CUT);
        }
        var topic = RejectedCommand.header(letter, ReplyTopics.HEADER);
        var fault = topic.isEmpty() ? null : replyTopics.fault(topic);
        return fault == null ? ResendResult.of(send(letter, partitions, topicId)) : ResendResult.unanswerable(fault);
    }

    private RejectedCommandAdmin.Outcome send(ConsumerRecord<byte[], byte[]> letter, int partitions, String topicId)
            throws InterruptedException {
        producer.beginTransaction();
        try {
            var sent = producer.send(ResentMark.command(letter, topics.commands(), partitions, topicId));
            var marked = producer.send(ResentMark.of(letter, topicId));
            producer.flush();
            sent.get();
            marked.get();
        } catch (ExecutionException e) {
            producer.abortTransaction();
            if (isOfTheRecord(e.getCause())) {
                return RejectedCommandAdmin.Outcome.REFUSED;
            }
            throw new KafkaException("a rejected command was not sent again", e.getCause());
        }
        producer.commitTransaction();
        LOG.atWarn()
                .addKeyValue(LogKeys.COMMAND, RejectedCommand.header(letter, DeadLetter.COMMAND_ID))
                .addKeyValue(LogKeys.PARTITION, letter.partition())
                .addKeyValue(LogKeys.OFFSET, letter.offset())
                .log("rejected command sent again by an operator");
        return RejectedCommandAdmin.Outcome.SENT;
    }

    /** Whether another record might be taken. */
    private static boolean isOfTheRecord(@Nullable Throwable cause) {
        return cause instanceof RecordTooLargeException
                || cause instanceof InvalidRecordException
                || cause instanceof InvalidTimestampException
                || cause instanceof PolicyViolationException;
    }

    /** The marks after the first requested offset, by partition. */
    private Map<Integer, Marks> marks(Admin admin, DeadLetterTopicReader reader, Set<RejectedId> places, int partitions)
            throws InterruptedException {
        var firsts = new HashMap<Integer, Long>();
        for (var place : places) {
            if (place.partition() < partitions) {
                firsts.merge(place.partition(), place.offset(), Math::min);
            }
        }
        var begins = offsets(admin, firsts.keySet(), OffsetSpec.earliest());
        var ends = offsets(admin, firsts.keySet(), OffsetSpec.latest());
        var marks = new HashMap<Integer, Marks>();
        for (var first : firsts.entrySet()) {
            int partition = first.getKey();
            long begin = begins.getOrDefault(partition, 0L);
            var known = new Marks(new HashSet<>(), begin, ends.getOrDefault(partition, begin));
            reader.read(
                    partition,
                    Math.max(begin, first.getValue()),
                    known.end(),
                    record -> ResentMark.offset(record).ifPresent(known.resent()::add));
            marks.put(partition, known);
        }
        return marks;
    }

    /** The dead letter of a command; null when there is none, or it was sent again before. */
    private static @Nullable ConsumerRecord<byte[], byte[]> letter(
            DeadLetterTopicReader reader, RejectedId id, Marks known) {
        if (id.offset() < known.begin()
                || id.offset() >= known.end()
                || known.resent().contains(id.offset())) {
            return null;
        }
        var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        reader.read(id.partition(), id.offset(), id.offset() + 1, found::add);
        return found.stream()
                .filter(RejectedCommand::isRejectedCommand)
                .findFirst()
                .orElse(null);
    }

    private Map<Integer, Long> offsets(Admin admin, Set<Integer> partitions, OffsetSpec which)
            throws InterruptedException {
        var asked = new HashMap<TopicPartition, OffsetSpec>();
        partitions.forEach(partition -> asked.put(new TopicPartition(topics.deadLetters(), partition), which));
        var offsets = new HashMap<Integer, Long>();
        // Includes open transactions: after them there may be a mark that is committed and not readable yet.
        answer(admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all())
                .forEach((partition, found) -> offsets.put(partition.partition(), found.offset()));
        return offsets;
    }

    private static TopicDescription described(Admin admin, String topic) throws InterruptedException {
        return Objects.requireNonNull(
                answer(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic), topic);
    }

    private static <T> T answer(KafkaFuture<T> asked) throws InterruptedException {
        try {
            return asked.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("can't ask Kafka for topics and offsets", e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
