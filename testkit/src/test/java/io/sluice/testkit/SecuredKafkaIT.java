package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SecuredKafkaIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final ResourcePattern ORDERS =
            new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.LITERAL);

    @Test
    void users_are_known_by_password_or_certificate_and_may_do_what_they_are_allowed(@TempDir Path folder)
            throws Exception {
        try (SecuredKafka kafka = SecuredKafka.start(folder)) {
            kafka.addUser("clerk", "a password");
            KafkaTopics.create(kafka.admin(), new NewTopic("orders", 1, (short) 1));
            Path certificate = kafka.authority().issue("porter");

            try (Admin clerk = byPassword(kafka, "a password");
                    Admin porter = byCertificate(kafka, certificate)) {
                for (Admin user : List.of(clerk, porter)) {
                    assertThatThrownBy(() -> partitions(user)).hasCauseInstanceOf(TopicAuthorizationException.class);
                }
                kafka.allow("clerk", ORDERS, List.of(AclOperation.DESCRIBE));
                awaitAllowed(clerk);
                assertThatThrownBy(() -> partitions(porter)).hasCauseInstanceOf(TopicAuthorizationException.class);
                kafka.allow("porter", ORDERS, List.of(AclOperation.DESCRIBE));
                awaitAllowed(porter);
                kafka.allowNothing();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThatThrownBy(() -> partitions(clerk))
                                .hasCauseInstanceOf(TopicAuthorizationException.class));
            }
            try (Admin stranger = byPassword(kafka, "another password")) {
                assertThatThrownBy(() -> partitions(stranger)).hasCauseInstanceOf(SaslAuthenticationException.class);
            }
        }
    }

    /** The broker hears of a permission a moment after the controller has it. */
    private static void awaitAllowed(Admin user) {
        await().atMost(PATIENCE)
                .ignoreExceptionsMatching(e -> e.getCause() instanceof TopicAuthorizationException)
                .until(() -> partitions(user) == 1);
    }

    private static int partitions(Admin user) throws ExecutionException, InterruptedException {
        return user.describeTopics(List.of("orders")).allTopicNames().get().values().stream()
                .mapToInt(topic -> topic.partitions().size())
                .sum();
    }

    private static Admin byPassword(SecuredKafka kafka, String password) {
        return Admin.create(Map.copyOf(kafka.login("clerk", password)));
    }

    private static Admin byCertificate(SecuredKafka kafka, Path certificate) {
        Map<String, Object> settings = trusting(kafka, kafka.bootstrapServersForCertificates());
        settings.put("security.protocol", "SSL");
        settings.put("ssl.keystore.type", "PEM");
        settings.put("ssl.keystore.location", certificate.toString());
        return Admin.create(settings);
    }

    private static Map<String, Object> trusting(SecuredKafka kafka, String bootstrapServers) {
        return new HashMap<>(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                kafka.authority().certificate().toString()));
    }
}
