package io.sluice.relay.command;

import io.sluice.relay.ops.FailureReason;
import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.LogKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends replies, before the offsets of their commands are committed and outside of the transaction that commits them: the topic is the sender's choice, and a
 * transaction with a partition that has no leader can neither commit nor abort. Belongs to the consumer's thread.
 */
final class ReplySender implements AutoCloseable {
    /** How long a batch begins to send its replies, and then waits for them. */
    static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(ReplySender.class);
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final KafkaAccess kafka;
    private final ReplyTopics topics;
    private @Nullable Producer<byte[], byte[]> producer;
    private long givenUp;

    /**
     * A reply that was not sent.
     *
     * @param why in words
     * @param refused what Kafka refuses for good; null when it did not answer in time, or was not asked
     * @param isOfTopic whether it is for its topic, which is left alone for a while
     */
    record Unsent(Reply reply, String why, @Nullable Refused refused, boolean isOfTopic) {}

    ReplySender(KafkaAccess kafka, ReplyTopics topics) {
        this.kafka = kafka;
        this.topics = topics;
    }

    /** How many replies were given up. */
    long givenUp() {
        return givenUp;
    }

    /** Sends those whose topics are not given up at present, and waits until Kafka has them or the limit is over. Returns those that it has not. */
    List<Unsent> send(List<Reply> replies) throws InterruptedException {
        long begun = System.nanoTime();
        List<Unsent> unsent = new ArrayList<>();
        Map<Reply, Future<?>> underWay = new LinkedHashMap<>();
        // To begin with one to a topic that is gone takes half of the limit: it is asked for once.
        Set<String> silent = new HashSet<>();
        for (var reply : replies) {
            if (topics.isGivenUp(reply.topic()) || silent.contains(reply.topic())) {
                unsent.add(new Unsent(reply, "its topic took none a moment ago", null, true));
            } else if (System.nanoTime() - begun > LIMIT.toNanos()) {
                unsent.add(
                        new Unsent(reply, "other topics of its batch took the time there is for replies", null, false));
            } else {
                var sent = begun(reply);
                underWay.put(reply, sent);
                if (hasFailed(sent)) {
                    silent.add(reply.topic());
                }
            }
        }
        long deadline = System.nanoTime() + LIMIT.plus(SLACK).toNanos();
        boolean isLate = false;
        for (var each : underWay.entrySet()) {
            var failed = awaited(each.getKey(), each.getValue(), deadline);
            if (failed != null) {
                unsent.add(failed);
                isLate |= failed.refused() == null;
            }
        }
        if (isLate) {
            forget();
        }
        return unsent;
    }

    /** Whether it could not even be begun, and not for what it is itself. */
    private static boolean hasFailed(Future<?> sent) throws InterruptedException {
        if (!sent.isDone()) {
            return false;
        }
        try {
            sent.get();
            return false;
        } catch (ExecutionException e) {
            return Refused.in(e) == null;
        }
    }

    /** Does without these from now on, as the offsets of their commands are committed; what they were to tell stands in the store. */
    void giveUp(List<Unsent> unsent) {
        for (var each : unsent) {
            givenUp++;
            var topic = each.reply().topic();
            if (each.refused() != null && each.refused().isOfTopic()) {
                topics.refused(topic, each.why());
            } else if (each.refused() == null && each.isOfTopic()) {
                topics.giveUp(topic);
            }
            LOG.atWarn()
                    .addKeyValue(LogKeys.COMMAND, each.reply().entry().command().commandId())
                    .addKeyValue(LogKeys.TOPIC, topic)
                    .addKeyValue(LogKeys.REASON, each.why())
                    .log("command settled without its reply, which its topic does not take");
        }
    }

    private Future<?> begun(Reply reply) {
        try {
            return producer().send(reply.toRecord());
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static @Nullable Unsent awaited(Reply reply, Future<?> sent, long deadline) throws InterruptedException {
        try {
            sent.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException e) {
            var refused = Refused.in(e);
            var why = refused == null
                    ? FailureReason.ofLast(e)
                    : String.valueOf(refused.cause().getMessage());
            return new Unsent(reply, why, refused, true);
        } catch (TimeoutException e) {
            return new Unsent(reply, "Kafka did not answer in " + LIMIT.toSeconds() + " s", null, true);
        }
    }

    private Producer<byte[], byte[]> producer() {
        if (producer == null) {
            producer = kafka.bounded(LIMIT);
        }
        return producer;
    }

    /** With it goes what it still holds for a topic that takes nothing. */
    private void forget() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    @Override
    public void close() {
        forget();
    }
}
