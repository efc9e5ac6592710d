package io.sluice.relay.command;

import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Intakes of commands for tests.
 *
 * @param replyTopics names of the topics that replies may go to
 */
record TestIntakes(KafkaAccess kafka, Topics topics, List<String> replyTopics, InstantSource clock) {
    /** With replies to all topics that begin with the prefix and a dot. */
    TestIntakes(KafkaAccess kafka, Topics topics) {
        this(
                kafka,
                topics,
                List.of(topics.prefix() + ".replies", topics.prefix() + ".replies.*"),
                InstantSource.system());
    }

    /** Four commands at a time, which may be a day old. */
    CommandIntake intake(Inbox inbox, PipelineControl control) {
        return intake(inbox, control, 4, RelayMemory.ofHeap());
    }

    CommandIntake intake(Inbox inbox, PipelineControl control, int concurrency, RelayMemory memory) {
        var delivery = new RelayConfig.Delivery(
                concurrency,
                Duration.ofMillis(200),
                Duration.ofDays(1),
                new RelayConfig.GivingUp(10, Duration.ofDays(3), true));
        return new CommandIntake(
                new CommandConsumers(kafka, topics, replyTopics, memory, clock),
                new CommandWorkers(inbox, delivery, control, memory, clock),
                control,
                Duration.ofSeconds(10),
                () -> {});
    }
}
