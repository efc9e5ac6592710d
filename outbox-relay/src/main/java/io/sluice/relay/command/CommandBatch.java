package io.sluice.relay.command;

import io.sluice.provider.outbox.InboxCommand;
import io.sluice.relay.command.parked.ParkedRecord;
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
        private final Origin origin;
        private volatile boolean abandoned;
        private volatile @Nullable Settled settled;

        /** What becomes of it in this batch without an answer of the store; belongs to the consumer's thread. */
        private Held held = Held.NOT;

        private @Nullable String replyFault;
        private boolean replyChecked;

        Entry(ConsumerRecord<byte[], byte[]> message, Origin origin) {
            this.message = message;
            this.origin = origin;
            this.command = CommandParser.parse(message, origin.topicId());
        }

        /** The command in the form of the inbox. */
        InboxCommand offered(ParsedCommand.Valid valid) {
            var identity = valid.identity();
            var earlierKey = origin.mayHaveEarlierReceipts() ? identity.earlierKey() : null;
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

        /** The instance whose queue it is for; null when it is no command. */
        @Nullable
        String instance() {
            return command instanceof ParsedCommand.Valid valid ? valid.item().routedInstance() : null;
        }

        /** It in the form in which it can be parked. */
        ParkedRecord parked() {
            return new ParkedRecord(origin.topicId(), origin.mayHaveEarlierReceipts(), message);
        }

        /** It holds the offset up no more, with an answer of the store or without. */
        void hold(Held how) {
            held = how;
        }

        Held held() {
            return held;
        }

        /** Whether its partition was assigned to another member, which now settles it. */
        boolean isAbandoned() {
            return abandoned;
        }

        /**
         * Its reply can't be sent, if there is a fault. A command that is not settled yet is refused for that, another
         * ends without a reply.
         */
        void setReplyFault(@Nullable String why) {
            replyFault = why;
            replyChecked = true;
        }

        /** Whether it is known that its reply can be sent, or why not. */
        boolean isReplyChecked() {
            return replyChecked;
        }

        /** Why its reply can't be sent; null when it can, or no reply is wanted. */
        @Nullable
        String replyFault() {
            return replyFault;
        }

        void settle(Settled outcome) {
            settled = outcome;
        }

        /** Its result; null while there is none. */
        @Nullable
        Settled outcome() {
            return settled;
        }

        /** Leaves it to the next owner of its partition. */
        void abandon() {
            abandoned = true;
        }

        private String order() {
            var instance = instance();
            return instance == null ? "r:" + message.partition() + ":" + message.offset() : "i:" + instance;
        }
    }

    /** What becomes of a command in its batch while the store gives no answer. */
    enum Held {
        /** It is waited for. */
        NOT,
        /** It is parked, whatever the store answers later. */
        PARKED,
        /** It is polled again later: there is no room to park it. */
        LEFT
    }

    /**
     * The result of a command.
     *
     * @param enqueuedAt when it was queued, 0 when it was refused
     * @param letter null when it was queued
     */
    record Settled(long enqueuedAt, @Nullable DeadLetter letter) {}

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
                partition -> byPartition.getOrDefault(partition, List.of()).forEach(Entry::abandon));
    }

    /**
     * Whether commands of partitions that this member keeps are not settled: those behind a command of the same
     * instance whose partition was revoked meanwhile.
     */
    boolean hasUnsettled() {
        return entries().stream()
                .anyMatch(entry -> entry.settled == null && entry.held() == Held.NOT && !entry.isAbandoned());
    }

    /** The settled prefixes by partition; abandoned partitions and those without progress are left out. */
    Map<TopicPartition, Committable> committable() {
        Map<TopicPartition, Committable> result = new LinkedHashMap<>();
        byPartition.forEach((partition, entries) -> {
            var prefix = settledPrefix(entries);
            if (!prefix.isEmpty() && !entries.get(0).isAbandoned()) {
                long next = prefix.get(prefix.size() - 1).message().offset() + 1;
                result.put(partition, Committable.of(next, prefix));
            }
        });
        return result;
    }

    /** The first offset of each partition of which something has to be polled again later. */
    Map<TopicPartition, Long> left() {
        Map<TopicPartition, Long> left = new LinkedHashMap<>();
        byPartition.forEach((partition, entries) -> entries.stream()
                .filter(entry -> entry.held() == Held.LEFT && !entry.isAbandoned())
                .findFirst()
                .ifPresent(entry -> left.put(partition, entry.message().offset())));
        return left;
    }

    private static List<Entry> settledPrefix(List<Entry> entries) {
        return entries.stream()
                .takeWhile(entry -> entry.held() == Held.PARKED || (entry.held() == Held.NOT && entry.settled != null))
                .toList();
    }
}
