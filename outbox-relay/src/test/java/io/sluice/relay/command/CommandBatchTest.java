package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.command.CommandBatch.Settled;
import io.sluice.relay.deadletter.DeadLetter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandBatchTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders.commands", 0);

    private static CommandBatch batchFor(String... instances) {
        var messages = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        for (int i = 0; i < instances.length; i++) {
            var json = "{\"type\":\"cancel\",\"instance\":\"" + instances[i] + "\",\"reason\":\"\"}";
            messages.add(new ConsumerRecord<>(
                    PARTITION.topic(), PARTITION.partition(), 10 + i, new byte[0], json.getBytes(UTF_8)));
        }
        return new CommandBatch(
                new ConsumerRecords<>(Map.of(PARTITION, List.copyOf(messages)), Map.of()),
                partition -> new CommandBatch.Origin("topic-id", false));
    }

    private static Committable committable(CommandBatch batch) {
        return Optional.ofNullable(batch.committable().get(PARTITION)).orElseThrow();
    }

    private static List<CommandBatch.Entry> inLogOrder(CommandBatch batch) {
        return batch.lanes().stream()
                .flatMap(List::stream)
                .sorted((a, b) -> Long.compare(a.message().offset(), b.message().offset()))
                .toList();
    }

    @Test
    void commands_of_one_instance_share_a_lane_in_log_order() {
        var lanes = batchFor("a", "b", "a").lanes();

        assertThat(lanes)
                .extracting(lane ->
                        lane.stream().map(entry -> entry.message().offset()).toList())
                .containsExactly(List.of(10L, 12L), List.of(11L));
    }

    @Test
    void a_gap_holds_the_offset_back() {
        var batch = batchFor("a", "b", "c");
        var entries = inLogOrder(batch);

        entries.get(0).settle(new Settled(100, null));
        entries.get(2).settle(new Settled(300, null));

        var committable = committable(batch);
        assertThat(committable.nextOffset()).as("the second is not settled").isEqualTo(11);
        assertThat(committable.latestEnqueuedAt()).isEqualTo(100);
    }

    @Test
    void dead_letters_go_with_the_prefix_only() {
        var batch = batchFor("a", "b", "c");
        var entries = inLogOrder(batch);
        var letter = new DeadLetter(entries.get(2).message(), "c", "bad");

        entries.get(0).settle(new Settled(100, null));
        entries.get(2).settle(new Settled(0, letter));
        assertThat(committable(batch).letters())
                .as("sent ahead of the offset, it would be sent again by the next owner")
                .isEmpty();

        entries.get(1).settle(new Settled(200, null));
        assertThat(committable(batch).letters()).containsExactly(letter);
        assertThat(committable(batch).nextOffset()).isEqualTo(13);
    }

    @Test
    void a_partition_without_progress_is_left_out() {
        assertThat(batchFor("a").committable()).isEmpty();
    }

    @Test
    void an_abandoned_partition_is_left_to_its_next_owner() {
        var batch = batchFor("a");
        var entry = inLogOrder(batch).get(0);
        entry.settle(new Settled(100, null));

        batch.abandon(List.of(PARTITION));

        assertThat(batch.committable()).isEmpty();
        assertThat(entry.isAbandoned()).isTrue();
    }
}
