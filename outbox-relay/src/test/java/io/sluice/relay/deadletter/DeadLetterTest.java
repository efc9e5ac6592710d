package io.sluice.relay.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.contract.ContractCheck;
import io.sluice.relay.contract.TopicCatalogue;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeadLetterTest {
    private static final int MOST = 100_000;

    private static ConsumerRecord<byte[], byte[]> command(int key, int value, RecordHeaders headers) {
        return new ConsumerRecord<>(
                "orders.commands",
                0,
                7,
                1_767_225_600_000L,
                TimestampType.CREATE_TIME,
                key,
                value,
                new byte[key],
                new byte[value],
                headers,
                Optional.empty());
    }

    private static RecordHeaders headers(int bytes) {
        var headers = new RecordHeaders();
        headers.add("own", new byte[bytes]);
        return headers;
    }

    private static ProducerRecord<byte[], byte[]> letter(ConsumerRecord<byte[], byte[]> command) {
        var letter = new DeadLetter(command, "c-1", "not JSON").toRecord("orders.dead-letters", MOST);
        ContractCheck.fits(TopicCatalogue.DEAD_LETTERS, letter);
        return letter;
    }

    private static @Nullable String header(ProducerRecord<byte[], byte[]> letter, String name) {
        var header = letter.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }

    private static int size(ProducerRecord<byte[], byte[]> letter) {
        int size = (letter.key() == null ? 0 : letter.key().length) + letter.value().length;
        for (var header : letter.headers()) {
            size += header.key().length() + header.value().length + 10;
        }
        return size;
    }

    @Test
    void what_fits_is_kept_whole_and_no_header_says_otherwise() {
        var letter = letter(command(10_000, 60_000, headers(10_000)));

        assertThat(letter.key()).hasSize(10_000);
        assertThat(letter.value()).hasSize(60_000);
        assertThat(header(letter, "own")).hasSize(10_000);
        assertThat(letter.headers().toArray())
                .extracting(header -> header.key())
                .doesNotContain(DeadLetter.VALUE_BYTES, DeadLetter.KEY_BYTES, DeadLetter.HEADERS_BYTES);
    }

    @Test
    void whatever_is_too_large_the_letter_is_not_and_says_what_is_missing() {
        for (int key : new int[] {0, 30_000, 90_000, 500_000}) {
            for (int value : new int[] {0, 30_000, 90_000, 500_000}) {
                for (int own : new int[] {0, 30_000, 90_000, 500_000}) {
                    var letter = letter(command(key, value, headers(own)));

                    assertThat(size(letter))
                            .as("key %d, value %d, headers %d", key, value, own)
                            .isLessThan(MOST);
                    assertThat(header(letter, DeadLetter.VALUE_BYTES))
                            .isEqualTo(letter.value().length == value ? null : String.valueOf(value));
                    assertThat(header(letter, DeadLetter.KEY_BYTES))
                            .isEqualTo(letter.key() != null ? null : String.valueOf(key));
                    assertThat(header(letter, DeadLetter.HEADERS_BYTES))
                            .isEqualTo(
                                    header(letter, "own") != null ? null : String.valueOf(own + "own".length() + 10));
                    assertThat(value == 0 || letter.value().length > 0)
                            .as("some of the value is always there")
                            .isTrue();
                }
            }
        }
    }

    @Test
    void one_that_was_sent_again_tells_of_its_latest_end_alone() {
        var headers = headers(10);
        headers.add(DeadLetter.VALUE_BYTES, "500000".getBytes(UTF_8)).add(DeadLetter.REASON, "old".getBytes(UTF_8));

        var letter = letter(command(10, 10, headers));

        assertThat(header(letter, DeadLetter.VALUE_BYTES)).isNull();
        assertThat(header(letter, DeadLetter.REASON)).isEqualTo("not JSON");
    }
}
