package io.sluice.client;

import java.util.Objects;

/**
 * Where a command stands in Kafka, permanently.
 *
 * @param commandId given or new
 * @param topic of the relay's commands
 * @param offset in its partition
 */
public record SentCommand(String commandId, String topic, int partition, long offset) {
    public SentCommand {
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(topic, "topic");
    }
}
