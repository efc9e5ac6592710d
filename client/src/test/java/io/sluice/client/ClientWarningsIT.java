package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import io.sluice.testkit.KafkaWarnings;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated("the log is the JVM's: warnings of other tests' consumers would be seen, too")
class ClientWarningsIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @Test
    void kafkas_consumer_warns_of_nothing_when_a_client_opens() throws Exception {
        String replies = kafka.prefix() + ".replies.shop";
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            KafkaTopics.create(
                    admin,
                    new NewTopic(kafka.prefix() + ".commands", 3, (short) 1),
                    new NewTopic(kafka.prefix() + ".dead-letters", 3, (short) 1),
                    new NewTopic(replies, 2, (short) 1));
        }
        var config = ClientConfig.of(kafka.bootstrapServers(), kafka.prefix()).withReplyTopic(replies);

        try (var warnings = new KafkaWarnings();
                var client = SluiceClient.open(config)) {
            assertThat(client).isNotNull();
            assertThat(warnings.lines()).isEmpty();
        }
    }
}
