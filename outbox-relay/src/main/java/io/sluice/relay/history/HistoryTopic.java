package io.sluice.relay.history;

import io.sluice.relay.log.LogKeys;
import io.sluice.relay.topic.TopicIds;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The history topic as Kafka identifies it. A topic that was deleted and made again has its name and another id, and
 * not the events that were published before: a position that goes on in it would count them as published. One serves
 * all ranges; thread-safe.
 */
final class HistoryTopic {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryTopic.class);
    /** How old an answer of Kafka may become. */
    private static final Duration LONGEST_AGE = Duration.ofSeconds(1);

    private final TopicIds ids;
    private final String name;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile @Nullable Known latest;

    private record Known(String id, long atNanos) {}

    HistoryTopic(Admin admin, String name) {
        this.ids = new TopicIds(admin, name);
        this.name = name;
    }

    /**
     * Why a position must not go on in the present topic; empty if it may. One round trip.
     *
     * @throws org.apache.kafka.common.KafkaException when Kafka does not answer, or there is no such topic
     */
    Optional<String> refusal(RangeId range, Position position) {
        var present = ids.current();
        latest = new Known(present, System.nanoTime());
        return refusal(range, position, present);
    }

    /**
     * The same by Kafka's latest answer, without a wait: if that is old, Kafka is asked for the next call. A broker
     * that does not answer delays no event.
     */
    Optional<String> refusalByLatest(RangeId range, Position position) {
        var known = latest;
        if (known == null || System.nanoTime() - known.atNanos() >= LONGEST_AGE.toNanos()) {
            askOnce();
        }
        return known == null ? Optional.empty() : refusal(range, position, known.id());
    }

    private void askOnce() {
        if (asking.compareAndSet(false, true)) {
            var unused = ids.ask().whenComplete((present, failure) -> {
                if (failure == null) {
                    latest = new Known(present, System.nanoTime());
                } else {
                    LOG.atDebug()
                            .addKeyValue(LogKeys.TOPIC, name)
                            .setCause(failure)
                            .log("Kafka does not say which topic is present");
                }
                asking.set(false);
            });
        }
    }

    /** The same, when it is known which topic is present. */
    Optional<String> refusal(RangeId range, Position position, String present) {
        var known = position.topicId();
        if (present.equals(known)) {
            return Optional.empty();
        }
        return Optional.of(
                known == null
                        ? "the position of range " + range.name()
                                + " does not say of which topic it is, as positions of"
                                + " earlier versions: whether " + name + " was made again meanwhile can't be known. "
                                + "Start once with run --from <a minute before the latest event on the topic>; events"
                                + " since that time come twice, with their ids; see the runbook, SluiceRelayNotReady"
                        : "the topic " + name + " was deleted and made again: Kafka's id of it is " + present
                                + ", the position of range " + range.name() + " is of " + known
                                + ", whose events are gone. Publish them again with run --from-beginning, or a part"
                                + " with run --from <time> (replay --from publishes it to a topic of its own); or, if they"
                                + " were copied into this topic, take it with positions adopt --yes; see"
                                + " the runbook, SluiceRelayNotReady");
    }
}
