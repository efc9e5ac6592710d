package io.sluice.client.lifecycle;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code <prefix>.lifecycle} in a thread of its own and hands every event to a handler, in order per instance, at
 * least once: what was handled is committed after every batch that Kafka gives, and within a batch that takes long,
 * before a tenth of {@code max.poll.interval.ms} (Kafka's, 5 minutes) and the event being handled are over.
 *
 * <pre>{@code
 * var reader = LifecycleEvents.start(ReaderConfig.ofGroup("broker-1:9092", "orders", "billing"), event -> {
 *     if (event.fact() instanceof Fact.Completed completed) {
 *         invoices.write(event.instance(), completed.output());
 *     }
 * });
 * }</pre>
 *
 * <p>What can't be read or handled is the {@linkplain LifecycleHandler handler's} to judge. A reader that ends by
 * itself says so in its log and in {@link #ended}; it is not started again. Kafka being away ends nothing. A handler
 * that takes longer than nine tenths of {@code max.poll.interval.ms} for one event loses its partitions to another
 * member, and its events come again there.
 *
 * <p>Thread-safe.
 */
public final class LifecycleEvents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleEvents.class);

    private final ReaderConfig config;
    private final LifecycleConsumerLoop loop;
    private final Thread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private LifecycleEvents(ReaderConfig config, LifecycleConsumerLoop loop) {
        this.config = config;
        this.loop = loop;
        this.thread = new Thread(this::run, "sluice-lifecycle");
        thread.setDaemon(true);
    }

    /**
     * Begins to read. Returns when Kafka has answered.
     *
     * @throws ReaderStoppedException when Kafka does not answer in time, or the topic is missing; nothing is left
     *     running
     */
    public static LifecycleEvents start(ReaderConfig config, LifecycleHandler handler) {
        var reader = new LifecycleEvents(config, LifecycleConsumerLoop.open(config, handler));
        reader.thread.start();
        return reader;
    }

    /** Ends when the reader has; with {@link ReaderStoppedException} when it was not by {@link #close}. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    private void run() {
        try {
            loop.run();
            ended.complete(null);
        } catch (ReaderStoppedException e) {
            stopped(e);
        } catch (KafkaException e) {
            stopped(new ReaderStoppedException(
                    "Kafka refuses to let " + config.topic() + " be read: " + e.getMessage(), e));
        } catch (RuntimeException | Error e) {
            stopped(new ReaderStoppedException("the handler of " + config.topic() + " broke: " + e, e));
        }
    }

    private void stopped(ReaderStoppedException why) {
        LOG.atError().addKeyValue("topic", config.topic()).setCause(why).log("lifecycle events are not read any more");
        ended.completeExceptionally(why);
    }

    /**
     * Finishes the event being handled, commits and leaves the group; interrupts the handler when that takes longer
     * than the time to close. Closing again does nothing.
     */
    @Override
    public void close() {
        loop.stop();
        if (thread.equals(Thread.currentThread())) {
            return;
        }
        try {
            thread.join(config.closeTimeout().toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(config.closeTimeout().toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
