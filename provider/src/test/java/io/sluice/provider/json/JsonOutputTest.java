package io.sluice.provider.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonOutputTest {
    private static String written(String value) {
        String json = JsonOutput.text(text -> text.object(out -> out.field("s").string(value)));
        return json.substring("{\"s\":\"".length(), json.length() - "\"}".length());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "0x22 \\\"",
                "0x5C \\\\",
                "0x08 \\b",
                "0x09 \\t",
                "0x0A \\n",
                "0x0C \\f",
                "0x0D \\r",
                "0x00 \\u0000",
                "0x01 \\u0001",
                "0x0B \\u000b",
                "0x1F \\u001f"
            })
    void what_json_forbids_is_escaped_the_way_rust_does(String codePoint, String escape) {
        assertThat(written(Character.toString(Integer.decode(codePoint)))).isEqualTo(escape);
    }

    @Test
    void everything_else_is_written_as_it_is() {
        int blockSize = 0x1000;
        for (int block = 0; block <= Character.MAX_CODE_POINT; block += blockSize) {
            String characters = IntStream.range(block, block + blockSize)
                    .filter(codePoint -> codePoint >= ' ' && codePoint != '"' && codePoint != '\\')
                    .filter(codePoint -> Character.getType(codePoint) != Character.SURROGATE)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();

            assertThat(written(characters)).as("from U+%04X", block).isEqualTo(characters);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 8_000, 100_000})
    void long_strings_are_escaped_across_the_buffers_of_the_writer(int length) {
        var text = "é\"\u0001😀/".repeat(length / 5);

        assertThat(JsonValue.parse("\"" + written(text) + "\"", "text").asString())
                .isEqualTo(text);
        assertThat(written(text)).isEqualTo("é\\\"\\u0001😀/".repeat(length / 5));
    }

    @Test
    void a_field_is_not_written_twice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonOutput.text(text -> text.object(out -> {
                    out.field("name").string("a");
                    out.field("name").u64(1);
                })))
                .withMessageContaining("name");
    }

    @ParameterizedTest
    @CsvSource({"\ud800, 0", "ab\udc00, 2", "😀\ud83dx, 2", "\udc00\ud800, 0"})
    void half_a_surrogate_pair_is_found(String text, int index) {
        assertThat(Surrogates.firstLone(text)).isEqualTo(index);
    }

    @Test
    void whole_surrogate_pairs_are_fine() {
        assertThat(Surrogates.firstLone("a😀b😀")).isEqualTo(-1);
    }
}
