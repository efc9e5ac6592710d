package io.sluice.relay.rejected;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.TimestampType;

/** What is written where rejected commands are sent again, made by the relay's own code. */
public final class RejectedExamples {
    private static final String TOPIC_ID = "u8ZbHkR3T9mPq2sLx0aVdA";
    private static final long WRITTEN = 1_767_225_600_000L;

    private RejectedExamples() {}

    /** The marks beside dead letters. */
    public static List<ProducerRecord<byte[], byte[]>> marks(List<ProducerRecord<byte[], byte[]>> letters) {
        return letters.stream()
                .map(letter -> ResentMark.of(read(letter), TOPIC_ID))
                .toList();
    }

    private static ConsumerRecord<byte[], byte[]> read(ProducerRecord<byte[], byte[]> letter) {
        return new ConsumerRecord<>(
                letter.topic(),
                3,
                17,
                WRITTEN,
                TimestampType.CREATE_TIME,
                0,
                0,
                letter.key(),
                letter.value(),
                letter.headers(),
                Optional.empty());
    }
}
