package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.kafka.thread.StopSignal;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What one member answers its share group: each record is accepted, rejected or released to other members. One record
 * at a time awaits its answer. Used by one thread.
 */
final class ShareAnswers {
    private static final Duration USUAL_LOCK = Duration.ofSeconds(30);
    /** After a fifth delivery without an answer a group drops the record, unless it is configured otherwise. */
    private static final int MOST_DELIVERIES = 4;
    /** What is returned is given anew while it is younger than this; then it is looked for. */
    private static final long RETURNED_MILLIS = Duration.ofMinutes(1).toMillis();

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    private final ShareGroup group;
    private final ShareConsumer<byte[], byte[]> consumer;
    private final StopSignal closing = new StopSignal();
    private @Nullable Held held;
    private boolean isUnsent;
    private long polledNanos = System.nanoTime();

    ShareAnswers(ShareGroup group, ShareConsumer<byte[], byte[]> consumer) {
        this.group = group;
        this.consumer = consumer;
    }

    /** A record that awaits its answer. */
    private record Held(ConsumerRecord<byte[], byte[]> message, ShareReceipt receipt) {}

    /** A poll begins: the group counts the time of what it gives from then on, at the earliest. */
    void polls() {
        polledNanos = System.nanoTime();
    }

    /** Whether a record awaits its answer, so that no other may come. */
    boolean isHolding() {
        return held != null;
    }

    /** Whether answers were given that no request has taken along. */
    boolean isUnsent() {
        return isUnsent;
    }

    /** A poll took earlier answers along. */
    void sent() {
        isUnsent = false;
    }

    /** Sends them without a poll. */
    void send() {
        consumer.commitAsync();
        isUnsent = false;
    }

    void accept(ConsumerRecord<byte[], byte[]> message) {
        acknowledge(message, AcknowledgeType.ACCEPT);
    }

    void reject(ConsumerRecord<byte[], byte[]> message) {
        acknowledge(message, AcknowledgeType.REJECT);
    }

    /** Tells the provider, whose answer is awaited. */
    void deliver(ConsumerRecord<byte[], byte[]> message, Announcement announcement) {
        ShareReceipt receipt = hold(message);
        group.announce(announcement, receipt);
    }

    private ShareReceipt hold(ConsumerRecord<byte[], byte[]> message) {
        Duration lock =
                consumer.acquisitionLockTimeoutMs().map(Duration::ofMillis).orElse(USUAL_LOCK);
        ShareReceipt receipt = new ShareReceipt(polledNanos, lock);
        held = new Held(message, receipt);
        return receipt;
    }

    /**
     * No worker is free for it: another member gets it at once, which may be no better off, since a fetch for a worker
     * stands at the broker until a record comes, whatever the worker does meanwhile. Before the group would drop it, it
     * is given anew, and comes to further members. That ends: each of these deliveries uses up such a fetch, and none
     * is begun without a free worker.
     */
    void passOn(ConsumerRecord<byte[], byte[]> message) {
        if (isLastDelivery(message)) {
            giveAnew(message, hold(message));
        } else {
            release(message);
        }
    }

    private static boolean isLastDelivery(ConsumerRecord<byte[], byte[]> message) {
        return message.deliveryCount().orElse((short) 1) >= MOST_DELIVERIES;
    }

    private void release(ConsumerRecord<byte[], byte[]> message) {
        acknowledge(message, AcknowledgeType.RELEASE);
        send();
    }

    private void giveAnew(ConsumerRecord<byte[], byte[]> message, ShareReceipt receipt) {
        var unused = group.giveAnew(message).thenAccept(receipt::givenAnew);
    }

    /** Answers what is held, once that is known; waits for so long. */
    void settle(long waitMillis) throws InterruptedException {
        Held settled = held;
        if (settled == null) {
            return;
        }
        Optional<ShareReceipt.Answer> answer = settled.receipt().await(waitMillis);
        if (answer.isPresent()) {
            held = null;
            settle(settled, answer.get());
        } else if (settled.receipt().isExpired()) {
            held = null;
            acknowledge(settled.message(), AcknowledgeType.RELEASE);
            if (isLastDelivery(settled.message())) {
                group.missed(); // the group may drop it, since its lock has lapsed too often
            }
        }
    }

    private void settle(Held settled, ShareReceipt.Answer answer) {
        switch (answer) {
            case HANDLED -> accept(settled.message());
            case RETURNED -> giveBack(settled);
            case MISSED -> miss(settled.message());
            case RETIRED -> acknowledge(settled.message(), AcknowledgeType.RELEASE);
        }
    }

    /**
     * Gives it to another process after a pause, since the store may refuse everybody at the moment. Where it comes
     * back too often, either no worker of those processes was free after all, and an idle one has to hear of it; or the
     * store refuses it. The provider does not say which, so it is given anew, four deliveries within 4 s. What the
     * store refuses for long would go round without end: a copy is as old as its record, and one that is older than a
     * minute is looked for instead.
     */
    private void giveBack(Held returned) {
        ConsumerRecord<byte[], byte[]> message = returned.message();
        int deliveries = message.deliveryCount().orElse((short) 1);
        closing.await(FIRST_PAUSE.multipliedBy(1L << Math.min(deliveries - 1, MOST_DELIVERIES)));
        if (!isLastDelivery(message)) {
            release(message);
        } else if (System.currentTimeMillis() - message.timestamp() < RETURNED_MILLIS) {
            held = new Held(message, returned.receipt().again());
            giveAnew(message, held.receipt());
        } else {
            miss(message);
        }
    }

    private void miss(ConsumerRecord<byte[], byte[]> message) {
        accept(message);
        group.missed();
    }

    private void acknowledge(ConsumerRecord<byte[], byte[]> message, AcknowledgeType type) {
        consumer.acknowledge(message, type);
        isUnsent = true;
    }

    /** Ends a pause. May come from any thread. */
    void stop() {
        closing.stop();
    }

    /** Gives the answer that is there to what is held, which no answer counts for any more. */
    void close() {
        Held last = held;
        if (last == null) {
            return;
        }
        last.receipt().retire();
        try {
            last.receipt()
                    .await(0)
                    .ifPresent(answer -> consumer.acknowledge(
                            last.message(),
                            answer == ShareReceipt.Answer.HANDLED ? AcknowledgeType.ACCEPT : AcknowledgeType.RELEASE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
