package io.sluice.relay.deadletter;

import io.sluice.provider.outbox.FailedIntent;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.ops.Loop;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;

/**
 * Publishes intents that failed for good to the dead letter topic. The store is the truth: an intent is published until its document says that it was, so one
 * that failed while Kafka was away is published later, and a process that dies in between publishes it again, with the same {@code sluice-id}.
 */
public final class DeadLetterReports implements AutoCloseable {
    private final FailedIntents failures;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final String topic;
    private final Duration interval;
    private final Loop loop;
    /** Documents as large as documents may be, in which nothing can be noted. After a restart they are published once more, under the same id. */
    private final Set<String> withoutRoom = new HashSet<>();

    /**
     * Makes nothing yet.
     *
     * @param interval between two looks when nobody {@linkplain #hurry hurries}
     */
    public DeadLetterReports(
            FailedIntents failures,
            Supplier<Producer<byte[], byte[]>> producers,
            String topic,
            Duration interval,
            Duration drainTimeout) {
        this.failures = failures;
        this.producers = producers;
        this.topic = topic;
        this.interval = interval;
        this.loop = new Loop("sluice-dead-letters", this::step, drainTimeout);
    }

    /** Looks once, and then after every rest. */
    public void start() {
        loop.start();
    }

    /** Something failed for good just now. */
    public void hurry() {
        loop.hurry();
    }

    private Duration step() throws InterruptedException, ExecutionException {
        List<FailedIntent> open = failures.unreported().stream()
                .filter(failed -> !withoutRoom.contains(id(failed)))
                .toList();
        if (!open.isEmpty()) {
            // Rare enough to open a connection for each look that finds something.
            try (var producer = producers.get()) {
                publish(producer, open);
            }
        }
        return interval;
    }

    private void publish(Producer<byte[], byte[]> producer, List<FailedIntent> open)
            throws InterruptedException, ExecutionException {
        Map<FailedIntent, Future<?>> sent = new LinkedHashMap<>();
        open.forEach(failed -> sent.put(failed, producer.send(IntentDeadLetter.of(failed, topic))));
        producer.flush();
        ExecutionException refused = null;
        for (var publication : sent.entrySet()) {
            try {
                publication.getValue().get();
                published(publication.getKey());
            } catch (ExecutionException e) {
                // The others are out: they must not come again because of this one.
                refused = e;
            }
        }
        if (refused != null) {
            throw refused;
        }
    }

    private void published(FailedIntent failed) {
        if (!failures.reported(failed)) {
            withoutRoom.add(id(failed));
        }
    }

    private static String id(FailedIntent failed) {
        return failed.intent().key() + ":" + failed.intent().retry();
    }

    @Override
    public void close() {
        loop.close();
    }
}
