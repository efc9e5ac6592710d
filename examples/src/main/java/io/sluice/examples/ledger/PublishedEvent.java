package io.sluice.examples.ledger;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record of the history topic.
 *
 * @param key the instance it claims to be about
 * @param cloudEventId the {@code ce_id} header; null when there is none
 * @param json the value as it was read
 */
public record PublishedEvent(
        int partition, String key, @Nullable String cloudEventId, String json, HistoryEvent event) {
    /**
     * Reads a record.
     *
     * @throws RuntimeException when the value is not a history event
     */
    public static PublishedEvent of(ConsumerRecord<String, String> consumed) {
        Header id = consumed.headers().lastHeader("ce_id");
        return new PublishedEvent(
                consumed.partition(),
                consumed.key(),
                id == null ? null : new String(id.value(), StandardCharsets.UTF_8),
                consumed.value(),
                HistoryJson.decode(consumed.value()));
    }
}
