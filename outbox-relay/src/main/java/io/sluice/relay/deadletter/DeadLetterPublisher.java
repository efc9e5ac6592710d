package io.sluice.relay.deadletter;

import io.sluice.program.FailureReason;
import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.FailedIntent;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.Loop;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes intents that failed permanently to the dead letter topic. The store is the source of truth: an intent is
 * published until its document says that it was. So an intent that failed while Kafka was away is published later, and
 * after a crash it may be published again, with the same {@code sluice-id}.
 */
public final class DeadLetterPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterPublisher.class);
    private static final int REPEATEDLY = 3;
    /** Of which Kafka has taken no letter, in one publication; then it is not asked for more. */
    private static final int MOST_REFUSED_PAGES = 3;
    /** After repeated failures. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    private final FailedIntents failed;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final String topic;
    private final Duration interval;
    private final Loop loop;
    /**
     * Intents whose documents have the maximal size, so that they can't be marked as published. After a restart they
     * are published again, with the same id.
     */
    private final Set<String> withoutRoom = new HashSet<>();

    private int failures;
    private volatile @Nullable String problem;
    private volatile boolean closed;

    /**
     * Connects nowhere yet.
     *
     * @param interval between two queries without a {@linkplain #wakeUp wake-up}
     */
    public DeadLetterPublisher(
            FailedIntents failed,
            Supplier<Producer<byte[], byte[]>> producers,
            String topic,
            Duration interval,
            Duration drainTimeout) {
        this.failed = failed;
        this.producers = producers;
        this.topic = topic;
        this.interval = interval;
        this.loop = new Loop("sluice-dead-letters", this::step, drainTimeout);
    }

    /** Publishes once, and then after every interval. */
    public void start() {
        loop.start();
    }

    /** Publishes now, as an intent has failed permanently. */
    public void wakeUp() {
        loop.wakeUp();
    }

    /** Why dead letters are not published; null if they are, or publishing has failed only once or twice. */
    public @Nullable String problem() {
        return problem;
    }

    private Duration step() throws InterruptedException, ExecutionException {
        try {
            publishAll();
            failures = 0;
            problem = null;
            return interval;
        } catch (ExecutionException | RuntimeException e) {
            failures++;
            if (failures < REPEATEDLY) {
                throw e;
            }
            problem = FailureReason.of(e);
            LOG.atDebug().setCause(e).log("dead letters can't be published");
            // All other partitions are asked each time.
            return interval.compareTo(LONGEST_PAUSE) < 0 ? interval : LONGEST_PAUSE;
        }
    }

    private void publishAll() throws InterruptedException, ExecutionException {
        try (var sending = new Sending()) {
            for (var range : failed.ranges()) {
                if (!closed) {
                    publishRange(range, sending);
                }
            }
            sending.throwFailure();
        }
    }

    /** Works page by page, so that many need little memory, and are marked as published before the next are read. */
    private void publishRange(String range, Sending sending) throws InterruptedException, ExecutionException {
        try {
            String next = null;
            do {
                var page = failed.unreported(range, next);
                var open = page.failed().stream()
                        .filter(one -> !withoutRoom.contains(id(one)))
                        .toList();
                if (!open.isEmpty()) {
                    sending.failed(publish(sending.producer(), open));
                }
                next = page.next();
            } while (next != null && !closed);
        } catch (ProviderException e) {
            // A partition of the store that does not answer keeps back its own dead letters only.
            sending.failed(e);
        } catch (ExecutionException e) {
            sending.refused(e);
        }
    }

    /** One publication of all; used by one thread. */
    private final class Sending implements AutoCloseable {
        private @Nullable Producer<byte[], byte[]> producer;
        private @Nullable Exception failure;
        private int refusedPages;

        /** Dead letters are rare enough for a new connection each time. */
        private Producer<byte[], byte[]> producer() {
            producer = producer == null ? producers.get() : producer;
            return producer;
        }

        private void failed(@Nullable Exception newFailure) {
            failure = newFailure == null ? failure : newFailure;
        }

        /** One letter is refused alone; several pages, because Kafka takes none. */
        private void refused(ExecutionException refusal) throws ExecutionException {
            failed(refusal);
            refusedPages++;
            if (refusedPages >= MOST_REFUSED_PAGES) {
                throw refusal;
            }
        }

        private void throwFailure() throws ExecutionException {
            if (failure instanceof ExecutionException refused) {
                throw refused;
            }
            if (failure instanceof ProviderException unanswered) {
                throw unanswered;
            }
        }

        @Override
        public void close() {
            if (producer != null) {
                producer.close(KafkaAccess.CLOSE_LIMIT);
            }
        }
    }

    /**
     * Publishes dead letters, each independently.
     *
     * @return why one of them was refused; null if none was
     * @throws ExecutionException when all were refused, so that none of them is the reason
     */
    private @Nullable ExecutionException publish(Producer<byte[], byte[]> producer, List<FailedIntent> open)
            throws InterruptedException, ExecutionException {
        Map<FailedIntent, Future<?>> sent = new LinkedHashMap<>();
        open.forEach(one -> sent.put(one, producer.send(IntentDeadLetter.of(one, topic))));
        producer.flush();
        ExecutionException refused = null;
        boolean anyIsOut = false;
        for (var publication : sent.entrySet()) {
            try {
                publication.getValue().get();
                anyIsOut = true;
                published(publication.getKey());
            } catch (ExecutionException e) {
                // The others are published: they must not be published again because of this one.
                refused = e;
            }
        }
        if (refused != null && !anyIsOut) {
            throw refused;
        }
        return refused;
    }

    private void published(FailedIntent one) {
        if (!failed.markReported(one)) {
            withoutRoom.add(id(one));
        }
    }

    private static String id(FailedIntent one) {
        return one.intent().key() + ":" + one.intent().retry();
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
    }
}
