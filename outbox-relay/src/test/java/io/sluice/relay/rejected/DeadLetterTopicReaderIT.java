package io.sluice.relay.rejected;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import io.sluice.testkit.KafkaWarnings;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated("the log is the JVM's: warnings of other tests' consumers would be seen, too")
class DeadLetterTopicReaderIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @Test
    void asking_how_far_the_topic_goes_warns_of_nothing() throws Exception {
        var access = new KafkaAccess(kafka.bootstrapServers(), Map.of());
        var topic = new Topics(kafka.prefix()).deadLetters();
        try (var admin = access.admin()) {
            KafkaTopics.create(admin, new NewTopic(topic, 2, (short) 1));
        }

        try (var warnings = new KafkaWarnings();
                var reader = new DeadLetterTopicReader(access, topic)) {
            assertThat(reader.extents()).containsOnlyKeys(0, 1);
            assertThat(warnings.lines()).as("each sweep of an idle relay asks").isEmpty();
        }
    }
}
