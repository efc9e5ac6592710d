package io.sluice.provider.kafka;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for what brokers answer an admin client. */
final class BrokerAnswers {
    private BrokerAnswers() {}

    /** @throws KafkaException what the brokers refused with, or that they did not answer in time */
    static <T> T await(KafkaFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        }
    }
}
