package io.sluice.relay.command.parked;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an owner finds in the topic of parked commands. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ParkedLogIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private Admin admin;
    private ParkedLog log;

    @BeforeEach
    void open() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        admin = kafka.admin();
        KafkaTopics.create(admin, new NewTopic(topics.parkedCommands(), 2, (short) 1));
        log = new ParkedLog(kafka, admin, topics);
    }

    @AfterEach
    void close() {
        admin.close();
    }

    private ParkedRecord command(long offset, byte @Nullable [] key) {
        var value = "{}".getBytes(UTF_8);
        var headers = new RecordHeaders().add("ce_id", "c".getBytes(UTF_8)).add("sluice-key", "own".getBytes(UTF_8));
        return new ParkedRecord(
                "topic",
                true,
                new ConsumerRecord<>(
                        topics.commands(),
                        1,
                        offset,
                        7_000,
                        TimestampType.CREATE_TIME,
                        key == null ? -1 : key.length,
                        value.length,
                        key,
                        value,
                        headers,
                        Optional.empty()));
    }

    private List<ParkedLog.Parked> read() {
        var partition = new TopicPartition(topics.commands(), 1);
        return log.read(List.of(partition)).getOrDefault(partition, List.of());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit reports the failure of a send
    private void write(List<ProducerRecord<byte[], byte[]>> messages) {
        try (var producer = kafka.transactional(topics.prefix() + "-test")) {
            producer.initTransactions();
            producer.beginTransaction();
            for (var message : messages) {
                producer.send(message);
            }
            producer.commitTransaction();
        }
    }

    @Test
    void a_command_is_read_as_it_was_until_it_is_finished() {
        var keyed = command(5, "k".getBytes(UTF_8));
        var keyless = command(6, null);
        write(List.of(keyed.toRecord(log.topic()), keyless.toRecord(log.topic())));

        assertThat(read())
                .extracting(ParkedLog.Parked::record)
                .satisfiesExactly(found -> assertSame(found, keyed), found -> assertSame(found, keyless));

        write(List.of(keyed.toFinish(log.topic())));
        assertThat(read()).singleElement().satisfies(found -> assertSame(found.record(), keyless));
        assertThat(keyed.bytes()).isGreaterThan(1_024);
    }

    private static void assertSame(ParkedRecord found, ParkedRecord parked) {
        assertThat(found.topicId()).isEqualTo("topic");
        assertThat(found.mayHaveEarlierReceipt()).isTrue();
        assertThat(found.place()).isEqualTo(parked.place());
        assertThat(found.command().key()).isEqualTo(parked.command().key());
        assertThat(found.command().value()).isEqualTo(parked.command().value());
        assertThat(found.command().timestamp()).isEqualTo(7_000);
        assertThat(found.command().topic()).isEqualTo(parked.command().topic());
        assertThat(found.command().headers().toArray())
                .containsExactly(parked.command().headers().toArray());
    }

    @Test
    void records_of_others_are_none() {
        var foreign = command(8, null).toRecord(log.topic());
        write(List.of(
                new ProducerRecord<>(log.topic(), 1, "x".getBytes(UTF_8), "{}".getBytes(UTF_8)),
                new ProducerRecord<>(log.topic(), 1, "y".getBytes(UTF_8), "{}".getBytes(UTF_8), foreign.headers())));

        assertThat(read()).isEmpty();
    }

    @Test
    void what_an_open_transaction_hides_is_waited_for() throws Exception {
        write(List.of(command(5, null).toRecord(log.topic())));
        try (var owner = kafka.transactional(topics.prefix() + "-owner")) {
            owner.initTransactions();
            owner.beginTransaction();
            owner.send(command(6, null).toRecord(log.topic())).get();
            var reading = CompletableFuture.supplyAsync(this::read);
            assertThat(reading.completeOnTimeout(List.of(), 2, TimeUnit.SECONDS).get())
                    .as("nothing is known before the transaction has ended")
                    .isEmpty();

            var again = CompletableFuture.supplyAsync(this::read);
            owner.commitTransaction();

            assertThat(again.get(30, TimeUnit.SECONDS)).hasSize(2);
        }
    }

    @Test
    void a_partition_that_the_topic_does_not_have_holds_nothing() {
        var beyond = new TopicPartition(topics.commands(), 2);

        assertThat(log.read(List.of(beyond))).containsEntry(beyond, List.of());
    }
}
