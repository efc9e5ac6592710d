package io.sluice.relay.command;

import io.sluice.relay.ops.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which topics replies may go to: those that are allowed, are there, let the relay write and are none of the relay's own. Nothing is ever made by replying. Belongs to the consumer's thread.
 */
final class ReplyTopics {
    private static final long KNOWN_FOR_MILLIS = Duration.ofSeconds(30).toMillis();
    private static final int MOST = 1_000;

    private final Function<String, @Nullable String> rights;
    private final Topics topics;
    private final AllowedReplyTopics allowed;
    private final InstantSource clock;
    private final Map<String, Long> givenUp = new HashMap<>();
    private final Map<String, Known> known = new HashMap<>();

    /** What is known of a topic: its fault, null for none, and since when. */
    private record Known(@Nullable String fault, long atMillis) {}

    /**
     * Asks by this.
     *
     * @param rights asks Kafka, without making anything: why nothing can be written to a topic, null when it can
     */
    ReplyTopics(
            Function<String, @Nullable String> rights, Topics topics, AllowedReplyTopics allowed, InstantSource clock) {
        this.allowed = allowed;
        this.rights = rights;
        this.topics = topics;
        this.clock = clock;
    }

    /** Why nothing can be told to this topic; null when it can. */
    @Nullable
    String fault(String topic) {
        if (topics.isOwn(topic)) {
            return sentence(topic, "is one of the relay's own");
        }
        // Brokers take nothing for these: the commit would fail, and with it every later one of the partition.
        if (topic.startsWith("__")) {
            return sentence(topic, "is one of Kafka's own");
        }
        if (!allowed.isAllowed(topic)) {
            return sentence(topic, "is none that the relay may reply to, see SLUICE_REPLY_TOPICS");
        }
        var fault = asked(topic);
        return fault == null ? null : sentence(topic, fault);
    }

    /** Kafka took nothing for this topic, whatever it said before; it is asked again after a while. */
    void refused(String topic, String why) {
        remember(topic, "takes no reply: " + why);
    }

    /** It took no reply in time, which may pass; nothing is sent there for a while. */
    void giveUp(String topic) {
        if (givenUp.size() >= MOST) {
            givenUp.clear();
        }
        givenUp.putIfAbsent(topic, clock.millis());
    }

    boolean isGivenUp(String topic) {
        var since = givenUp.get(topic);
        if (since != null && clock.millis() - since >= KNOWN_FOR_MILLIS) {
            givenUp.remove(topic);
            return false;
        }
        return since != null;
    }

    /** A topic that was at fault is asked for every time: somebody may have mended it. */
    private @Nullable String asked(String topic) {
        var seen = known.get(topic);
        if (seen != null && clock.millis() - seen.atMillis() < KNOWN_FOR_MILLIS) {
            return seen.fault();
        }
        known.remove(topic);
        var fault = rights.apply(topic);
        if (fault == null) {
            remember(topic, null);
        }
        return fault;
    }

    private void remember(String topic, @Nullable String fault) {
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(topic, new Known(fault, clock.millis()));
    }

    private static String sentence(String topic, String fault) {
        return "reply-topic " + topic + " " + fault;
    }
}
