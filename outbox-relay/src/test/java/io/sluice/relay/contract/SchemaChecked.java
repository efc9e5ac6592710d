package io.sluice.relay.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Hands on the bytes of a topic's values once they have passed the topic's schema. */
public record SchemaChecked(TopicContract contract) implements Deserializer<byte[]> {
    @Override
    public byte @Nullable [] deserialize(String topic, byte @Nullable [] value) {
        if (value != null) {
            var schema = Optional.ofNullable(contract.values().get(0).schema()).orElseThrow();
            try {
                assertThat(Schemas.faultsOfOurs(schema, Schemas.JSON.readTree(value)))
                        .as("%s", new String(value, UTF_8))
                        .isEmpty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return value;
    }
}
