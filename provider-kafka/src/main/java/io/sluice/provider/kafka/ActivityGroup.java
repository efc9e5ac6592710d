package io.sluice.provider.kafka;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** What the readers of one subscription to activities share: all are members of one share group. Thread-safe. */
final class ActivityGroup {
    private final FeedConfig config;
    private final SubscriptionTarget target;
    private final String name;
    private final Demand demand = new Demand();
    private final AtomicReference<@Nullable Uuid> joined = new AtomicReference<>();
    private final ReentrantLock starting = new ReentrantLock();
    private @Nullable Uuid started;

    ActivityGroup(FeedConfig config, SubscriptionTarget target) {
        this.config = config;
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

    /**
     * Before a reader joins: the group's place in the topic is stored, by the first reader of each topic.
     *
     * @throws KafkaException when the brokers do not answer, or refuse
     */
    void start(TopicState topic) {
        try {
            starting.lockInterruptibly();
            try {
                if (!topic.id().equals(started)) {
                    storeStart(topic);
                    started = topic.id();
                }
            } finally {
                starting.unlock();
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void storeStart(TopicState topic) throws InterruptedException {
        try (Admin admin = Admin.create(FeedClients.adminProperties(config))) {
            new GroupStart(admin, name).store(topic);
        }
    }

    /**
     * A reader got the broker's first answer: the group has its place in the topic. A new group begins at the end, so
     * all there is has to be looked at, once for each topic.
     */
    void joined(TopicState topic) {
        if (!topic.id().equals(joined.getAndSet(topic.id()))) {
            target.lost();
        }
    }
}
