package io.sluice.relay.command;

import io.sluice.program.FailureReason;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.reply.ReplyTopics;
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
 * Sends replies before the offsets of their commands are committed, and outside of that transaction: the sender chooses
 * the reply topic, and a transaction with a partition without a leader can neither commit nor abort. Belongs to the
 * consumer's thread.
 */
final class ReplySender implements AutoCloseable {
    /** How long a batch may take to start its sends, and again to wait for them. */
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
     * @param refused the permanent refusal by Kafka; null when Kafka did not answer in time, or the reply was not sent
     * @param isOfTopic whether the topic did not accept it; then no reply is sent to it for a while
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

    /**
     * Sends the replies, except to topics that are given up at present, and waits until Kafka has them or the limit is
     * over. Returns the replies that Kafka does not have.
     */
    List<Unsent> send(List<Reply> replies) throws InterruptedException {
        long begun = System.nanoTime();
        List<Unsent> unsent = new ArrayList<>();
        Map<Reply, Future<?>> underWay = new LinkedHashMap<>();
        // The first send to a topic that is gone blocks for half of the limit, so further ones are skipped.
        Set<String> silent = new HashSet<>();
        for (var reply : replies) {
            if (topics.isGivenUp(reply.topic()) || silent.contains(reply.topic())) {
                unsent.add(new Unsent(reply, "its topic took none a moment ago", null, false));
            } else if (System.nanoTime() - begun > LIMIT.toNanos()) {
                unsent.add(
                        new Unsent(reply, "other topics of its batch took the time there is for replies", null, false));
            } else {
                var sent = startSend(reply);
                underWay.put(reply, sent);
                if (hasFailed(sent)) {
                    silent.add(reply.topic());
                }
            }
        }
        long deadline = System.nanoTime() + LIMIT.plus(SLACK).toNanos();
        boolean isLate = false;
        for (var each : underWay.entrySet()) {
            var failed = awaitSend(each.getKey(), each.getValue(), deadline);
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

    /** Whether the send failed at once, and not because of the record itself. */
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

    /**
     * Gives these replies up, as the offsets of their commands are committed; the results of the commands are in the
     * store.
     */
    void giveUp(List<Unsent> unsent) {
        for (var each : unsent) {
            givenUp++;
            var topic = each.reply().topic();
            if (each.refused() != null && each.refused().isOfTopic()) {
                topics.noteRefusal(topic, each.why());
            } else if (each.refused() == null && each.isOfTopic()) {
                topics.giveUp(topic);
            }
            LOG.atWarn()
                    .addKeyValue(LogKeys.COMMAND, each.reply().entry().command().commandId())
                    .addKeyValue(LogKeys.TOPIC, topic)
                    .addKeyValue(LogKeys.REASON, each.why())
                    .log("gave up the reply to a command, as its topic does not accept it");
        }
    }

    private Future<?> startSend(Reply reply) {
        try {
            return producer().send(reply.toRecord());
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private @Nullable Unsent awaitSend(Reply reply, Future<?> sent, long deadline) throws InterruptedException {
        try {
            sent.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            topics.noteAccepted(reply.topic());
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

    /** Drops the producer with the records it still holds for a topic that does not accept them. */
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
