package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.kafka.demand.Demand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads announcements of activities, or requests for help with turns, as a member of a share group, one at a time: it
 * fetches when a dispatcher is free, and again when the one it got was answered. One that comes when no dispatcher is
 * free any more goes to other members at once. Used by one thread.
 */
final class ShareReader implements TopicReader {
    private static final Logger LOG = LoggerFactory.getLogger(ShareReader.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private static final long WAIT_MILLIS = 200;

    private final ShareGroup group;
    private final Demand demand;
    private final ShareConsumer<byte[], byte[]> consumer;
    private final TopicState topic;
    private final boolean isFirst;
    private final ShareAnswers answers;
    private boolean fetching;
    private boolean joining;
    private boolean joined;

    private ShareReader(ShareGroup group, ShareConsumer<byte[], byte[]> consumer, TopicState topic, boolean first) {
        this.group = group;
        this.demand = group.demand();
        this.consumer = consumer;
        this.answers = new ShareAnswers(group, consumer);
        this.topic = topic;
        this.joining = first;
        this.isFirst = first;
    }

    /** @param first whether it is the one that joins the group at once; others join when they are needed */
    static ShareReader open(FeedConfig config, ShareGroup group, TopicState topic, boolean first) {
        ShareReader reader = new ShareReader(group, FeedClients.shareConsumer(config, group.name(), 1), topic, first);
        reader.consumer.setAcknowledgementCommitCallback((offsets, failure) -> {
            if (failure != null) {
                LOG.atDebug()
                        .setCause(failure)
                        .log("an acknowledgement of announcements failed; the group gives them to a process again");
            }
        });
        reader.consumer.subscribe(List.of(topic.name()));
        return reader;
    }

    @Override
    public void step() {
        try {
            if (answers.isHolding()) {
                answers.settle(WAIT_MILLIS);
            } else if (!joined) {
                join();
            } else if (fetching || demand.tryBeginFetch(answers.isUnsent() ? 0 : WAIT_MILLIS)) {
                fetch();
            } else if (answers.isUnsent()) {
                answers.send();
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /**
     * Polls until the broker has answered a fetch, which takes seconds: no worker waits for it meanwhile. The first
     * reader shows whether the group works, and joins whether a worker is free or not.
     */
    private void join() throws InterruptedException {
        joining = joining || demand.awaitUnmet(WAIT_MILLIS);
        if (!joining) {
            return;
        }
        boolean isAnswered = poll();
        if (FeedClients.fetches(consumer) > 0) {
            joined = true;
            if (!isAnswered) {
                // The client goes on fetching by itself.
                demand.beginFetch();
                fetching = true;
            }
            if (isFirst) {
                group.joined(topic);
            }
        }
    }

    /** Polls: a fetch ends with the first record and not before, since the client goes on fetching by itself. */
    private void fetch() {
        fetching = true;
        poll();
    }

    /** Returns whether a record came, which ends a fetch: the client begins the next one at the next poll. */
    private boolean poll() {
        answers.polls();
        ConsumerRecords<byte[], byte[]> messages = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> message : messages) {
            take(message);
            endFetch();
        }
        return !messages.isEmpty();
    }

    private void endFetch() {
        if (fetching) {
            fetching = false;
            demand.endFetch();
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        answers.sent();
        Optional<Announcement> announcement = answers.sift(message);
        if (announcement.isEmpty()) {
            return;
        }
        if (tryTakeWorker()) {
            answers.deliver(message, announcement.get());
        } else {
            answers.passOn(message);
            answers.send();
        }
    }

    /** In one step with the end of the fetch: another reader would take the worker for one without a fetch. */
    private boolean tryTakeWorker() {
        boolean endsFetch = fetching;
        fetching = false;
        return endsFetch ? demand.endFetchAndTryTake() : demand.tryTake();
    }

    @Override
    public boolean isReady() {
        return joined || !isFirst;
    }

    @Override
    public void wakeup() {
        answers.stop();
        consumer.wakeup();
    }

    /** Sends the answers that were given; the group gives the other records to other members. */
    @Override
    public void close(Duration timeout) {
        endFetch();
        try {
            answers.close();
        } finally {
            consumer.close(timeout);
        }
    }
}
