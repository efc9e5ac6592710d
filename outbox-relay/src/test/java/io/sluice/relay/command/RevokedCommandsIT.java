package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.outbox.CommandOutcome;
import io.sluice.provider.outbox.InboxCommand;
import io.sluice.relay.command.parked.ParkedLog;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.reply.AllowedReplyTopics;
import io.sluice.relay.reply.ReplyTopics;
import io.sluice.relay.topic.TopicIds;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One instance's commands in two partitions, of which one goes to another member while a command of it is tried. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RevokedCommandsIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final long FLOOR = 4_000_000_000_000L;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    private final BusyInbox inbox = new BusyInbox();
    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");

    @BeforeEach
    void topics() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        new CommandTopics(kafka, topics).make(new NewTopic(topics.commands(), 2, (short) 1));
    }

    @Test
    void what_was_left_of_the_other_partition_is_taken_again() throws Exception {
        try (var admin = kafka.admin();
                var intake = intake(admin)) {
            consumer.schedulePollTask(() -> consumer.rebalance(partitions()));
            intake.step();
            consumer.schedulePollTask(() -> partitions().forEach(this::addCommand));
            consumer.schedulePollTask(this::revokeTheFirst);
            intake.step();
            var kept = partition(1 - inbox.first().join());
            assertThat(consumer.assignment()).containsExactly(kept);

            intake.step();

            assertThat(consumer.position(kept)).as("not passed over").isZero();
        }
    }

    @Test
    void they_are_queued_later_than_what_either_partition_had() throws Exception {
        try (var admin = kafka.admin()) {
            var ids = new TopicIds(admin, topics.commands());
            consumer.schedulePollTask(() -> {
                consumer.rebalance(partitions());
                consumer.commitSync(Map.of(
                        partition(0), committed(FLOOR, ids),
                        partition(1), committed(FLOOR + 1, ids)));
            });
            try (var intake = intake(admin)) {
                intake.step();
                consumer.rebalance(Set.of());
                consumer.rebalance(partitions());
                consumer.schedulePollTask(() -> partitions().forEach(this::addCommand));
                consumer.schedulePollTask(this::revokeTheFirst);
                intake.step();
            }

            assertThat(inbox.floor).isEqualTo(FLOOR + 1);
        }
    }

    private CommandConsumer intake(Admin admin) {
        var ids = new TopicIds(admin, topics.commands());
        partitions().forEach(partition -> consumer.updateBeginningOffsets(Map.of(partition, 0L)));
        var delivery = new RelayConfig.Delivery(
                1, Duration.ofMillis(10), Duration.ofDays(1), new RelayConfig.GivingUp(10, Duration.ofDays(3), true));
        var clock = InstantSource.system();
        var control = PipelineControl.none(Pipeline.COMMANDS);
        var memory = RelayMemory.ofHeap();
        var workers = new CommandWorkers(inbox, delivery, control, memory, clock);
        var parked = new ParkedCommands(new ParkedLog(kafka, admin, topics), memory.parkedBytes(), clock);
        var partitions = new CommandPartitions(consumer, ids, parked, clock);
        var replyTopics =
                new ReplyTopics(topic -> null, topics::isOwn, new AllowedReplyTopics(Collections.emptyList()), clock);
        return new CommandConsumer(
                new CommandPoller(consumer, topics.commands(), partitions, control, memory),
                new BatchSettler(consumer, partitions, replyTopics, workers),
                new BatchCommitter(
                        consumer,
                        partitions,
                        new ReplySender(kafka, replyTopics),
                        new CommandTransactions(kafka, topics)),
                partitions,
                new IntakeProblem(kafka, topics, clock));
    }

    /** The partition of the command that is tried goes to another member. */
    private void revokeTheFirst() {
        var kept = partition(1 - inbox.first().join());
        consumer.resume(consumer.paused()); // the mock would keep the mark of a partition that is gone
        consumer.rebalance(List.of(kept));
    }

    private List<TopicPartition> partitions() {
        return List.of(partition(0), partition(1));
    }

    private TopicPartition partition(int number) {
        return new TopicPartition(topics.commands(), number);
    }

    private static OffsetAndMetadata committed(long floor, TopicIds ids) {
        return new OffsetAndMetadata(0, "floor=" + floor + " topic=" + ids.current() + " since=0");
    }

    /** Its id is the number of its partition. */
    private void addCommand(TopicPartition partition) {
        var json = "{\"type\":\"cancel\",\"instance\":\"a\",\"reason\":\"\"}";
        var key = "a".getBytes(UTF_8);
        var value = json.getBytes(UTF_8);
        var command = new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                0,
                System.currentTimeMillis(),
                TimestampType.CREATE_TIME,
                key.length,
                value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty());
        command.headers()
                .add("command-id", String.valueOf(partition.partition()).getBytes(UTF_8));
        consumer.addRecord(command);
    }

    /** Takes nothing, and tells of which partition the command was that it was offered first. */
    private static final class BusyInbox implements Inbox {
        private final CompletableFuture<Integer> first = new CompletableFuture<>();
        private volatile long floor;

        CompletableFuture<Integer> first() {
            return first;
        }

        @Override
        public CommandOutcome accept(InboxCommand command, long floorMillis) {
            floor = floorMillis;
            first.complete(Integer.valueOf(command.key()));
            return new CommandOutcome.Transient("busy", null);
        }

        @Override
        public CommandOutcome refuse(InboxCommand command, String reason) {
            throw new AssertionError("nothing is refused");
        }
    }
}
