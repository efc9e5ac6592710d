package io.sluice.relay.command.parse;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The identity by which a repeated command is recognised. It is the id that the sender gave, together with the sender's
 * {@code ce_source} if there is one. Without an id it is the place of the record: topic, Kafka's id of the topic (a
 * topic that is deleted and created again gets a new one), partition and offset. No sender can give an id that makes
 * the key of another's command.
 *
 * <p>A command that an operator sends again is another command with the same id: otherwise the receipt that refused the
 * first would refuse it too.
 *
 * @param shown the id in replies, dead letters and logs
 * @param key the name of its receipt
 * @param earlierKey the name of its receipt in earlier versions; null when it is the same
 * @param isPlace whether the sender gave no id
 */
public record CommandIdentity(
        String shown, String key, @Nullable String earlierKey, boolean isPlace) {
    private static final String PLAIN = "id:";
    private static final String OF_SOURCE = "ce:";
    private static final String RESENT = "resent:";

    /** Of a command whose headers could be read. */
    public static CommandIdentity of(ConsumerRecord<byte[], byte[]> message, String topicId, CommandHeaders headers) {
        var identity = of(message, topicId, headers.commandId(), headers.source());
        return identity.isPlace() || headers.resentFrom() == null ? identity : identity.resent(headers.resentFrom());
    }

    private CommandIdentity resent(String from) {
        return new CommandIdentity(shown, RESENT + from.length() + ":" + from + ":" + key, null, false);
    }

    /** Of a command whose sender gave it an id, or not. */
    static CommandIdentity of(
            ConsumerRecord<byte[], byte[]> message, String topicId, @Nullable String id, @Nullable String source) {
        if (id == null) {
            return ofPlace(message, topicId);
        }
        if (source == null) {
            return new CommandIdentity(id, looksDerived(id, message.topic()) ? PLAIN + id : id, null, false);
        }
        int length = source.getBytes(StandardCharsets.UTF_8).length;
        return new CommandIdentity(id, OF_SOURCE + length + ":" + source + ":" + id, id, false);
    }

    /** Such an id could be meant to take the key of another sender's command, which would then be refused. */
    private static boolean looksDerived(String id, String topic) {
        return id.startsWith(PLAIN) || id.startsWith(OF_SOURCE) || id.startsWith(RESENT) || id.startsWith(topic + ":");
    }

    private static CommandIdentity ofPlace(ConsumerRecord<byte[], byte[]> message, String topicId) {
        var inTopic = message.partition() + "-" + message.offset();
        var place = message.topic() + ":" + topicId + ":" + inTopic;
        return new CommandIdentity(place, place, message.topic() + "-" + inTopic, true);
    }
}
