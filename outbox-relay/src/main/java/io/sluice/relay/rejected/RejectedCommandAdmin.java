package io.sluice.relay.rejected;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.reply.AllowedReplyTopics;
import io.sluice.relay.topic.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/**
 * The operations of an operator on rejected commands: list them, send them again. They stay in the dead letter topic
 * for its retention; a command that was sent again is not listed any more. Only the latest 10 000 records of each
 * partition are read. Thread-safe; every call makes clients of its own.
 */
public final class RejectedCommandAdmin {
    private static final long WINDOW = 500;
    private static final Comparator<RejectedCommand> NEWEST_FIRST = Comparator.comparing(RejectedCommand::rejectedAt)
            .thenComparing(command -> RejectedId.parse(command.id()))
            .reversed();

    private final KafkaAccess kafka;
    private final Topics topics;
    private final List<String> replyTopics;

    /** The result of sending a command again. */
    public enum Outcome {
        SENT("sent again"),
        /** There is no such command any more, or it was sent again before. */
        GONE("there is no rejected command of this id, or it was sent again before"),
        /** Its dead letter has only a part of the command. */
        CUT("its dead letter has only a part of it: ask its sender"),
        /** The commands topic refuses the record. */
        REFUSED("the commands topic does not take it"),
        /** The relay would refuse it again, because it may not reply to the topic that the command names. */
        UNANSWERABLE("it would be refused again"),
        /** Another request has fenced this one before the command was certainly sent. */
        OVERTAKEN("another operator began to send commands again at the same time; check the list, and try again");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }

        /** The result in words. */
        public String words() {
            return words;
        }
    }

    /**
     * Connects nowhere yet.
     *
     * @param replyTopics names of the topics that the relay may reply to; a {@code *} at the end stands for any rest
     */
    public RejectedCommandAdmin(KafkaAccess kafka, Topics topics, List<String> replyTopics) {
        this.kafka = kafka;
        this.topics = topics;
        this.replyTopics = List.copyOf(replyTopics);
    }

    /**
     * Lists the latest rejected commands.
     *
     * @param most length of the list
     * @throws KafkaException when Kafka does not answer
     */
    public RejectedList list(int most) {
        var found = new ArrayList<RejectedCommand>();
        try (var reader = new DeadLetterTopicReader(kafka, topics.deadLetters())) {
            var extents = reader.extents();
            extents.forEach((partition, extent) -> found.addAll(newest(reader, partition, extent, most)));
            return new RejectedList(
                    found.stream().sorted(NEWEST_FIRST).limit(most).toList(),
                    extents.values().stream()
                            .mapToLong(DeadLetterTopicReader.Extent::notRead)
                            .sum());
        }
    }

    /** Reads from the end backwards: the mark that a command was sent again comes after its dead letter. */
    private static List<RejectedCommand> newest(
            DeadLetterTopicReader reader, int partition, DeadLetterTopicReader.Extent extent, int most) {
        var resent = new HashSet<Long>();
        var found = new ArrayList<RejectedCommand>();
        long from = extent.end();
        while (from > extent.from() && found.size() < most) {
            long to = from;
            from = Math.max(extent.from(), to - WINDOW);
            var window = new ArrayList<RejectedCommand>();
            reader.read(partition, from, to, record -> {
                ResentMark.offset(record).ifPresent(resent::add);
                if (RejectedCommand.isRejectedCommand(record)) {
                    window.add(RejectedCommand.of(record));
                }
            });
            window.removeIf(
                    command -> resent.contains(RejectedId.parse(command.id()).offset()));
            found.addAll(window);
        }
        return found;
    }

    /**
     * Sends commands again, each unchanged and at most once: the command and the mark that it was sent again are
     * written in one transaction. They are sent in the order of their offsets, so that commands of one instance stay in
     * order. A command is not sent when the relay would only refuse it again for its reply topic.
     *
     * @return the results, in that order
     * @throws KafkaException when Kafka does not answer; the commands sent until then are marked
     */
    public Map<RejectedId, ResendResult> resend(Collection<RejectedId> ids) throws InterruptedException {
        try (var resending = new RejectedCommandResender(kafka, topics, new AllowedReplyTopics(replyTopics))) {
            return resending.send(ids);
        }
    }

    /** Sends all listed commands again, see {@link #resend(Collection)}. */
    public Map<RejectedId, ResendResult> resendAll() throws InterruptedException {
        return resend(list(Integer.MAX_VALUE).commands().stream()
                .map(command -> RejectedId.parse(command.id()))
                .toList());
    }
}
