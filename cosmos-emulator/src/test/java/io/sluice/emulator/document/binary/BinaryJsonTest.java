package io.sluice.emulator.document.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each form of a value, as the SDKs for .NET and Rust read and write it. */
class BinaryJsonTest {
    private static final JsonNodeFactory NODES = Json.nodes();
    private static final int TREES = 10_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "80 D0 | null",
                "80 D1 | false",
                "80 D2 | true",
                "80 00 | 0",
                "80 1F | 31",
                "80 C8 C8 | 200",
                "80 C9 18 FC | -1000",
                "80 CA 70 11 01 00 | 70000",
                "80 CB 00 0E FA D5 FE FF FF FF | -5000000000",
                "80 C7 FF FF FF FF FF FF FF 7F | 9223372036854775807",
                "80 C7 00 00 00 00 00 00 00 80 | 9.223372036854775808E18",
                "80 CC 00 00 00 00 00 00 F8 3F | 1.5",
                "80 CC 00 00 00 00 00 00 08 40 | 3",
                "80 CD 00 00 C0 3F | 1.5",
                "80 CE 00 00 00 00 00 00 02 C0 | -2.25",
                "80 D8 FB | -5",
                "80 D9 18 FC | -1000",
                "80 DA 90 EE FE FF | -70000",
                "80 DB FF FF FF FF FF FF FF FF | -1",
                "80 DC FE FF FF FF | 4294967294",
                "80 2C | \"id\"",
                "80 3F | \"_id\"",
                "80 80 | \"\"",
                "80 82 68 69 | \"hi\"",
                "80 C0 02 C3 BC | \"ü\"",
                "80 C1 01 00 61 | \"a\"",
                "80 C2 01 00 00 00 61 | \"a\"",
                "80 75 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F | \"00010203-0405-0607-0809-0a0b0c0d0e0f\"",
                "80 76 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F | \"00010203-0405-0607-0809-0A0B0C0D0E0F\"",
                "80 77 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F | \"\\\"00010203-0405-0607-0809-0a0b0c0d0e0f\\\"\"",
                "80 D3 03 02 01 00 05 04 07 06 08 09 0A 0B 0C 0D 0E 0F | \"00010203-0405-0607-0809-0a0b0c0d0e0f\"",
                "80 71 01 00 66 6F 6F | \"Zm9v\"",
                "80 71 01 01 66 6F | \"Zm8=\"",
                "80 71 01 02 41 | \"QQ==\"",
                "80 71 01 FD 41 | \"QQ\"",
                "80 72 02 00 00 66 6F 6F 62 61 72 | \"Zm9vYmFy\"",
                "80 73 01 00 FB FF FE | \"-__-\"",
                "80 78 04 A1 B2 | \"1a2b\"",
                "80 79 03 A1 02 | \"1A2\"",
                "80 7A 05 DD 12 0B | \"..10:\"",
                "80 7B 03 61 10 02 | \"abc\"",
                "80 7C 02 61 20 00 | \"ab\"",
                "80 7D 02 61 40 00 | \"ab\"",
                "80 7E 02 61 31 | \"ab\"",
                "80 7F 02 00 61 31 | \"ab\"",
                "80 DD 03 66 6F 6F | \"Zm9v\"",
                "80 E0 | []",
                "80 E1 01 | [1]",
                "80 E2 02 01 02 | [1,2]",
                "80 E5 02 02 01 02 | [1,2]",
                "80 E6 02 00 02 00 01 02 | [1,2]",
                "80 E8 | {}",
                "80 E9 81 61 01 | {\"a\":1}",
                "80 EA 06 81 61 01 81 62 02 | {\"a\":1,\"b\":2}",
                "80 ED 06 02 81 61 01 81 62 02 | {\"a\":1,\"b\":2}",
                "80 E2 05 82 68 69 C3 03 | [\"hi\",\"hi\"]",
                "80 E2 06 82 68 69 C4 03 00 | [\"hi\",\"hi\"]",
                "80 F0 D8 03 01 FF 02 | [1,-1,2]",
                "80 F1 D7 02 00 01 FF | [1,255]",
                "80 F2 F0 D8 02 02 01 02 03 04 | [[1,2],[3,4]]"
            })
    void each_form_is_read(String bytes, String json) throws Exception {
        assertThat(Json.bytes(BinaryJson.read(hex(bytes))))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(new String(Json.bytes(Json.read(json)), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "80 FF",
                "80 D4",
                "80 CF 00 00",
                "80 D7 00",
                "80 D0 00",
                "80 CA 01 02",
                "80 C0 05 68 69",
                "80 C2 FF FF FF FF 61",
                "80 C0 01 FF",
                "80 40",
                "80 60 01",
                "80 70",
                "80 71 01 03 41 41 41",
                "80 C3 00",
                "80 C3 09",
                "80 E2 04 C3 03 C3 01",
                "80 E9 01 01",
                "80 E2 01 C8 05",
                "80 E2 09 01",
                "80 E5 02 03 01 02",
                "80 F0 D0 01 00",
                "80 F2 E0 D8 01 01 01",
                "80 F2 F0 D8 00 02",
                "80 CC 00 00 00 00 00 00 F8 7F"
            })
    void what_is_no_binary_json_is_refused(String bytes) {
        assertThatThrownBy(() -> BinaryJson.read(hex(bytes)))
                .asInstanceOf(type(StatusException.class))
                .returns(400, StatusException::status);
    }

    @Test
    void what_is_nested_too_deep_is_refused() {
        byte[] deep = new byte[100_000];
        java.util.Arrays.fill(deep, (byte) 0xE1);
        deep[0] = (byte) 0x80;

        assertThatThrownBy(() -> BinaryJson.read(deep)).hasMessageContaining("nested deeper than 256");
    }

    @Test
    void a_small_body_of_long_strings_by_reference_is_refused() {
        var body = new ByteArrayOutputStream();
        body.writeBytes(hex("80 E4 42 0D 04 00 C1 FF FF"));
        body.writeBytes(new byte[0xFFFF]);
        for (int i = 0; i < 100_000; i++) {
            body.writeBytes(hex("C3 06"));
        }

        assertThatThrownBy(() -> BinaryJson.read(body.toByteArray()))
                .hasMessageContaining("strings by reference are longer than 5242880");
    }

    @Test
    void trees_are_the_same_after_they_were_written_and_read() {
        Random random = new Random(1);
        for (int i = 0; i < TREES; i++) {
            JsonNode tree = tree(random, 4);

            byte[] bytes = BinaryJson.write(tree);

            assertThat(BinaryJson.isBinary(bytes)).isTrue();
            assertThat(Json.bytes(BinaryJson.read(bytes))).isEqualTo(Json.bytes(tree));
        }
    }

    @Test
    void lengths_around_those_of_each_marker_are_written_and_read() {
        IntStream.of(0, 1, 62, 63, 64, 254, 255, 256, 65_534, 65_535, 65_536, 200_000)
                .forEach(length -> {
                    JsonNode text = NODES.textNode("x".repeat(length));
                    var list = NODES.arrayNode();
                    IntStream.range(0, length).forEach(i -> list.add(i % 32));

                    assertThat(BinaryJson.read(BinaryJson.write(text))).isEqualTo(text);
                    assertThat(BinaryJson.read(BinaryJson.write(list))).isEqualTo(list);
                });
    }

    @Test
    void damaged_bytes_are_a_value_or_refused() {
        Random random = new Random(2);
        for (int i = 0; i < 10 * TREES; i++) {
            byte[] bytes = BinaryJson.write(tree(random, 3));
            for (int damage = random.nextInt(4); damage >= 0; damage--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            bytes[0] = (byte) 0x80;
            try {
                assertThat(BinaryJson.read(bytes)).isNotNull();
            } catch (StatusException refused) {
                assertThat(refused.status()).isEqualTo(400);
            }
        }
    }

    @Test
    void text_is_not_binary() {
        assertThat(BinaryJson.isBinary(new byte[0])).isFalse();
        assertThat(BinaryJson.isBinary("{}".getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    private static JsonNode tree(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt(600) - 300);
            case 3 -> NODES.numberNode(random.nextLong() >> random.nextInt(64));
            case 4 -> NODES.numberNode(random.nextDouble());
            case 5 -> NODES.textNode(Markers.SYSTEM.get(random.nextInt(Markers.SYSTEM.size())));
            case 6 -> NODES.textNode("aü€😀".substring(0, random.nextInt(4)).repeat(random.nextInt(50)));
            case 7 -> {
                var array = NODES.arrayNode();
                for (int i = random.nextInt(5); i > 0; i--) {
                    array.add(tree(random, depth - 1));
                }
                yield array;
            }
            default -> {
                var object = NODES.objectNode();
                for (int i = random.nextInt(5); i > 0; i--) {
                    object.set("p" + i, tree(random, depth - 1));
                }
                yield object;
            }
        };
    }

    private static byte[] hex(String bytes) {
        return HexFormat.ofDelimiter(" ").parseHex(bytes.strip());
    }
}
