package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.kafka.demand.Backlog;
import io.sluice.provider.kafka.demand.Demand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * What the readers of one subscription share, which reads activities, or requests for help with turns: all are members
 * of one share group. Thread-safe.
 */
final class ShareGroup {
    /** A request for help is repeated so often while there is need of it. */
    private static final long HELP_LASTS_MILLIS = Duration.ofSeconds(30).toMillis();

    /** The header of a copy: the name of the group that it was written for. */
    private static final String COPIED_FOR = "sluice-copied-for";

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
    boolean isOver(ConsumerRecord<byte[], byte[]> message) {
        return isOfHelp() && isHelpOver(message.timestamp());
    }

    /** Whether a request for help of that time was repeated by now, if it had to be. */
    static boolean isHelpOver(long timestamp) {
        return System.currentTimeMillis() - timestamp > HELP_LASTS_MILLIS;
    }

    /** Whether another group's member wrote it for that group: this one had the record itself. */
    boolean isCopyForAnother(ConsumerRecord<byte[], byte[]> message) {
        Header copiedFor = message.headers().lastHeader(COPIED_FOR);
        return copiedFor != null && !Arrays.equals(copiedFor.value(), nameBytes());
    }

    /** Writes a copy of the record, which has come to no member yet; completes with whether that was written. */
    CompletableFuture<Boolean> copy(ConsumerRecord<byte[], byte[]> message) {
        Headers headers = new RecordHeaders(message.headers());
        headers.remove(COPIED_FOR).add(COPIED_FOR, nameBytes());
        return writer.writeCopy(message, headers);
    }

    private byte[] nameBytes() {
        return name.getBytes(StandardCharsets.UTF_8);
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
