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
 * What Kafka says of a record that it will not take however often it is sent, as it stands. A failed transaction shows it beneath a failure of its own.
 *
 * @param cause as Kafka said it
 */
record Refused(ApiException cause) {
    private static final List<Class<? extends ApiException>> OF_TOPICS =
            List.of(TopicAuthorizationException.class, InvalidTopicException.class);
    private static final List<Class<? extends ApiException>> OF_SIZE =
            List.of(RecordTooLargeException.class, RecordBatchTooLargeException.class);
    private static final List<Class<? extends ApiException>> OF_RECORDS =
            List.of(InvalidRecordException.class, InvalidTimestampException.class, PolicyViolationException.class);

    /** The refusal that a failure came of; null when there is none in it. */
    static @Nullable Refused in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ApiException said
                    && (isOf(OF_TOPICS, said) || isOf(OF_SIZE, said) || isOf(OF_RECORDS, said))) {
                return new Refused(said);
            }
        }
        return null;
    }

    /** Whether it holds for whatever is sent there. */
    boolean isOfTopic() {
        return isOf(OF_TOPICS, cause);
    }

    /** Whether a smaller record might be taken. */
    boolean isOfSize() {
        return isOf(OF_SIZE, cause);
    }

    private static boolean isOf(List<Class<? extends ApiException>> kinds, ApiException said) {
        return kinds.stream().anyMatch(kind -> kind.isInstance(said));
    }
}
