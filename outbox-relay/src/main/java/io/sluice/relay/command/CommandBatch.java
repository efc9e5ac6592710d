package io.sluice.relay.command;

import io.sluice.provider.outbox.InboxCommand;
import io.sluice.relay.command.parse.CommandParser;
import io.sluice.relay.command.parse.ParsedCommand;
import io.sluice.relay.deadletter.DeadLetter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one poll. Commands of one instance are settled one at a time in log order, commands of different
 * instances in any order. The unbroken prefix of settled commands of each partition can be committed.
 *
 * <p>Workers settle entries; the consumer's thread reads them after it has waited for the workers.
 */
final class CommandBatch {
    /**
     * How far a sender's clock may be ahead: a receipt that is older than its record by more belongs to another record.
     */
    private static final long SENDERS_CLOCK_MILLIS = Duration.ofMinutes(1).toMillis();

    private final Map<TopicPartition, List<Entry>> byPartition = new LinkedHashMap<>();

    /**
     * The origin of commands.
     *
     * @param topicId Kafka's id of the topic
     * @param mayHaveEarlierReceipts whether an earlier version may have settled some, under ids of another form
     */
    record Origin(String topicId, boolean mayHaveEarlierReceipts) {}

    /** One command of the batch. */
    static final class Entry {
        private final ConsumerRecord<byte[], byte[]> message;
        private final ParsedCommand command;
        private final boolean mayHaveEarlierReceipt;
        private volatile boolean abandoned;
        private volatile @Nullable Settled settled;

        private @Nullable String replyFault;

        private Entry(ConsumerRecord<byte[], byte[]> message, Origin origin) {
            this.message = message;
            this.command = CommandParser.parse(message, origin.topicId());
            this.mayHaveEarlierReceipt = origin.mayHaveEarlierReceipts();
        }

        /** The command in the form of the inbox. */
        InboxCommand offered(ParsedCommand.Valid valid) {
            var identity = valid.identity();
            var earlierKey = mayHaveEarlierReceipt ? identity.earlierKey() : null;
            long notBefore = identity.isPlace() ? message.timestamp() - SENDERS_CLOCK_MILLIS : 0;
            return new InboxCommand(
                    identity.key(),
                    valid.item(),
                    valid.headers().trace(),
                    earlierKey == null ? null : new InboxCommand.Earlier(earlierKey, notBefore));
        }

        ConsumerRecord<byte[], byte[]> message() {
            return message;
        }

        TopicPartition partition() {
            return new TopicPartition(message.topic(), message.partition());
        }

        ParsedCommand command() {
            return command;
        }

        /** Whether its partition was assigned to another member, which now settles it. */
        boolean isAbandoned() {
            return abandoned;
        }

        /**
         * Its reply can't be sent. A command that is not settled yet is refused for that, another ends without a reply.
         */
        void setReplyFault(String why) {
            replyFault = why;
        }

        /** Why its reply can't be sent; null when it can, or no reply is wanted. */
        @Nullable
        String replyFault() {
            return replyFault;
        }

        void settle(Settled outcome) {
            settled = outcome;
        }

        private String order() {
            return command instanceof ParsedCommand.Valid valid
                    ? "i:" + valid.item().routedInstance()
                    : "r:" + message.partition() + ":" + message.offset();
        }
    }

    /**
     * The result of a command.
     *
     * @param enqueuedAt when it was queued, 0 when it was refused
     * @param letter null when it was queued
     */
    record Settled(long enqueuedAt, @Nullable DeadLetter letter) {}

    /**
     * The settled prefix of a partition, which can be committed.
     *
     * @param nextOffset the offset after the prefix
     * @param latestEnqueuedAt of the prefix, 0 when none of it was queued
     * @param replies to commands of the prefix that ask for one
     */
    record Committable(long nextOffset, long latestEnqueuedAt, List<DeadLetter> letters, List<Reply> replies) {}

    CommandBatch(ConsumerRecords<byte[], byte[]> messages, Function<TopicPartition, Origin> origins) {
        for (var partition : messages.partitions()) {
            var origin = origins.apply(partition);
            byPartition.put(
                    partition,
                    messages.records(partition).stream()
                            .map(message -> new Entry(message, origin))
                            .toList());
        }
    }

    /** Whether a command has no id of its sender. */
    boolean hasIdsOfPlaces() {
        return entries().stream()
                .anyMatch(entry -> entry.command() instanceof ParsedCommand.Valid valid
                        && valid.identity().isPlace());
    }

    /** All commands, partition by partition in log order. */
    List<Entry> entries() {
        return byPartition.values().stream().flatMap(List::stream).toList();
    }

    /** Lists that may be settled concurrently; each is in log order. */
    Collection<List<Entry>> lanes() {
        Map<String, List<Entry>> lanes = new LinkedHashMap<>();
        byPartition
                .values()
                .forEach(entries ->
                        entries.forEach(entry -> lanes.computeIfAbsent(entry.order(), order -> new ArrayList<>())
                                .add(entry)));
        return lanes.values();
    }

    /** Leaves the unsettled commands of these partitions to their next owner. */
    void abandon(Collection<TopicPartition> partitions) {
        partitions.forEach(
                partition -> byPartition.getOrDefault(partition, List.of()).forEach(entry -> entry.abandoned = true));
    }

    /**
     * Whether commands of partitions that this member keeps are not settled: those behind a command of the same
     * instance whose partition was revoked meanwhile.
     */
    boolean hasUnsettled() {
        return entries().stream().anyMatch(entry -> entry.settled == null && !entry.isAbandoned());
    }

    /** The settled prefixes by partition; abandoned partitions and those without progress are left out. */
    Map<TopicPartition, Committable> committable() {
        Map<TopicPartition, Committable> result = new LinkedHashMap<>();
        byPartition.forEach((partition, entries) -> {
            var prefix = settledPrefix(entries);
            if (!prefix.isEmpty() && !entries.get(0).isAbandoned()) {
                long next = prefix.get(prefix.size() - 1).message().offset() + 1;
                result.put(partition, new Committable(next, latest(prefix), letters(prefix), replies(prefix)));
            }
        });
        return result;
    }

    /** Sums a figure over all settled commands. */
    long count(ToLongFunction<Settled> figure) {
        return byPartition.values().stream()
                .flatMap(List::stream)
                .map(entry -> entry.settled)
                .mapToLong(settled -> settled == null ? 0 : figure.applyAsLong(settled))
                .sum();
    }

    private static List<Entry> settledPrefix(List<Entry> entries) {
        return entries.stream().takeWhile(entry -> entry.settled != null).toList();
    }

    private static long latest(List<Entry> prefix) {
        long latest = 0;
        for (var entry : prefix) {
            var settled = entry.settled;
            latest = settled == null ? latest : Math.max(latest, settled.enqueuedAt());
        }
        return latest;
    }

    private static List<DeadLetter> letters(List<Entry> prefix) {
        List<DeadLetter> letters = new ArrayList<>();
        for (var entry : prefix) {
            var settled = entry.settled;
            if (settled != null && settled.letter() != null) {
                letters.add(settled.letter());
            }
        }
        return letters;
    }

    private static List<Reply> replies(List<Entry> prefix) {
        List<Reply> replies = new ArrayList<>();
        for (var entry : prefix) {
            var settled = entry.settled;
            var topic = entry.command().replyTopic();
            if (settled != null && topic != null && entry.replyFault() == null) {
                var letter = settled.letter();
                replies.add(new Reply(entry, topic, letter == null ? null : letter.reason()));
            }
        }
        return replies;
    }
}
