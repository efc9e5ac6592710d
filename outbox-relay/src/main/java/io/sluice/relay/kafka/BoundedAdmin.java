package io.sluice.relay.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.ForwardingAdmin;

/**
 * An admin client that closes within a second, also while a call has no answer: Kafka's own then waits for up to five
 * minutes. Thread-safe.
 */
public final class BoundedAdmin extends ForwardingAdmin {
    /** Longer than an idle client needs. Never zero, with which Kafka's client waits for its thread without a limit. */
    public static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    BoundedAdmin(Map<String, Object> settings) {
        super(settings);
    }

    /** Gives up what has no answer yet. */
    @Override
    public void close() {
        close(CLOSE_LIMIT);
    }
}
