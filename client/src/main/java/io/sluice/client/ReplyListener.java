package io.sluice.client;

import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what becomes of commands: replies from the reply topic, and from the relay's dead letters the refusals of
 * commands that could get no reply, where this client may read those. What belongs to other clients is skipped.
 */
final class ReplyListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyListener.class);

    private final ClientConfig config;
    private final String topic;
    private final PendingReplies pending;
    private final TopicTail replies;
    private final TopicTail refusals;
    private @Nullable String refusalsFault;

    /**
     * Reads nothing yet.
     *
     * @param topic of the replies
     * @param refusalsFault why the dead letters can't be read, as a phrase that follows their name; null when they can
     */
    ReplyListener(ClientConfig config, String topic, PendingReplies pending, @Nullable String refusalsFault) {
        this.config = config;
        this.topic = topic;
        this.pending = pending;
        this.refusalsFault = refusalsFault;
        this.replies = new TopicTail(config, topic, "sluice-replies", this::takeReply);
        this.refusals = new TopicTail(config, config.deadLettersTopic(), "sluice-refusals", this::takeRefusal);
    }

    /**
     * Returns when every reply from now on will be read, and every refusal that can be.
     *
     * @throws KafkaException when the reply topic can't be read
     */
    void start() {
        replies.start();
        if (refusalsFault == null) {
            try {
                refusals.start();
            } catch (KafkaException e) {
                refusalsFault = "can't be read (" + e.getMessage() + ")";
            }
        }
        LOG.atInfo()
                .addKeyValue("replies", topic)
                .addKeyValue("refusals", config.deadLettersTopic() + (refusalsFault == null ? "" : " " + refusalsFault))
                .log("reading what becomes of commands");
    }

    /** The exception for a caller whose command got no answer in time. */
    CommandException noReply(String commandId, Duration waited) {
        var problem = replies.problem();
        if (problem != null) {
            return new CommandException.NoReply(
                    commandId, waited, ", and replies can't be read: " + problem.getMessage(), problem);
        }
        var unread = refusals.problem();
        var fault = unread == null ? refusalsFault : "can't be read (" + unread.getMessage() + ")";
        return new CommandException.NoReply(
                commandId, waited, fault == null ? "" : "; " + config.whereRefusalsAre() + ", which " + fault, unread);
    }

    private void takeReply(ConsumerRecord<byte[], byte[]> message) {
        var commandId = ReplyJson.commandId(message).orElse(null);
        if (commandId == null || !pending.isAwaited(commandId)) {
            return;
        }
        ReplyJson.read(message)
                .filter(reply -> reply.commandId().equals(commandId))
                .ifPresentOrElse(
                        reply -> pending.settle(ReplyJson.instance(message), reply),
                        () -> LOG.atWarn()
                                .addKeyValue("command", commandId)
                                .addKeyValue("topic", topic)
                                .addKeyValue("partition", message.partition())
                                .addKeyValue("offset", message.offset())
                                .log("a reply can't be read and is ignored"));
    }

    private void takeRefusal(ConsumerRecord<byte[], byte[]> letter) {
        Refusals.read(letter, topic).ifPresent(refusal -> pending.settle(ReplyJson.instance(letter), refusal));
    }

    /** Returns when its threads have ended, each at the latest after the client's close timeout. */
    @Override
    public void close() {
        refusals.stop();
        replies.close();
        refusals.close();
    }
}
