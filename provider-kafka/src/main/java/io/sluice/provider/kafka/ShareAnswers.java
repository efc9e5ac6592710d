package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.kafka.answer.ShareReceipt;
import io.sluice.provider.kafka.thread.StopSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ShareConsumer;

/**
 * What one member answers its share group: each record is accepted, rejected or released to other members, some once
 * it is known what became of them. Used by one thread.
 */
final class ShareAnswers {
    private static final Duration USUAL_LOCK = Duration.ofSeconds(30);
    /** After a fifth delivery without an answer a group drops the record, unless it is configured otherwise. */
    private static final int MOST_DELIVERIES = 4;
    /** What is returned again and again is copied while the record is younger than this, then looked for. */
    private static final long RETURNED_MILLIS = Duration.ofMinutes(1).toMillis();

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    private final ShareGroup group;
    private final ShareConsumer<byte[], byte[]> consumer;
    private final StopSignal closing = new StopSignal();
    private final List<Held> held = new ArrayList<>();
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

    /** Whether records await their answers, so that no others may come. */
    boolean isHolding() {
        return !held.isEmpty();
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

    /** What workers of this group may take; all else is answered, and empty. */
    Optional<Announcement> sift(ConsumerRecord<byte[], byte[]> message) {
        long now = System.currentTimeMillis();
        if (group.isOver(message) || group.isCopyForAnother(message)) {
            skip(message, now);
            return Optional.empty();
        }
        Optional<Announcement> announcement = group.target().read(message);
        if (announcement.isEmpty()) {
            acknowledge(message, AcknowledgeType.REJECT);
        } else if (!group.target().isForGroup(announcement.get())) {
            skip(message, now);
            return Optional.empty();
        } else {
            group.backlog().own();
        }
        return announcement;
    }

    private void skip(ConsumerRecord<byte[], byte[]> message, long nowMillis) {
        accept(message);
        group.backlog().foreign(nowMillis - message.timestamp());
    }

    private void accept(ConsumerRecord<byte[], byte[]> message) {
        acknowledge(message, AcknowledgeType.ACCEPT);
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
        held.add(new Held(message, receipt));
        return receipt;
    }

    /**
     * No worker is free for it: another member gets it as soon as this is sent. That one may be no better off, since a
     * fetch for a worker stands at the broker until a record comes, whatever the worker does meanwhile. Before the
     * group would drop the record, a copy is written, which comes to further members. That ends: each of these
     * deliveries uses up such a fetch, and none is begun without a free worker.
     */
    void passOn(ConsumerRecord<byte[], byte[]> message) {
        if (isLastDelivery(message)) {
            copy(message, hold(message));
        } else {
            acknowledge(message, AcknowledgeType.RELEASE);
        }
    }

    private static boolean isLastDelivery(ConsumerRecord<byte[], byte[]> message) {
        return deliveries(message) >= MOST_DELIVERIES;
    }

    private static int deliveries(ConsumerRecord<byte[], byte[]> message) {
        return message.deliveryCount().orElse((short) 1);
    }

    private void copy(ConsumerRecord<byte[], byte[]> message, ShareReceipt receipt) {
        var unused = group.copy(message).thenAccept(receipt::copied);
    }

    /** Answers what is held, as far as that is known; waits for so long for the first. */
    void settle(long waitMillis) throws InterruptedException {
        long patienceMillis = waitMillis;
        for (Held each : List.copyOf(held)) {
            Optional<ShareReceipt.Answer> answer = each.receipt().await(patienceMillis);
            patienceMillis = 0;
            if (answer.isPresent()) {
                held.remove(each);
                settle(each, answer.get());
            } else if (each.receipt().isExpired()) {
                held.remove(each);
                expired(each.message());
            }
        }
    }

    private void expired(ConsumerRecord<byte[], byte[]> message) {
        acknowledge(message, AcknowledgeType.RELEASE);
        if (isLastDelivery(message)) {
            group.missed(); // the group may drop it, since its lock has lapsed too often
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
     * store refuses it. The provider does not say which, so the record is copied, after four deliveries within 4 s.
     * What the store refuses for long would go round without end: a copy is as old as its record, and the work of one
     * that is older than a minute is looked for instead.
     */
    private void giveBack(Held returned) {
        ConsumerRecord<byte[], byte[]> message = returned.message();
        closing.await(FIRST_PAUSE.multipliedBy(1L << Math.min(deliveries(message) - 1, MOST_DELIVERIES)));
        if (!isLastDelivery(message)) {
            acknowledge(message, AcknowledgeType.RELEASE);
            send();
        } else if (System.currentTimeMillis() - message.timestamp() < RETURNED_MILLIS) {
            Held again = new Held(message, returned.receipt().again());
            held.add(again);
            copy(message, again.receipt());
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

    /** Gives the answers that are there to what is held, for which none counts any more. */
    void close() {
        held.forEach(last -> last.receipt().retire());
        try {
            for (Held last : held) {
                last.receipt()
                        .await(0)
                        .ifPresent(answer -> consumer.acknowledge(
                                last.message(),
                                answer == ShareReceipt.Answer.HANDLED
                                        ? AcknowledgeType.ACCEPT
                                        : AcknowledgeType.RELEASE));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
