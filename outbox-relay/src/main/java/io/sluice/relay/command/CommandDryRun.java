package io.sluice.relay.command;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.command.parse.CommandParser;
import io.sluice.relay.command.parse.ParsedCommand;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Counts the waiting commands that a relay would queue or refuse, without requests to the store: a command whose id was
 * used before, or that its instance's partition refuses, counts as queued. It reads outside of the consumer group and
 * writes nothing.
 */
public final class CommandDryRun {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;
    private final Duration maxAge;
    private final InstantSource clock;

    /**
     * The commands that wait in a partition of the commands topic.
     *
     * @param queued commands that would be queued
     * @param refused records that would become dead letters
     * @param lost number of offsets that expired before they were taken: a relay stops there
     */
    public record Waiting(int partition, long queued, long refused, long lost) {}

    /**
     * Reads nothing yet.
     *
     * @param maxAge older commands are refused
     */
    public CommandDryRun(KafkaAccess kafka, Admin admin, Topics topics, Duration maxAge, InstantSource clock) {
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
        this.maxAge = maxAge;
        this.clock = clock;
    }

    /**
     * Reads all partitions up to their current end.
     *
     * @param partitions number of partitions of the commands topic; 0 when it does not exist
     * @throws PrerequisiteException when Kafka doesn't answer
     */
    public List<Waiting> now(int partitions) throws InterruptedException {
        if (partitions == 0) {
            return List.of();
        }
        var all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topics.commands(), partition))
                .toList();
        var committed = committed();
        try (var consumer = kafka.reader()) {
            consumer.assign(all);
            var beginnings = consumer.beginningOffsets(all);
            var counts = new HashMap<TopicPartition, Waiting>();
            for (var partition : all) {
                long beginning = beginnings.getOrDefault(partition, 0L);
                var offset = committed.get(partition);
                long from = offset == null ? beginning : offset.offset();
                counts.put(partition, new Waiting(partition.partition(), 0, 0, Math.max(0, beginning - from)));
                consumer.seek(partition, Math.max(beginning, from));
            }
            read(consumer, consumer.endOffsets(all), counts);
            return all.stream().map(counts::get).toList();
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> committed() throws InterruptedException {
        try {
            return admin.listConsumerGroupOffsets(topics.commandsGroup())
                    .partitionsToOffsetAndMetadata()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new PrerequisiteException(
                    "Kafka doesn't say how far group " + topics.commandsGroup() + " has come: " + e, e);
        }
    }

    private void read(
            Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends, Map<TopicPartition, Waiting> counts) {
        long progressNanos = System.nanoTime();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            var messages = consumer.poll(POLL);
            if (!messages.isEmpty()) {
                progressNanos = System.nanoTime();
            } else if (System.nanoTime() - progressNanos > TIMEOUT.toNanos()) {
                throw new PrerequisiteException(
                        "Kafka shows no more of " + topics.commands() + ", though it has more", null);
            }
            for (var message : messages) {
                var partition = new TopicPartition(message.topic(), message.partition());
                if (message.offset() < ends.getOrDefault(partition, 0L)) {
                    counts.computeIfPresent(partition, (key, count) -> plus(count, refusal(message) == null));
                }
            }
        }
    }

    private static Waiting plus(Waiting count, boolean queued) {
        return new Waiting(
                count.partition(), count.queued() + (queued ? 1 : 0), count.refused() + (queued ? 0 : 1), count.lost());
    }

    private @Nullable String refusal(ConsumerRecord<byte[], byte[]> message) {
        var command = CommandParser.parse(message, "");
        if (command instanceof ParsedCommand.Bad bad) {
            return bad.reason();
        }
        return command instanceof ParsedCommand.Valid valid
                ? CommandWorker.tooLate(valid, message.timestamp(), maxAge, clock.millis())
                : null;
    }
}
