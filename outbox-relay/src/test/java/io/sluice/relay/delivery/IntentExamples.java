package io.sluice.relay.delivery;

import static org.awaitility.Awaitility.await;

import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.partition.StorePartitions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** Intents for tests. */
final class IntentExamples {
    private IntentExamples() {}

    /** Four deliveries at a time, ten attempts, three days, no mixed fleet. */
    static RelayConfig.Delivery delivering(RelayConfig.Backoff backoff) {
        return new RelayConfig.Delivery(
                4, backoff, Duration.ofDays(6), new RelayConfig.GivingUp(10, Duration.ofDays(3), true), Fleet.SLUICE);
    }

    /** From {@code source}, created at millisecond 1000 as the n-th of its turn, due at once. */
    static Intent intent(String source, String target, int position) {
        return intent(source, target, position, 1_000, 0);
    }

    static Intent intent(
            String source, String target, int position, long deliverAfterMillis, long nextAttemptAtMillis) {
        var key = "%s:1:0123456789abcdef.%06d".formatted(source, position);
        return new Intent(
                source,
                key,
                target,
                "orch_queue",
                "{}",
                IntentStatus.PENDING,
                1_000,
                position,
                deliverAfterMillis,
                0,
                nextAttemptAtMillis,
                null,
                null,
                0,
                true,
                "etag",
                0,
                null,
                Dispatch.NONE);
    }

    /** A store that has one partition. */
    static StorePartitions onePartition() {
        return new StorePartitions(List::of, Duration.ofSeconds(5));
    }

    /** A store that has so many partitions, to be closed. */
    static StorePartitions partitions(int count) {
        var partitions = new StorePartitions(() -> KeyRange.cut(count), Duration.ofSeconds(5));
        partitions.start();
        await().until(() -> partitions.count() == count);
        return partitions;
    }

    /** So many instances that lie in the same partition as the first, which is {@code name-0}. */
    static List<String> together(StorePartitions partitions, String name, int count) {
        var partition = partitions.of(name + "-0");
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + "-" + i)
                .filter(instance -> partitions.of(instance).equals(partition))
                .limit(count)
                .toList();
    }

    /** An instance that lies in another partition than this one. */
    static String apart(StorePartitions partitions, String instance, String name) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + "-" + i)
                .filter(other -> !partitions.of(other).equals(partitions.of(instance)))
                .findFirst()
                .orElseThrow();
    }

    /** Pairs that are delivered on the thread of their drain. */
    static PairRounds inline(IntentStep step, InstantSource clock) {
        var slow = new SlowPairs((source, millis) -> {}, () -> false);
        return new PairRounds(step, (target, work) -> work.run(), slow, clock);
    }

    /** The same intent with another payload. */
    static Intent withPayload(Intent intent, String payload) {
        return new Intent(
                intent.sourceInstance(),
                intent.key(),
                intent.targetInstance(),
                intent.targetDocumentType(),
                payload,
                intent.status(),
                intent.createdAtMillis(),
                intent.position(),
                intent.deliverAfterMillis(),
                intent.attempts(),
                intent.nextAttemptAtMillis(),
                null,
                null,
                0,
                intent.ownForm(),
                intent.etag(),
                0,
                null,
                intent.dispatch());
    }

    /** Waits for a latch, as a store that does not answer until then. */
    static void awaitReleased(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
