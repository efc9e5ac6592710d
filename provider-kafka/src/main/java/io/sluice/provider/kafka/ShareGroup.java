package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.kafka.demand.Backlog;
import io.sluice.provider.kafka.demand.Demand;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the readers of one subscription share, which reads activities, or requests for help with turns: all are members
 * of one share group. Thread-safe.
 */
final class ShareGroup {
    /** A request for help is repeated so often while there is need of it. */
    private static final long HELP_LASTS_MILLIS = Duration.ofSeconds(30).toMillis();

    private final SubscriptionTarget target;
    private final String name;
    private final AnnouncementWriter writer;
    private final Demand demand = new Demand();
    private final Backlog backlog = new Backlog();
    private final AtomicReference<@Nullable TopicState> started = new AtomicReference<>();
    private final AtomicReference<@Nullable TopicState> joined = new AtomicReference<>();

    private ShareGroup(SubscriptionTarget target, String name, AnnouncementWriter writer) {
        this.target = target;
        this.name = name;
        this.writer = writer;
    }

    /** Of activities, or, for turns, of requests for help. */
    static ShareGroup of(FeedConfig config, SubscriptionTarget target, AnnouncementWriter writer) {
        FeedTopics topics = config.topics();
        return new ShareGroup(
                target,
                target.queue() == WorkQueue.ACTIVITIES
                        ? topics.group(target.queue(), target.store(), target.filter())
                        : topics.helpGroup(target.store(), target.filter()),
                writer);
    }

    private boolean isOfHelp() {
        return target.queue() == WorkQueue.TURNS;
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

    Backlog backlog() {
        return backlog;
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
     * all there is has to be queried, once for each topic, and again when it gets more partitions. Requests for help
     * need no query: the process that asks has the announcement.
     */
    void joined(TopicState topic) {
        if (!topic.equals(joined.get())) {
            missed();
            joined.set(topic);
        }
    }

    /** What was in the topic goes to no member of the group any more. */
    void missed() {
        if (!isOfHelp()) {
            target.lost();
        }
    }

    /**
     * Whether nobody needs an answer any more: the topic may hold an hour of requests for help, and each would cost a
     * look. A clock that is wrong by more than they last costs the help alone.
     */
    boolean isOver(ConsumerRecord<byte[], byte[]> message, long nowMillis) {
        return isOfHelp() && nowMillis - message.timestamp() > HELP_LASTS_MILLIS;
    }

    /** Writes a copy of the record, which has come to no member yet; completes with whether that was written. */
    CompletableFuture<Boolean> copy(ConsumerRecord<byte[], byte[]> message) {
        return writer.writeCopy(message);
    }

    /** Tells the provider. */
    void announce(Announcement announcement, WorkFeed.Receipt receipt) {
        if (isOfHelp()) {
            target.askForHelp(announcement, receipt);
        } else {
            target.announce(announcement, receipt);
        }
    }
}
