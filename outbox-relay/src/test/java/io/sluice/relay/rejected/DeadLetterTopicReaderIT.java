package io.sluice.relay.rejected;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated("the log is the JVM's: warnings of other tests' consumers would be seen, too")
class DeadLetterTopicReaderIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    /** Collects the warnings of Kafka's consumers. */
    private static final class Warnings extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger logger = (Logger) LoggerFactory.getLogger("org.apache.kafka.clients.consumer");
        private final List<String> lines = new CopyOnWriteArrayList<>();

        Warnings() {
            logger.setLevel(Level.WARN);
            logger.addAppender(this);
            start();
        }

        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
        }

        @Override
        public void close() {
            logger.detachAppender(this);
            logger.setLevel(null);
            stop();
        }
    }

    @Test
    void asking_how_far_the_topic_goes_warns_of_nothing() throws Exception {
        var access = new KafkaAccess(kafka.bootstrapServers(), Map.of());
        var topic = new Topics(kafka.prefix()).deadLetters();
        try (var admin = access.admin()) {
            KafkaTopics.create(admin, new NewTopic(topic, 2, (short) 1));
        }

        try (var warnings = new Warnings();
                var reader = new DeadLetterTopicReader(access, topic)) {
            assertThat(reader.extents()).containsOnlyKeys(0, 1);
            assertThat(warnings.lines).as("each sweep of an idle relay asks").isEmpty();
        }
    }
}
