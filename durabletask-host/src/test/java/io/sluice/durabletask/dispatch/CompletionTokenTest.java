package io.sluice.durabletask.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.durabletask.worker.WorkKind;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompletionTokenTest {
    private static final CompletionToken TOKEN =
            new CompletionToken("host", WorkKind.ACTIVITY, "lock", "an instance: \"x\" ü", 7, 1L << 40, -3);

    @Test
    void a_token_is_read_as_it_was_written() {
        assertThat(CompletionToken.parse(TOKEN.text())).isEqualTo(TOKEN);
        assertThat(TOKEN.text()).matches("[A-Za-z0-9_-]+");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "not base64!",
                "bnVsbA",
                "W10",
                "WyJhIl0",
            })
    void what_no_host_has_written_is_refused(String text) {
        assertThatThrownBy(() -> CompletionToken.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("completionToken");
    }

    @Test
    void changed_tokens_are_read_or_refused_and_nothing_else() {
        Random random = new Random(4);
        byte[] written = Base64.getUrlDecoder().decode(TOKEN.text());
        for (int i = 0; i < 10_000; i++) {
            byte[] changed = written.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            String text = Base64.getUrlEncoder().encodeToString(changed);
            try {
                assertThat(CompletionToken.parse(text).kind()).isNotNull();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("completionToken");
            }
        }
    }

    @Test
    void a_number_that_has_no_place_in_a_field_is_refused() {
        String json = "[\"h\",\"TURN\",\"l\",\"i\",1,0,99999999999]";
        String text = Base64.getUrlEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> CompletionToken.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
