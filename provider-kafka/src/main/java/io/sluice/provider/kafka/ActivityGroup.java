package io.sluice.provider.kafka;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What the readers of one subscription to activities share: all are members of one share group. Thread-safe. */
final class ActivityGroup {
    private final SubscriptionTarget target;
    private final String name;
    private final Demand demand = new Demand();
    private final AtomicReference<@Nullable TopicState> started = new AtomicReference<>();
    private final AtomicReference<@Nullable TopicState> joined = new AtomicReference<>();

    ActivityGroup(FeedConfig config, SubscriptionTarget target) {
        this.target = target;
        this.name = config.topics().group(target.queue(), target.filter());
    }

    String name() {
        return name;
    }

    SubscriptionTarget target() {
        return target;
    }

    Demand demand() {
        return demand;
    }

    /** Where the group begins in the topic is stored: readers may join. */
    void started(TopicState topic) {
        started.set(topic);
    }

    boolean isStarted(TopicState topic) {
        return topic.equals(started.get());
    }

    /**
     * A reader got the broker's first answer: the group has its place in the topic. A new group begins at the end, so
     * all there is has to be queried, once for each topic, and again when it gets more partitions.
     */
    void joined(TopicState topic) {
        if (!topic.equals(joined.get())) {
            target.lost();
            joined.set(topic);
        }
    }
}
