package io.sluice.provider.kafka;

import io.sluice.provider.kafka.thread.FeedLoop;
import io.sluice.provider.kafka.thread.StopSignal;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a reader of a topic at work: waits until the topic exists and is wanted, opens the reader, opens another one
 * after a failure or when the topic was replaced.
 */
final class ReaderLoop implements FeedLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderLoop.class);
    private static final Duration TOPIC_WAIT = Duration.ofMillis(100);
    /** A step takes less than a second, unless something holds its thread up. */
    private static final long LONGEST_STEP_NANOS = Duration.ofSeconds(10).toNanos();

    private final String name;
    private final String topic;
    private final FeedConfig config;
    private final TopicWatch topics;
    private final Opening opening;
    private final FailureLog failures;
    private final StopSignal stop = new StopSignal();
    private volatile @Nullable TopicReader open;
    private volatile boolean ready;
    private volatile long steppedNanos = System.nanoTime();

    /** @param name of the thread */
    ReaderLoop(String name, String topic, FeedConfig config, TopicWatch topics, Opening opening) {
        this.name = name;
        this.topic = topic;
        this.config = config;
        this.topics = topics;
        this.opening = opening;
        this.failures = new FailureLog(topic, config.timings(), topics.failuresOf(topic));
    }

    @Override
    public String name() {
        return name;
    }

    /** Why its records can't be relied on; null while they can. */
    @Nullable
    String problem() {
        String failure = failures.problem();
        if (failure != null) {
            return failure;
        }
        if (topics.find(topic).isEmpty()) {
            String unknown = topics.problem();
            return unknown == null ? topic + " does not exist" : unknown;
        }
        if (!ready) {
            return topic + " has no reader that is ready";
        }
        return System.nanoTime() - steppedNanos > LONGEST_STEP_NANOS ? topic + " was not polled for seconds" : null;
    }

    /** Whether the broker has no such groups, of which one line in the log is enough. */
    boolean isUnsupported() {
        return failures.isUnsupported();
    }

    @Override
    public void run() {
        while (!stop.isStopped()) {
            try {
                readWhenWanted();
            } catch (WakeupException | InterruptException e) {
                stop.stop(); // only closing wakes or interrupts this thread
            } catch (RuntimeException | Error e) {
                // Without its thread the topic would never be read again.
                stop.await(failures.failed(e));
            }
        }
        failures.ended();
    }

    private void readWhenWanted() {
        Optional<TopicState> found = topics.find(topic);
        if (found.isPresent() && opening.isWanted(found.get())) {
            read(found.get());
        } else {
            if (found.isPresent()) {
                failures.ended();
            }
            stop.await(TOPIC_WAIT);
        }
    }

    private void read(TopicState found) {
        TopicReader reader = opening.open(found);
        try {
            open = reader;
            while (!stop.isStopped() && !reader.isDone() && topics.isCurrent(found) && opening.isWanted(found)) {
                reader.step();
                steppedNanos = System.nanoTime();
                ready = reader.isReady();
                if (ready) {
                    failures.succeeded();
                }
            }
        } finally {
            open = null;
            ready = false;
            close(reader);
        }
    }

    /** A failure must not hide the one that made the reader close. */
    private void close(TopicReader reader) {
        try {
            reader.close(config.closeTimeout().dividedBy(2));
        } catch (RuntimeException | Error e) {
            LOG.atDebug().addKeyValue("topic", topic).setCause(e).log("a reader could not be closed in good order");
        }
    }

    @Override
    public void stop() {
        stop.stop();
        TopicReader reader = open;
        if (reader != null) {
            reader.wakeup();
        }
    }

    /** Opens a reader of a topic that exists. */
    @FunctionalInterface
    interface Opening {
        TopicReader open(TopicState topic);

        /** While it is not, there is no reader. */
        default boolean isWanted(TopicState topic) {
            return true;
        }
    }
}
