package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ClientConfig;
import io.sluice.client.ClientStartException;
import io.sluice.client.Command;
import io.sluice.client.CommandOptions;
import io.sluice.client.Reply;
import io.sluice.client.SluiceClient;
import io.sluice.program.cli.ExitCode;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaTopics;
import io.sluice.testkit.SecuredKafka;
import io.sluice.testkit.TestAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that asks who comes, by TLS and passwords or by certificates, and lets nobody do what no ACL allows. The
 * settings are those of {@code docs/security.md}, and the ACLs exactly those of its table.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class SaslSslIT {
    private static final String PASSWORD = "pass-of-the-relay-1f7c";
    private static final String CLIENTS_PASSWORD = "pass-of-the-shop-90ab";
    private static final String RELAY = "relay";
    private static final String SHOP = "shop";
    private static final String REPLIES = "shop.replies";
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @TempDir
    static Path certificates;

    @TempDir
    Path folder;

    private static SecuredKafka kafka;

    @BeforeAll
    static void open() throws Exception {
        kafka = SecuredKafka.start(certificates.resolve("authority"));
        kafka.addUser(RELAY, PASSWORD);
        kafka.addUser(SHOP, CLIENTS_PASSWORD);
        KafkaTopics.create(kafka.admin(), new NewTopic(REPLIES, 1, (short) 1));
    }

    @AfterAll
    static void close() {
        kafka.close();
    }

    @BeforeEach
    void forgetRights() {
        kafka.allowNothing();
    }

    private static void allow(String user, String prefix, List<DocumentedRight> rights) {
        rights.forEach(
                right -> right.resources(prefix).forEach(resource -> kafka.allow(user, resource, right.operations())));
    }

    private static void allowAsDocumented(String user, String prefix) throws IOException {
        allow(user, prefix, DocumentedRight.all());
        kafka.allow(user, topic(REPLIES), List.of(AclOperation.WRITE, AclOperation.DESCRIBE));
    }

    private static ResourcePattern topic(String name) {
        return new ResourcePattern(ResourceType.TOPIC, name, PatternType.LITERAL);
    }

    private static Map<String, String> environment(TestStore store, String prefix) {
        var environment = RelayEnvironment.of(store.config(), kafka.bootstrapServers(), prefix, Map.of());
        environment.put("SLUICE_TOPIC_PARTITIONS", "2");
        environment.put("SLUICE_REPLY_TOPICS", REPLIES);
        environment.put("SLUICE_START_TIMEOUT", "0"); // who speaks plainly to TLS hears nothing, which might pass
        environment.put("KAFKA_SECURITY_PROTOCOL", "SASL_SSL");
        environment.put("KAFKA_SASL_MECHANISM", "SCRAM-SHA-512");
        environment.put("KAFKA_SASL_JAAS_CONFIG", login(RELAY, PASSWORD));
        environment.put("KAFKA_SSL_TRUSTSTORE_TYPE", "PEM");
        environment.put(
                "KAFKA_SSL_TRUSTSTORE_LOCATION", kafka.authority().certificate().toString());
        return environment;
    }

    private static String login(String user, String password) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + user + "\" password=\""
                + password + "\";";
    }

    private static Map<String, String> withCertificate(Map<String, String> environment, Path keys) {
        var changed = new HashMap<>(environment);
        changed.put("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServersForCertificates());
        changed.put("KAFKA_SECURITY_PROTOCOL", "SSL");
        changed.remove("KAFKA_SASL_MECHANISM");
        changed.remove("KAFKA_SASL_JAAS_CONFIG");
        changed.put("KAFKA_SSL_KEYSTORE_TYPE", "PEM");
        changed.put("KAFKA_SSL_KEYSTORE_LOCATION", keys.toString());
        return changed;
    }

    /** A runtime needs of Kafka what the table of {@code docs/dispatch.md} says, and no more. */
    @Test
    void announced_work_is_taken_with_the_rights_of_the_table() throws Exception {
        var prefix = "rights";
        var rights = DocumentedRight.all(Path.of("..", "docs", "dispatch.md"));
        assertThat(rights).hasSize(4);
        allow("runtime", prefix, rights);
        var login = withCertificate(Map.of(), kafka.authority().issue("runtime")).entrySet().stream()
                .collect(Collectors.toMap(
                        setting -> setting.getKey()
                                .substring("KAFKA_".length())
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '.'),
                        Map.Entry::getValue));
        login.put("ssl.truststore.type", "PEM");
        login.put("ssl.truststore.location", kafka.authority().certificate().toString());
        try (var store = TestStore.provisioned(cosmos);
                var relay = started(RelayEnvironment.of(
                        store.config(),
                        kafka.bootstrapServersForAnybody(),
                        prefix,
                        Map.of("SLUICE_TOPIC_PARTITIONS", "2", "SLUICE_DISPATCH_ENABLED", "true")));
                var client = CosmosProvider.builder()
                        .config(store.config())
                        .relayExpected(Duration.ofSeconds(30))
                        .build();
                var runtime = new SmallRuntime(store, prefix, login)) {
            await().atMost(PATIENCE).until(runtime::isAnnounced);

            client.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration("order-1", "Order", "{}", "1.0.0", null, null, null, 1), null);

            await().atMost(PATIENCE).until(() -> runtime.done().contains("order-1"));
            await("what was handled is committed").atMost(PATIENCE).until(() -> committed(prefix) > 0);
            assertThat(relay.status().problems()).isEmpty();
        }
    }

    private static long committed(String prefix) throws Exception {
        String group = kafka.admin().listGroups(ListGroupsOptions.forConsumerGroups()).all().get().stream()
                .map(GroupListing::groupId)
                .filter(name -> name.startsWith(prefix + "-work-turns-"))
                .findAny()
                .orElseThrow();
        return kafka.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().values().stream()
                .mapToLong(offset -> offset.offset())
                .sum();
    }

    private static Map<String, String> with(Map<String, String> environment, String name, String value) {
        var changed = new HashMap<>(environment);
        changed.put(name, value);
        return changed;
    }

    private Map<String, String> withStreams(Map<String, String> environment, String state) {
        var changed = with(environment, "SLUICE_STREAMS", "true");
        changed.put("SLUICE_STREAMS_STATE", folder.resolve(state).toString());
        return changed;
    }

    private static OutboxRelay started(Map<String, String> environment) {
        var relay = OutboxRelay.builder()
                .config(RelayConfig.load(environment, null))
                .build();
        relay.start();
        return relay;
    }

    @Test
    void relay_streams_and_client_work_with_the_rights_of_the_table_and_check_finds_each_that_is_missing()
            throws Exception {
        var prefix = "sasl";
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = with(withStreams(environment(store, prefix), "state"), "SLUICE_DISPATCH_ENABLED", "true");
            allowAsDocumented(RELAY, prefix);
            kafka.allow(SHOP, topic(prefix + ".commands"), List.of(AclOperation.WRITE, AclOperation.DESCRIBE));
            kafka.allow(SHOP, topic(REPLIES), List.of(AclOperation.READ, AclOperation.DESCRIBE));

            try (var relay = started(environment);
                    var client = SluiceClient.open(clientConfig(prefix, CLIENTS_PASSWORD))) {
                var asked = client.ask(new Command.Start("order-1", "Order", "{}"));
                assertThat(asked.reply().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isInstanceOf(Reply.Accepted.class);
                var hasty = CommandOptions.ofId("hasty").withReplyTimeout(Duration.ofMillis(1));
                assertThatThrownBy(() -> client.ask(new Command.Cancel("order-1", ""), hasty)
                                .reply()
                                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as("of a client without a right to the dead letters")
                        .hasMessageContaining(
                                prefix + ".dead-letters, which this client may not read (Read and Describe)");
                var events = store.writeHistory("order-1", 1, 3);
                store.writeIntents("order-1", "order-2", 1, 2);
                await().atMost(PATIENCE)
                        .untilAsserted(() ->
                                assertThat(store.ids("order-2", "orch_queue")).hasSize(2));
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(ids(prefix + ".history")).containsExactlyElementsOf(events));
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(ids(prefix + ".lifecycle")).hasSizeGreaterThanOrEqualTo(3));
                await().atMost(PATIENCE)
                        .until(() -> isWritten(prefix + ".work.turns") && isWritten(prefix + ".work.pulse"));
                assertThat(relay.status().problems()).isEmpty();
            }
            assertThat(madeByStreams(prefix)).containsExactlyInAnyOrderElementsOf(new Topics(prefix).keptByStreams());
            assertThat(CommandRun.of(environment, "check").code()).isEqualTo(ExitCode.DONE);
            everyMissingRightIsNamed(
                    withCertificate(environment, kafka.authority().issue(RELAY)), prefix);
        }
    }

    private static ClientConfig clientConfig(String prefix, String password) {
        return ClientConfig.of(kafka.bootstrapServers(), prefix)
                .withReplyTopic(REPLIES)
                .withAllowedReplyTopics(List.of(REPLIES))
                .withReplyTimeout(PATIENCE)
                .withKafkaSettings(kafka.login(SHOP, password));
    }

    private static List<String> ids(String topic) {
        var prefix = topic.substring(0, topic.indexOf('.'));
        return new TestTopics(kafka.bootstrapServersForAnybody(), prefix).ids(topic);
    }

    private static boolean isWritten(String topic) {
        var prefix = topic.substring(0, topic.indexOf('.'));
        return !new TestTopics(kafka.bootstrapServersForAnybody(), prefix)
                .committed(topic)
                .isEmpty();
    }

    private static List<String> madeByStreams(String prefix) throws Exception {
        return kafka.admin().listTopics().names().get().stream()
                .filter(topic -> topic.startsWith(prefix + "-streams-"))
                .toList();
    }

    /** By a certificate, since each client that logs in by a password computes for long. */
    private static void everyMissingRightIsNamed(Map<String, String> environment, String prefix) throws Exception {
        var rights = DocumentedRight.all();
        int tried = 0;
        for (var right : rights) {
            for (var taken : right.needed()) {
                kafka.allowNothing();
                allow(
                        RELAY,
                        prefix,
                        rights.stream()
                                .map(each -> each.equals(right) ? right.without(taken) : each)
                                .toList());

                var run = CommandRun.of(environment, "check");

                assertThat(run.code()).as("%s without %s", right, taken).isEqualTo(ExitCode.START);
                assertThat(run.err())
                        .as("%s without %s", right, taken)
                        .contains("allow " + DocumentedRight.name(taken) + " on ")
                        .contains(right.suffixes().stream()
                                .map(suffix -> prefix + suffix)
                                .toList());
                tried++;
            }
        }
        assertThat(tried).as("operations of the table").isEqualTo(16);
    }

    @Test
    void who_is_not_let_in_is_told_which_setting_to_look_at() throws Exception {
        var prefix = "refused";
        var stranger = TestAuthority.create(folder.resolve("stranger"), "authority of nobody");
        try (var store = TestStore.provisioned(cosmos)) {
            var right = environment(store, prefix);
            allowAsDocumented(RELAY, prefix);
            var port =
                    kafka.bootstrapServers().substring(kafka.bootstrapServers().indexOf(':'));
            isRefused(
                    with(right, "KAFKA_SASL_JAAS_CONFIG", login(RELAY, PASSWORD + "-old")),
                    "does not know this user or password",
                    "KAFKA_SASL_JAAS_CONFIG");
            isRefused(with(right, "KAFKA_SASL_MECHANISM", "PLAIN"), "[SCRAM-SHA-512]", "KAFKA_SASL_");
            isRefused(
                    with(
                            right,
                            "KAFKA_SSL_TRUSTSTORE_LOCATION",
                            stranger.certificate().toString()),
                    "is not signed by an authority that this process trusts",
                    "KAFKA_SSL_TRUSTSTORE_LOCATION");
            isRefused(
                    with(right, "KAFKA_SSL_TRUSTSTORE_LOCATION", "/nowhere/ca.pem"),
                    "/nowhere/ca.pem",
                    "ssl.truststore.location");
            isRefused(
                    with(right, "KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1" + port),
                    "certificate is for another name",
                    "KAFKA_BOOTSTRAP_SERVERS");
            isRefused(with(right, "KAFKA_SECURITY_PROTOCOL", "PLAINTEXT"), "KAFKA_SECURITY_PROTOCOL");
            isRefused(
                    withCertificate(right, stranger.issue(RELAY)),
                    "the TLS handshake failed",
                    "KAFKA_SSL_KEYSTORE_LOCATION");
            for (var torn :
                    List.of("Scram " + PASSWORD + ";", login(RELAY, PASSWORD).replace("password=", ""))) {
                isRefused(with(right, "KAFKA_SASL_JAAS_CONFIG", torn), "sasl.jaas.config");
                assertThat(CommandRun.of(with(right, "KAFKA_SASL_JAAS_CONFIG", torn), "run", "--streams-only"))
                        .satisfies(run -> assertThat(run.code()).isEqualTo(ExitCode.START))
                        .satisfies(run -> assertThat(run.toString()).doesNotContain(PASSWORD));
            }
            assertThatThrownBy(() -> SluiceClient.open(clientConfig(prefix, CLIENTS_PASSWORD + "-old")))
                    .isInstanceOf(ClientStartException.class)
                    .hasMessageContaining("refuses this client")
                    .hasMessageContaining("security settings");
        }
    }

    @Test
    void who_may_nothing_is_told_of_all_that_is_needed() {
        try (var store = TestStore.provisioned(cosmos)) {
            isRefused(
                    environment(store, "rightless"),
                    "topic rightless.history",
                    "Read on group rightless-commands, group rightless-history",
                    "Write on transactional ids that begin with rightless-");
        }
    }

    private static void isRefused(Map<String, String> environment, String... says) {
        var run = CommandRun.of(environment, "run");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.START);
        assertThat(run.err()).startsWith("The relay can't start: ").contains(says);
        assertThat(run.out() + run.err()).doesNotContain(PASSWORD);
    }

    @Test
    void certificates_on_both_sides_let_the_relay_in() throws Exception {
        var prefix = "mtls";
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = withCertificate(
                    environment(store, prefix), kafka.authority().issue(RELAY));
            allowAsDocumented(RELAY, prefix);

            try (var relay = started(environment)) {
                var events = store.writeHistory("order-1", 1, 3);
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(ids(prefix + ".history")).containsExactlyElementsOf(events));
                assertThat(relay.status().problems()).isEmpty();
            }
        }
    }
}
