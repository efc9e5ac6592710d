package io.sluice.relay.topic;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.EmbeddedKafka;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TransactionSupportIT {
    private static final Topics TOPICS = new Topics("orders");
    private static final int ANY = 0;

    private static EmbeddedKafka broker;
    private static EmbeddedKafka limited;
    private static Admin admin;
    private static Admin ofLimited;

    @BeforeAll
    static void start() throws Exception {
        broker = EmbeddedKafka.start();
        admin = new KafkaAccess(broker.bootstrapServers(), Map.of()).admin();
        limited = EmbeddedKafka.start(Map.of("transaction.max.timeout.ms", "15000"));
        ofLimited = new KafkaAccess(limited.bootstrapServers(), Map.of()).admin();
        ofLimited
                .updateFeatures(
                        Map.of(
                                "transaction.version",
                                new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE)),
                        new UpdateFeaturesOptions())
                .all()
                .get();
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
        ofLimited.close();
        limited.close();
    }

    private static void require(Admin asked, int leastVersion) {
        TransactionSupport.require(asked, "kafka:9092", TOPICS, leastVersion);
    }

    /** As an admin client whose user may not read the settings of brokers. */
    private static Admin withoutSettings(Admin real) {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("describeConfigs")) {
                        return real.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.TOPIC, "missing")));
                    }
                    return method.invoke(real, arguments);
                });
    }

    @Test
    void a_new_cluster_of_the_tested_kafka_has_all_that_is_needed() {
        assertThatCode(() -> require(admin, TransactionSupport.SAFE_VERSION)).doesNotThrowAnyException();
        assertThatCode(() -> require(withoutSettings(admin), TransactionSupport.SAFE_VERSION))
                .doesNotThrowAnyException();
    }

    @Test
    void brokers_that_allow_only_shorter_transactions_are_named_with_what_they_allow() {
        assertThatThrownBy(() -> require(ofLimited, ANY))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("transaction.max.timeout.ms must be at least 20000")
                .hasMessageContaining("by broker, 1: 15000");
    }

    @Test
    void a_user_who_may_not_read_the_brokers_settings_learns_it_by_a_try() {
        assertThatThrownBy(() -> require(withoutSettings(ofLimited), ANY))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("transaction.max.timeout.ms must be at least 20000")
                .hasMessageContaining("a broker refuses this time");
    }

    @Test
    void an_older_version_of_transactions_is_refused_unless_the_setting_takes_it() {
        assertThatThrownBy(() -> require(ofLimited, TransactionSupport.SAFE_VERSION))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("transaction.version must be at level 2 or higher, it is at 1")
                .hasMessageContaining("kafka-features --bootstrap-server kafka:9092 upgrade")
                .hasMessageContaining("SLUICE_TRANSACTION_VERSION=1")
                .hasMessageContaining("transaction.max.timeout.ms");

        assertThatThrownBy(() -> require(ofLimited, 1))
                .as("the other fault is left")
                .hasMessageNotContaining("transaction.version");
    }
}
