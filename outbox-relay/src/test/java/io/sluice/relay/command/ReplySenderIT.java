package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.reply.AllowedReplyTopics;
import io.sluice.relay.reply.ReplyTopics;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplySenderIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static List<Reply> replies(String topic, int count) {
        var partition = new TopicPartition("orders.commands", 0);
        var json = "{\"type\":\"cancel\",\"instance\":\"a\",\"reason\":\"\"}".getBytes(UTF_8);
        var messages = IntStream.range(0, count)
                .mapToObj(offset -> new ConsumerRecord<>(partition.topic(), 0, offset, new byte[0], json))
                .toList();
        return new CommandBatch(
                        new ConsumerRecords<>(Map.of(partition, messages), Map.of()),
                        origin -> new CommandBatch.Origin("topic-id", false))
                .entries().stream().map(entry -> new Reply(entry, topic, null)).toList();
    }

    @Test
    void many_replies_to_a_topic_that_is_gone_take_no_longer_than_the_limit() throws Exception {
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var topics = new ReplyTopics(
                topic -> null,
                new Topics(cluster.prefix())::isOwn,
                new AllowedReplyTopics(List.of("*")),
                InstantSource.system());
        try (var sender = new ReplySender(kafka, topics)) {
            long begunNanos = System.nanoTime();

            var unsent = sender.send(replies(cluster.prefix() + ".replies.gone", 8));

            assertThat(unsent).hasSize(8);
            assertThat(Duration.ofNanos(System.nanoTime() - begunNanos))
                    .as("nobody polls meanwhile, and the group throws a member out that stays away too long")
                    .isLessThan(ReplySender.LIMIT.multipliedBy(2));
        }
    }
}
