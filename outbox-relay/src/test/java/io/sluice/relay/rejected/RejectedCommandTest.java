package io.sluice.relay.rejected;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.deadletter.DeadLetter;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RejectedCommandTest {
    private static ConsumerRecord<byte[], byte[]> letter(byte[] key, byte[] commandId) {
        var letter = new ConsumerRecord<>("dead-letters", 3, 17, key, new byte[0]);
        letter.headers().add(DeadLetter.COMMAND_ID, commandId);
        return letter;
    }

    @Test
    void texts_of_usual_length_are_shown_whole() {
        var command = RejectedCommand.of(letter("o-ö".getBytes(UTF_8), "c-1".getBytes(UTF_8)));

        assertThat(command.key()).isEqualTo("o-ö");
        assertThat(command.commandId()).isEqualTo("c-1");
    }

    @Test
    void of_a_large_key_or_header_the_beginning_is_shown() {
        var noText = new byte[1_900_000];
        Arrays.fill(noText, (byte) 0xFF);

        var command = RejectedCommand.of(letter(noText, "ö".repeat(500_000).getBytes(UTF_8)));

        assertThat(command.key()).isEqualTo("\uFFFD".repeat(2_048) + "…");
        assertThat(command.commandId()).isEqualTo("ö".repeat(1_024) + "…");
    }
}
