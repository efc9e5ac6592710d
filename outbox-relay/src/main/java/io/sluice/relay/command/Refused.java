package io.sluice.relay.command;

import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * The permanent refusal of a record by Kafka: sending the record again would not help. In a failed transaction it is
 * the cause of another exception.
 *
 * @param cause the exception of the broker
 */
record Refused(ApiException cause) {
    private static final List<Class<? extends ApiException>> OF_TOPICS =
            List.of(TopicAuthorizationException.class, InvalidTopicException.class);
    private static final List<Class<? extends ApiException>> OF_SIZE =
            List.of(RecordTooLargeException.class, RecordBatchTooLargeException.class);
    private static final List<Class<? extends ApiException>> OF_RECORDS =
            List.of(InvalidRecordException.class, InvalidTimestampException.class, PolicyViolationException.class);

    /** The refusal among the causes of a failure; null when there is none. */
    static @Nullable Refused in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ApiException said
                    && (isOf(OF_TOPICS, said) || isOf(OF_SIZE, said) || isOf(OF_RECORDS, said))) {
                return new Refused(said);
            }
        }
        return null;
    }

    /** Whether it applies to all records for the topic. */
    boolean isOfTopic() {
        return isOf(OF_TOPICS, cause);
    }

    /** Whether Kafka might accept a smaller record. */
    boolean isOfSize() {
        return isOf(OF_SIZE, cause);
    }

    private static boolean isOf(List<Class<? extends ApiException>> kinds, ApiException said) {
        return kinds.stream().anyMatch(kind -> kind.isInstance(said));
    }
}
