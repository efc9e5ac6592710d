package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.kafka.thread.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads announcements of activities, or requests for help with turns, as a member of a share group, one at a time: it
 * fetches when a dispatcher is free, and again when the one it got was answered. One that comes when no dispatcher is
 * free any more goes back to the group at once. Used by one thread.
 */
final class ShareReader implements TopicReader {
    private static final Logger LOG = LoggerFactory.getLogger(ShareReader.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private static final long WAIT_MILLIS = 200;
    private static final Duration USUAL_LOCK = Duration.ofSeconds(30);
    /** After a fifth delivery without an answer a group drops the record, unless it is configured otherwise. */
    private static final int MOST_DELIVERIES = 4;
    /** A record that came while no worker was free is given to others, but not so often that it is dropped. */
    private static final int MOST_PASSED_ON = 3;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    private final ShareGroup group;
    private final SubscriptionTarget target;
    private final Demand demand;
    private final ShareConsumer<byte[], byte[]> consumer;
    private final TopicState topic;
    private final boolean isFirst;
    private final StopSignal closing = new StopSignal();
    private @Nullable ConsumerRecord<byte[], byte[]> held;
    private @Nullable ShareReceipt receipt;
    private boolean fetching;
    private boolean acknowledged;
    private boolean joining;
    private boolean joined;
    private long polledNanos;

    private ShareReader(ShareGroup group, ShareConsumer<byte[], byte[]> consumer, TopicState topic, boolean first) {
        this.group = group;
        this.target = group.target();
        this.demand = group.demand();
        this.consumer = consumer;
        this.topic = topic;
        this.joining = first;
        this.isFirst = first;
    }

    /** @param first whether it is the one that joins the group at once; others join when they are needed */
    static ShareReader open(FeedConfig config, ShareGroup group, TopicState topic, boolean first) {
        ShareReader reader = new ShareReader(group, FeedClients.shareConsumer(config, group.name()), topic, first);
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
            if (held != null) {
                settle(held);
            } else if (!joined) {
                join();
            } else if (fetching || demand.tryBeginFetch(acknowledged ? 0 : WAIT_MILLIS)) {
                fetch();
            } else if (acknowledged) {
                commit();
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
        if (fetches() > 0) {
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
        polledNanos = System.nanoTime();
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
        acknowledged = false; // earlier answers went with the poll
        if (group.isOver(message, System.currentTimeMillis())) {
            acknowledge(message, AcknowledgeType.ACCEPT);
            return;
        }
        Optional<Announcement> announcement = target.read(message);
        if (announcement.isEmpty()) {
            acknowledge(message, AcknowledgeType.REJECT);
        } else if (SubscriptionTarget.isOfSession(announcement.get())) {
            // Its owner reads the topic without the group, and nobody else may run it.
            acknowledge(message, AcknowledgeType.ACCEPT);
        } else if (held == null && (tryTakeWorker() || deliveries(message) >= MOST_PASSED_ON)) {
            deliver(message, announcement.get());
        } else {
            acknowledge(message, AcknowledgeType.RELEASE);
            commit();
        }
    }

    /** In one step with the end of the fetch: another reader would take the worker for one without a fetch. */
    private boolean tryTakeWorker() {
        boolean endsFetch = fetching;
        fetching = false;
        return endsFetch ? demand.endFetchAndTryTake() : demand.tryTake();
    }

    private static int deliveries(ConsumerRecord<byte[], byte[]> message) {
        return message.deliveryCount().orElse((short) 1);
    }

    private double fetches() {
        return consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("fetch-total"))
                .mapToDouble(metric -> (Double) metric.getValue().metricValue())
                .sum();
    }

    private void deliver(ConsumerRecord<byte[], byte[]> message, Announcement announcement) {
        Duration lock =
                consumer.acquisitionLockTimeoutMs().map(Duration::ofMillis).orElse(USUAL_LOCK);
        // The group counts from when it gave the record, which was during this poll.
        ShareReceipt given = new ShareReceipt(polledNanos, lock);
        held = message;
        receipt = given;
        group.announce(announcement, given);
    }

    private void settle(ConsumerRecord<byte[], byte[]> message) throws InterruptedException {
        ShareReceipt given = receipt;
        Optional<ShareReceipt.Answer> answer = given == null ? Optional.empty() : given.await(WAIT_MILLIS);
        if (answer.isPresent()) {
            held = null;
            settle(message, answer.get());
        } else if (given == null || given.isExpired()) {
            held = null;
            acknowledge(message, AcknowledgeType.RELEASE);
            if (deliveries(message) >= MOST_DELIVERIES) {
                group.missed(); // the group may drop it, since its lock has lapsed too often
            }
        }
    }

    private void settle(ConsumerRecord<byte[], byte[]> message, ShareReceipt.Answer answer) {
        switch (answer) {
            case HANDLED -> acknowledge(message, AcknowledgeType.ACCEPT);
            case RETURNED -> giveBack(message);
            case RETIRED -> acknowledge(message, AcknowledgeType.RELEASE);
        }
    }

    /**
     * Gives it to another process after a pause, since the store may refuse everybody at the moment. The group would
     * drop a record that comes back too often: the provider queries for its activity then.
     */
    private void giveBack(ConsumerRecord<byte[], byte[]> message) {
        int deliveries = deliveries(message);
        closing.await(FIRST_PAUSE.multipliedBy(1L << Math.min(deliveries - 1, 4)));
        if (deliveries < MOST_DELIVERIES) {
            acknowledge(message, AcknowledgeType.RELEASE);
            commit();
        } else {
            acknowledge(message, AcknowledgeType.ACCEPT);
            group.missed();
        }
    }

    private void commit() {
        consumer.commitAsync();
        acknowledged = false;
    }

    private void acknowledge(ConsumerRecord<byte[], byte[]> message, AcknowledgeType type) {
        consumer.acknowledge(message, type);
        acknowledged = true;
    }

    @Override
    public boolean isReady() {
        return joined || !isFirst;
    }

    @Override
    public void wakeup() {
        closing.stop();
        consumer.wakeup();
    }

    /** Sends the answers that were given; the group gives the other records to other members. */
    @Override
    public void close(Duration timeout) {
        endFetch();
        ConsumerRecord<byte[], byte[]> last = held;
        ShareReceipt given = receipt;
        try {
            if (last != null && given != null) {
                settleAtClose(last, given);
            }
        } finally {
            consumer.close(timeout);
        }
    }

    private void settleAtClose(ConsumerRecord<byte[], byte[]> message, ShareReceipt given) {
        given.retire();
        try {
            given.await(0)
                    .ifPresent(answer -> consumer.acknowledge(
                            message,
                            answer == ShareReceipt.Answer.HANDLED ? AcknowledgeType.ACCEPT : AcknowledgeType.RELEASE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
