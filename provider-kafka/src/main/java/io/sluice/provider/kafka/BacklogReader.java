package io.sluice.provider.kafka;

import io.sluice.provider.kafka.demand.Backlog;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Takes records that are for others, or too old, from a share group that is behind, many at once. It takes none for a
 * dispatcher: what is for this group goes to its readers, at the cost of one delivery. After such a poll it waits until
 * the readers have come to many in a row that are not for them, and they take what it released before these. So it
 * hardly gets a record twice. Used by one thread.
 */
final class BacklogReader implements TopicReader {
    /** A partition has 2 000 records under way, for all members of all processes. */
    private static final int MOST_RECORDS = 200;

    private static final Duration POLL = Duration.ofMillis(500);
    private static final long WAIT_MILLIS = 200;

    private final Backlog backlog;
    private final ShareConsumer<byte[], byte[]> consumer;
    private final ShareAnswers answers;
    /** After a poll that brought nothing the client goes on fetching by itself: what it gets must not wait. */
    private boolean isFetching;

    private BacklogReader(ShareGroup group, ShareConsumer<byte[], byte[]> consumer) {
        this.backlog = group.backlog();
        this.consumer = consumer;
        this.answers = new ShareAnswers(group, consumer);
    }

    /** Opens one while its group is behind. */
    record Opening(FeedConfig config, ShareGroup group) implements ReaderLoop.Opening {
        @Override
        public TopicReader open(TopicState topic) {
            BacklogReader reader =
                    new BacklogReader(group, FeedClients.shareConsumer(config, group.name(), MOST_RECORDS));
            reader.consumer.subscribe(List.of(topic.name()));
            return reader;
        }

        @Override
        public boolean isWanted(TopicState topic) {
            return group.isStarted(topic) && group.backlog().isWanted();
        }
    }

    @Override
    public void step() {
        try {
            if (answers.isHolding()) {
                answers.settle(WAIT_MILLIS);
            } else if (isFetching || backlog.await(answers.isUnsent() ? 0 : WAIT_MILLIS)) {
                poll();
            } else if (answers.isUnsent()) {
                answers.send();
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void poll() {
        answers.polls();
        ConsumerRecords<byte[], byte[]> messages = consumer.poll(POLL);
        isFetching = messages.isEmpty();
        if (!isFetching) {
            answers.sent();
            take(messages);
        } else if (FeedClients.fetches(consumer) > 0) {
            backlog.caughtUp();
        }
    }

    private void take(ConsumerRecords<byte[], byte[]> messages) {
        boolean hasOwn = false;
        for (ConsumerRecord<byte[], byte[]> message : messages) {
            if (answers.sift(message).isPresent()) {
                answers.passOn(message);
                hasOwn = true;
            }
        }
        if (hasOwn) {
            backlog.own(); // what came after them in this poll says nothing of what comes next
        }
        if (answers.isHolding()) {
            answers.send(); // nobody waits for the copies of some
        }
    }

    /** Nobody waits for it. */
    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void wakeup() {
        answers.stop();
        consumer.wakeup();
    }

    @Override
    public void close(Duration timeout) {
        try {
            answers.close();
        } finally {
            consumer.close(timeout);
        }
    }
}
