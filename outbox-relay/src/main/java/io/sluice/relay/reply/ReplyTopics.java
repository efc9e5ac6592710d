package io.sluice.relay.reply;

import io.sluice.relay.contract.TopicCatalogue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which topics may get replies: a topic must be allowed, exist, be writable for the relay, and not be named as
 * a topic of this or any other relay: the sender of a command chooses it, and the relay may write to more than the
 * sender. A reply never creates a topic. For one thread.
 */
public final class ReplyTopics {
    /** The header of a command that names its reply topic. */
    public static final String HEADER = "reply-topic";

    private static final long KNOWN_FOR_MILLIS = Duration.ofSeconds(30).toMillis();
    private static final long FIRST_REST_MILLIS = Duration.ofSeconds(5).toMillis();
    private static final int MOST = 1_000;

    private final Function<String, @Nullable String> rights;
    private final Predicate<String> own;
    private final AllowedReplyTopics allowed;
    private final InstantSource clock;
    private final Map<String, Away> givenUp = new HashMap<>();
    private final Map<String, Known> known = new HashMap<>();

    /** A topic that accepted no reply: since when none is sent to it, and for how long. */
    private record Away(long sinceMillis, long forMillis) {
        private long nextMillis() {
            return Math.min(2 * forMillis, KNOWN_FOR_MILLIS);
        }
    }

    /** The latest check of a topic: its fault, null for none, and the time. */
    private record Known(@Nullable String fault, long atMillis) {}

    /**
     * Has checked no topic yet.
     *
     * @param rights asks Kafka why the relay can't write to a topic; null when it can
     * @param own whether a topic is one of the relay's
     */
    public ReplyTopics(
            Function<String, @Nullable String> rights,
            Predicate<String> own,
            AllowedReplyTopics allowed,
            InstantSource clock) {
        this.allowed = allowed;
        this.rights = rights;
        this.own = own;
        this.clock = clock;
    }

    /** Why this topic may get no replies; null when it may. */
    public @Nullable String fault(String topic) {
        if (own.test(topic)) {
            return sentence(topic, "is one of the relay's own");
        }
        // Brokers accept no records for these: the commit would fail, and every later commit of the partition too.
        if (topic.startsWith("__")) {
            return sentence(topic, "is one of Kafka's own");
        }
        var suffix = TopicCatalogue.suffixOf(topic);
        if (suffix.isPresent()) {
            return sentence(topic, "ends in " + suffix.get() + ", as a topic of some relay does; name another one");
        }
        if (!allowed.isAllowed(topic)) {
            return sentence(
                    topic,
                    "is none that the relay may reply to (SLUICE_REPLY_TOPICS: " + allowed.shown()
                            + "); name one of these, or have the relay's operator add it, and send the command under a"
                            + " new id");
        }
        var fault = check(topic);
        return fault == null ? null : sentence(topic, fault);
    }

    /** Notes that Kafka refused a record for this topic; Kafka is asked again after a while. */
    public void noteRefusal(String topic, String why) {
        remember(topic, "takes no reply: " + why);
    }

    /**
     * The topic accepted no reply in time, which may pass, as while a broker is replaced: no reply is sent to it for
     * five seconds, and for twice as long each time after that, half a minute at most.
     */
    public void giveUp(String topic) {
        if (isGivenUp(topic)) {
            return;
        }
        var before = givenUp.get(topic);
        if (before == null && givenUp.size() >= MOST) {
            givenUp.clear();
        }
        givenUp.put(topic, new Away(clock.millis(), before == null ? FIRST_REST_MILLIS : before.nextMillis()));
    }

    /** The topic accepted a reply. */
    public void noteAccepted(String topic) {
        givenUp.remove(topic);
    }

    /** Whether it accepted no reply a moment ago. */
    public boolean isGivenUp(String topic) {
        var away = givenUp.get(topic);
        return away != null && clock.millis() - away.sinceMillis() < away.forMillis();
    }

    /** A topic with a fault is checked every time: an operator may have corrected it. */
    private @Nullable String check(String topic) {
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
