package io.sluice.relay.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.CapturedLog;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListTopicsResult;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TopicAdminIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final List<TopicContract> FURTHER = Stream.of(TopicCatalogue.STREAMS, TopicCatalogue.DISPATCH)
            .flatMap(List::stream)
            .toList();
    private static final TopicRules MAKE = new TopicRules(true, 3, 1, -1);
    private static final TopicRules LOOK = new TopicRules(false, 3, 1, -1);
    private static final int RANGES = 5;

    private Admin admin = new KafkaAccess("127.0.0.1:1", Map.of()).admin();
    private TopicAdmin topics = new TopicAdmin(admin, new KafkaAccess("", Map.of()), new Topics(""));

    @BeforeEach
    void connect() {
        admin.close();
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        admin = kafka.admin();
        topics = new TopicAdmin(admin, kafka, new Topics(cluster.prefix()));
    }

    @AfterEach
    void disconnect() {
        admin.close();
    }

    private static String name(TopicContract contract) {
        return contract.name(cluster.prefix());
    }

    private int partitions(TopicContract contract) throws Exception {
        return Optional.ofNullable(admin.describeTopics(List.of(name(contract)))
                        .allTopicNames()
                        .get()
                        .get(name(contract)))
                .orElseThrow()
                .partitions()
                .size();
    }

    private static ConfigResource resource(TopicContract contract) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name(contract));
    }

    private String setting(TopicContract contract, String key) throws Exception {
        return Optional.ofNullable(admin.describeConfigs(List.of(resource(contract)))
                        .all()
                        .get()
                        .get(resource(contract)))
                .orElseThrow()
                .get(key)
                .value();
    }

    private void change(TopicContract contract, String key, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        resource(contract),
                        List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
        // The broker hears of it from the controller, a little later.
        await().until(() -> value.equals(setting(contract, key)));
    }

    @Test
    void topics_are_made_as_their_contracts_say_and_found_good() throws Exception {
        var report = topics.ensure(MAKE, FURTHER, () -> RANGES);

        assertThat(report).isEmpty();
        for (var contract : TopicCatalogue.OWN) {
            int expected = switch (contract.storage().partitions()) {
                case RANGES -> RANGES;
                case ONE -> 1;
                case AS_CONFIGURED, AS_COMMANDS, AS_HISTORY, OF_ITS_MAKER -> 3;
            };
            assertThat(partitions(contract)).as(name(contract)).isEqualTo(expected);
            for (var setting : contract.storage().settings().entrySet()) {
                assertThat(setting(contract, setting.getKey()))
                        .as(name(contract) + " " + setting.getKey())
                        .isEqualTo(setting.getValue());
            }
        }
        assertThat(topics.ensure(LOOK, FURTHER, () -> 0)).isEqualTo(report);
    }

    @Test
    void what_is_made_of_the_history_follows_a_history_that_was_there() throws Exception {
        topics.ensure(new TopicRules(true, 2, 1, -1), List.of(), () -> RANGES);

        topics.ensureStreamsTopics(MAKE);

        assertThat(partitions(TopicCatalogue.STATUS)).isEqualTo(2);
    }

    @Test
    void the_commands_topic_is_made_for_large_commands_and_one_that_takes_less_is_left_as_it_is() throws Exception {
        topics.ensure(MAKE, List.of(), () -> RANGES);

        assertThat(setting(TopicCatalogue.COMMANDS, "max.message.bytes")).isEqualTo("4194304");

        change(TopicCatalogue.COMMANDS, "max.message.bytes", "1048588");
        assertThat(topics.ensure(LOOK, List.of(), () -> 0))
                .as("the relay writes nothing there")
                .isEmpty();
        assertThat(setting(TopicCatalogue.COMMANDS, "max.message.bytes")).isEqualTo("1048588");
    }

    @Test
    void every_topic_that_is_missing_is_named_and_none_is_made() throws Exception {
        assertThatThrownBy(() -> topics.ensure(LOOK, TopicCatalogue.STREAMS, () -> RANGES))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContainingAll(
                        TopicCatalogue.CORE.stream().map(TopicAdminIT::name).toArray(String[]::new));
        assertThatThrownBy(() -> topics.ensureStreamsTopics(LOOK))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining(name(TopicCatalogue.HISTORY));
        assertThat(admin.listTopics().names().get()).noneMatch(topic -> topic.startsWith(cluster.prefix()));
    }

    @Test
    void while_one_that_is_there_is_set_up_wrongly_no_other_is_made() throws Exception {
        KafkaTopics.create(admin, new NewTopic(name(TopicCatalogue.STUCK), 1, (short) 1));

        assertThatThrownBy(() -> topics.ensure(MAKE, TopicCatalogue.STREAMS, () -> RANGES))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining(name(TopicCatalogue.STUCK) + " must have cleanup.policy=compact");
        assertThat(own()).containsExactly(name(TopicCatalogue.STUCK));
    }

    @Test
    void a_history_that_was_lost_is_made_again_with_as_many_partitions_as_what_was_made_of_it_has() throws Exception {
        topics.ensure(new TopicRules(true, 2, 1, -1), TopicCatalogue.STREAMS, () -> RANGES);
        admin.deleteTopics(List.of(name(TopicCatalogue.HISTORY))).all().get();
        await().until(() -> !own().contains(name(TopicCatalogue.HISTORY)));

        assertThatThrownBy(() -> topics.ensure(LOOK, TopicCatalogue.STREAMS, () -> RANGES))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessage("topic " + name(TopicCatalogue.HISTORY) + " is missing; run provision");
        topics.ensure(MAKE, TopicCatalogue.STREAMS, () -> RANGES);

        assertThat(partitions(TopicCatalogue.HISTORY)).isEqualTo(2);
    }

    @Test
    void what_was_made_before_one_is_refused_is_named_and_left() throws Exception {
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var refused = name(TopicCatalogue.DEAD_LETTERS);
        var unlucky = new TopicAdmin(refusing(admin, refused), kafka, new Topics(cluster.prefix()));

        assertThatThrownBy(() -> unlucky.ensure(MAKE, List.of(), () -> RANGES))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("can't create topic " + refused)
                .hasMessageContaining("created before it, and left for the next try: ")
                .hasMessageContaining(name(TopicCatalogue.HISTORY));
        // The broker hears of it from the controller, a little later.
        await().untilAsserted(() ->
                assertThat(own()).contains(name(TopicCatalogue.HISTORY)).doesNotContain(refused));

        assertThat(topics.ensure(MAKE, List.of(), () -> RANGES))
                .as("the next try")
                .isEmpty();
    }

    private List<String> own() throws Exception {
        return admin.listTopics().names().get().stream()
                .filter(topic -> topic.startsWith(cluster.prefix()))
                .toList();
    }

    /** Like a cluster that refuses one topic, though it found nothing wrong with it before. */
    private static Admin refusing(Admin real, String topic) {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (self, method, arguments) -> {
                    boolean isRefused = method.getName().equals("createTopics")
                            && arguments.length == 1
                            && ((Collection<?>) arguments[0])
                                    .stream()
                                            .anyMatch(made ->
                                                    ((NewTopic) made).name().equals(topic));
                    return isRefused
                            ? real.createTopics(List.of(new NewTopic(topic, 1, (short) 1_000)))
                            : method.invoke(real, arguments);
                });
    }

    @Test
    void every_topic_that_is_set_up_wrongly_is_named_with_what_to_do() throws Exception {
        topics.ensure(MAKE, TopicCatalogue.STREAMS, () -> RANGES);
        change(TopicCatalogue.COMMANDS, "cleanup.policy", "compact");
        change(TopicCatalogue.STUCK, "cleanup.policy", "delete");
        change(TopicCatalogue.DEAD_LETTERS, "max.message.bytes", "1000");
        admin.createPartitions(Map.of(name(TopicCatalogue.LIFECYCLE), NewPartitions.increaseTo(4)))
                .all()
                .get();
        await().until(() -> partitions(TopicCatalogue.LIFECYCLE) == 4);

        assertThatThrownBy(() -> topics.ensure(LOOK, TopicCatalogue.STREAMS, () -> RANGES))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContainingAll(
                        name(TopicCatalogue.COMMANDS) + " must have cleanup.policy=delete",
                        name(TopicCatalogue.STUCK) + " must have cleanup.policy=compact",
                        name(TopicCatalogue.DEAD_LETTERS) + " must accept records of 4194304 bytes",
                        name(TopicCatalogue.LIFECYCLE) + " must have as many partitions as the history, 3, it has 4",
                        "--bootstrap-server " + cluster.bootstrapServers());
        assertThatThrownBy(() -> topics.ensureStreamsTopics(LOOK))
                .hasMessageContaining(name(TopicCatalogue.STUCK))
                .hasMessageNotContaining(name(TopicCatalogue.COMMANDS));
        assertThatThrownBy(() -> topics.ensure(LOOK, List.of(), () -> RANGES))
                .hasMessageNotContaining(name(TopicCatalogue.STUCK));
    }

    @Test
    void a_broker_that_does_not_list_the_history_yet_that_was_just_made_is_not_taken_at_its_word() throws Exception {
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var lagging = new TopicAdmin(listingWhatWas(admin), kafka, new Topics(cluster.prefix()));

        lagging.ensure(MAKE, TopicCatalogue.STREAMS, () -> RANGES);

        assertThat(partitions(TopicCatalogue.LIFECYCLE)).isEqualTo(3);
    }

    /** Like a broker whose metadata lags behind. */
    private static Admin listingWhatWas(Admin real) throws Exception {
        ListTopicsResult before = real.listTopics();
        before.names().get();
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (self, method, arguments) ->
                        method.getName().equals("listTopics") ? before : method.invoke(real, arguments));
    }

    @Test
    void what_harms_nobody_is_a_warning() throws Exception {
        topics.ensure(MAKE, TopicCatalogue.STREAMS, () -> RANGES);
        change(TopicCatalogue.STATISTICS, "cleanup.policy", "compact");

        try (var log = CapturedLog.of(TopicAdmin.class)) {
            assertThat(topics.ensure(LOOK, TopicCatalogue.STREAMS, () -> RANGES))
                    .singleElement()
                    .asString()
                    .contains(name(TopicCatalogue.STATISTICS) + " must have cleanup.policy=compact,delete");
            assertThat(log.lines())
                    .as("check prints it, and an operator would read it twice")
                    .isEmpty();
        }
    }

    @Test
    void replicas_that_must_be_in_sync_are_set_when_a_topic_is_made_and_demanded_of_one_that_was_there()
            throws Exception {
        topics.ensure(new TopicRules(true, 1, 1, 1), List.of(), () -> 1);
        assertThat(setting(TopicCatalogue.HISTORY, "min.insync.replicas")).isEqualTo("1");

        assertThatThrownBy(() -> topics.ensure(new TopicRules(true, 1, 1, 2), List.of(), () -> 1))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining(name(TopicCatalogue.HISTORY) + " must have min.insync.replicas=2");
    }
}
