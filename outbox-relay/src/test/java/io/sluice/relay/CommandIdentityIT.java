package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which commands count as one: nothing is answered "accepted" that was never queued, and nothing is queued twice. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandIdentityIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String FIRST = raise("first");
    private static final String SECOND = raise("second");

    @RegisterExtension
    final Opened opened = new Opened();

    private KafkaAccess access = new KafkaAccess("", Map.of());
    private Topics names = new Topics("");
    private TestTopics topics = new TestTopics("", "");
    private String replies = "";

    @BeforeEach
    void replies() throws Exception {
        access = new KafkaAccess(kafka.bootstrapServers(), Map.of());
        names = new Topics(kafka.prefix());
        topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        replies = kafka.prefix() + ".replies";
        try (var admin = access.admin()) {
            KafkaTopics.create(admin, new NewTopic(replies, 1, (short) 1));
        }
    }

    private static String raise(String data) {
        return "{\"type\":\"raiseEvent\",\"instance\":\"order\",\"name\":\"approval\",\"data\":\"" + data + "\"}";
    }

    private TestStore store() {
        return opened.add(TestStore.provisioned(cosmos));
    }

    private OutboxRelay relay(TestStore store) {
        var relay = OutboxRelay.builder()
                .config(RelayConfig.of(store.config(), kafka.bootstrapServers())
                        .withPrefix(kafka.prefix())
                        .withProvisioning(new RelayConfig.Provisioning(true, 1, 1)))
                .build();
        opened.add(relay);
        relay.start();
        return relay;
    }

    private void send(String json, Map<String, String> headers) throws Exception {
        var all = new HashMap<>(headers);
        all.put("reply-topic", replies);
        topics.send("order", json, all);
    }

    private void awaitReplies(int count) {
        await().atMost(PATIENCE).until(() -> topics.committed(replies).size() >= count);
    }

    private List<String> answers() {
        return topics.committed(replies).stream()
                .map(reply -> new String(reply.value(), UTF_8))
                .toList();
    }

    private static List<String> queued(TestStore store) {
        return store.documents("order", "orch_queue").stream()
                .map(document -> document.path("workItem").asText())
                .toList();
    }

    private static ObjectNode receiptOfEarlierVersion(String commandId, long createdAt) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "receipt:cmd:" + commandId)
                .put("instanceId", "order")
                .put("type", "receipt")
                .put("schemaVersion", 1)
                .put("outcome", "delivered")
                .put("createdAt", createdAt)
                .put("enqueuedAt", createdAt)
                .putNull("reason")
                .put("ttl", 604_800);
    }

    /** As an earlier version leaves it: queued, but its offset not committed. */
    private void commitAsEarlierVersion(long offset) throws Exception {
        try (var admin = access.admin()) {
            KafkaTopics.create(admin, new NewTopic(names.commands(), 1, (short) 1));
            var committed = Map.of(new TopicPartition(names.commands(), 0), new OffsetAndMetadata(offset, "floor=7"));
            // Brokers hear of a new topic a moment after it was made.
            await().ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
                    .untilAsserted(() -> admin.alterConsumerGroupOffsets(names.commandsGroup(), committed)
                            .all()
                            .get());
        }
    }

    @Test
    void a_topic_made_again_repeats_the_offsets_of_its_records_and_no_command() throws Exception {
        var store = store();
        var before = relay(store);
        send(FIRST, Map.of());
        awaitReplies(1);
        before.close();
        try (var admin = access.admin()) {
            admin.deleteTopics(List.of(names.commands())).all().get();
            await().until(() -> !admin.listTopics().names().get().contains(names.commands()));
        }
        relay(store);

        send(SECOND, Map.of());
        awaitReplies(2);

        assertThat(answers()).allSatisfy(answer -> assertThat(answer).contains("accepted"));
        assertThat(queued(store))
                .as("what is answered accepted is queued")
                .hasSize(2)
                .anySatisfy(item -> assertThat(item).contains("second"));
    }

    @Test
    void an_id_used_again_for_another_command_is_refused_and_named_and_ids_of_other_sources_are_others()
            throws Exception {
        var store = store();
        relay(store);
        send(FIRST, Map.of("ce_id", "c-1"));
        awaitReplies(1);

        send(SECOND, Map.of("ce_id", "c-1"));
        send(FIRST, Map.of("ce_id", "c-1"));
        awaitReplies(3);

        assertThat(answers())
                .satisfiesExactly(
                        first -> assertThat(first).contains("accepted"),
                        other -> assertThat(other).contains("rejected").contains("another command"),
                        again -> assertThat(again).contains("accepted"));
        assertThat(topics.deadLetterReasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason).contains("another command"));
        assertThat(queued(store)).hasSize(1);

        send(FIRST, Map.of("ce_id", "c-1", "ce_source", "/shop"));
        send(SECOND, Map.of("ce_id", "c-1", "ce_source", "/billing"));
        send(SECOND, Map.of("ce_id", "c-1", "ce_source", "/billing"));
        awaitReplies(6);

        assertThat(answers().subList(3, 6))
                .allSatisfy(answer -> assertThat(answer).contains("accepted").contains("\"id\":\"c-1\""));
        assertThat(queued(store)).hasSize(3);
    }

    @Test
    void what_an_earlier_version_had_queued_is_not_queued_again() throws Exception {
        var store = store();
        long now = System.currentTimeMillis();
        commitAsEarlierVersion(0);
        store.write(receiptOfEarlierVersion(names.commands() + "-0-0", now));
        store.write(receiptOfEarlierVersion("1", now - 60_000));
        send(FIRST, Map.of());
        send(FIRST, Map.of("ce_id", "1", "ce_source", "/shop"));

        relay(store);
        send(SECOND, Map.of("ce_id", "2", "ce_source", "/shop"));
        awaitReplies(3);

        assertThat(answers()).allSatisfy(answer -> assertThat(answer).contains("accepted"));
        assertThat(queued(store))
                .singleElement()
                .satisfies(item -> assertThat(item).contains("second"));
    }

    /**
     * The topic was made again while the earlier version ran: its receipts are older than the records that stand at
     * their offsets now.
     */
    @Test
    void a_receipt_of_an_earlier_version_that_is_older_than_the_record_is_about_another() throws Exception {
        var store = store();
        commitAsEarlierVersion(0);
        store.write(receiptOfEarlierVersion(names.commands() + "-0-0", System.currentTimeMillis() - 3_600_000));

        relay(store);
        send(FIRST, Map.of());
        awaitReplies(1);

        assertThat(queued(store)).hasSize(1);
    }
}
