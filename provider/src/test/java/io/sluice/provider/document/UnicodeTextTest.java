package io.sluice.provider.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ProviderException;
import io.sluice.provider.json.Surrogates;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnicodeTextTest {
    private static final String EMOJI = "\uD83D\uDE00";

    @Test
    void a_text_is_cut_before_a_pair_and_not_within_it() {
        assertThat(UnicodeText.beginning("abc", 3)).isEqualTo("abc");
        assertThat(UnicodeText.beginning("abcd", 3)).isEqualTo("abc");
        assertThat(UnicodeText.beginning("ab" + EMOJI, 3)).isEqualTo("ab");
        assertThat(UnicodeText.beginning("a" + EMOJI + "b", 3)).isEqualTo("a" + EMOJI);
    }

    @Test
    void what_can_not_be_said_becomes_a_question_mark() {
        assertThat(UnicodeText.sayable("a\uD83Db" + EMOJI)).isEqualTo("a?b" + EMOJI);
    }

    @Test
    void an_id_that_is_refused_is_shown_without_half_of_a_pair() {
        String id = "/".repeat(79) + EMOJI;

        assertThatThrownBy(() -> DocumentIds.checkInstanceId("enqueue", id))
                .isInstanceOf(ProviderException.class)
                .satisfies(refused -> assertThat(Surrogates.firstLone(String.valueOf(refused.getMessage())))
                        .isEqualTo(-1));
    }
}
