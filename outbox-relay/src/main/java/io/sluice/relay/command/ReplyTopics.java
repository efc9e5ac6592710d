package io.sluice.relay.command;

import io.sluice.relay.ops.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which topics replies may go to: any that is there and is none of the relay's own. Nothing is ever made by replying. Belongs to the consumer's thread.
 */
final class ReplyTopics {
    private static final long KNOWN_FOR_MILLIS = Duration.ofSeconds(30).toMillis();
    private static final int MOST = 1_000;

    private final Predicate<String> exists;
    private final Topics topics;
    private final InstantSource clock;
    private final Map<String, Long> found = new HashMap<>();

    /**
     * Asks by this.
     *
     * @param exists asks Kafka, without making anything
     */
    ReplyTopics(Predicate<String> exists, Topics topics, InstantSource clock) {
        this.exists = exists;
        this.topics = topics;
        this.clock = clock;
    }

    /** Why nothing can be told to this topic; null when it can. */
    @Nullable
    String fault(String topic) {
        if (topics.isOwn(topic)) {
            return "reply-topic " + topic + " is one of the relay's own";
        }
        // Brokers take nothing for these: the commit would fail, and with it every later one of the partition.
        if (topic.startsWith("__")) {
            return "reply-topic " + topic + " is one of Kafka's own";
        }
        return isThere(topic) ? null : "reply-topic " + topic + " does not exist; make it, the relay does not";
    }

    private boolean isThere(String topic) {
        long now = clock.millis();
        Long seen = found.get(topic);
        if (seen != null && now - seen < KNOWN_FOR_MILLIS) {
            return true;
        }
        found.remove(topic);
        if (!exists.test(topic)) {
            return false;
        }
        if (found.size() >= MOST) {
            found.clear();
        }
        found.put(topic, now);
        return true;
    }
}
