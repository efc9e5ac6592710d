package io.sluice.relay.rejected;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/**
 * What people do with commands that were refused: look at them, send them again. They lie in the dead letter topic for
 * as long as it keeps them; one that was sent again is offered no more. Looks see the latest 10 000 records of each
 * partition. Thread-safe; every call makes clients of its own.
 */
public final class RejectedCommandAdmin {
    private static final long WINDOW = 500;
    private static final Comparator<RejectedCommand> NEWEST_FIRST = Comparator.comparing(RejectedCommand::rejectedAt)
            .thenComparing(command -> RejectedId.parse(command.id()))
            .reversed();

    private final KafkaAccess kafka;
    private final Topics topics;

    /** How sending one again ended. */
    public enum Outcome {
        SENT("sent again"),
        /** There is none with this id any more, or it was sent again before. */
        GONE("there is no rejected command of this id, or it was sent again before"),
        /** Its dead letter has only a part of it. */
        CUT("its dead letter has only a part of it: ask its sender"),
        /** The commands topic does not take it. */
        REFUSED("the commands topic does not take it"),
        /** Another request began, and ended this one before it was known to be sent. */
        OVERTAKEN("somebody else began to send commands again at the same time; look at the list, and try again");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }

        /** For people. */
        public String words() {
            return words;
        }
    }

    /** Asks nobody yet. */
    public RejectedCommandAdmin(KafkaAccess kafka, Topics topics) {
        this.kafka = kafka;
        this.topics = topics;
    }

    /**
     * Those refused last.
     *
     * @param most of them; fewer come only when no more are seen
     * @throws KafkaException when nobody answers
     */
    public RejectedList list(int most) {
        var found = new ArrayList<RejectedCommand>();
        try (var reader = new DeadLetterTopicReader(kafka, topics.deadLetters())) {
            var extents = reader.extents();
            extents.forEach((partition, extent) -> found.addAll(newest(reader, partition, extent, most)));
            return new RejectedList(
                    found.stream().sorted(NEWEST_FIRST).limit(most).toList(),
                    extents.values().stream()
                            .mapToLong(DeadLetterTopicReader.Extent::notLookedAt)
                            .sum());
        }
    }

    /** From the end backwards: a mark stands behind the dead letter that it is about. */
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
                if (RejectedCommand.isOne(record)) {
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
     * Sends some of them again, each exactly as it came and at most once: the command and the mark that it was sent are
     * one transaction. In the order of their places, so that the commands of one instance keep theirs.
     *
     * @return how each ended, in that order
     * @throws KafkaException when nobody answers; what was sent until then is marked
     */
    public Map<RejectedId, Outcome> resend(Collection<RejectedId> ids) throws InterruptedException {
        try (var resending = new RejectedCommandResender(kafka, topics)) {
            return resending.send(ids);
        }
    }

    /** Sends all again that are seen, see {@link #resend(Collection)}. */
    public Map<RejectedId, Outcome> resendAll() throws InterruptedException {
        return resend(list(Integer.MAX_VALUE).commands().stream()
                .map(command -> RejectedId.parse(command.id()))
                .toList());
    }
}
