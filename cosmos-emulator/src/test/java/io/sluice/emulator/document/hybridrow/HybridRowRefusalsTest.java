package io.sluice.emulator.document.hybridrow;

import static io.sluice.emulator.document.hybridrow.HybridRowTest.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies that are damaged or wrong on purpose: each is refused with 400, or is a batch by accident. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HybridRowRefusalsTest {
    private static final int CASES = 20_000;
    private static final int SEGMENT_BYTES = 10;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "81 | ends within the header of a segment",
                "81 F0D8FF7F 01 0A0000 | ends within the header of a segment",
                "81 F0D8FF7F 01 09000000 | a segment has the wrong length 9",
                "81 F0D8FF7F 01 0B000000 | a segment has the wrong length 11",
                "81 F0D8FF7F 01 FFFFFFFF | a segment has the wrong length -1",
                "81 F1D8FF7F 00000000 00000000 | expected a segment, found schema 2147473649, at byte 0",
                "81 7054E17F 03 00000000 | expected a segment, found schema 2145473648, at byte 0",
                "81 F0D8FF7F 01 0A000000 7B7D | expected a row, which begins with 81, at byte 10",
                "81 F0D8FF7F 01 0A000000 81 F1D8FF7F 01000000 00000000 | length of a record is 1, but 0 bytes follow",
                "81 F0D8FF7F 01 0A000000 81 F1D8FF7F FFFFFF7F 00000000 | the length of a record is 2147483647",
                "81 F0D8FF7F 01 0A000000 81 F1D8FF7F FFFFFFFF 00000000 | the length of a record is -1",
                "81 F0D8FF7F 01 0A000000 81 F1D8FF7F 01000000 00000000 81 | CRC-32 of a record is wrong",
            })
    void records_that_are_none_are_refused(String bytes, String fault) {
        assertRefused(hex(bytes), fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | a row ends within a column",
                "80 7054E17F 03 00000000 02000000 | expected a row, which begins with 81",
                "81 7154E17F 03 00000000 02000000 | expected schema 2145473648, found 2145473649",
                "81 7054E17F 03 00000000 020000 | a row ends within a column",
                "81 7054E17F 13 00000000 02000000 | a row ends within a column",
                "81 7054E17F 13 00000000 02000000 05 6162 | the length of a value is 5, but 2 bytes follow",
                "81 7054E17F 13 00000000 02000000 FFFFFFFF7F | a value is 34359738367, but 0 bytes follow",
                "81 7054E17F 13 00000000 02000000 FFFFFFFFFF01 | a number is too large",
                "81 7054E17F 13 00000000 02000000 02 C328 | a text is not UTF-8",
                "81 7054E17F 43 00000000 02000000 01 7B | The input content is invalid",
                "81 7054E17F 43 00000000 02000000 02 80FF | invalid binary JSON",
                "81 7054E17F 03 00000000 02000000 14 05 00 | there is no sparse column 5",
                "81 7054E17F 03 00000000 02000000 14 00 00 | there is no sparse column 0",
                "81 7054E17F 03 00000000 02000000 14 0E 61 00 | there is no sparse column 14",
                "81 7054E17F 03 00000000 02000000 15 09 00 | column ifMatch can't have the type 21",
                "81 7054E17F 03 00000000 02000000 02 09 | column ifMatch can't have the type 2",
                "81 7054E17F 03 00000000 02000000 63 0C | column minimalReturnPreference can't have the type 99",
                "81 7054E17F 03 00000000 02000000 07 0B 0100 | a row ends within a column",
                "81 7054E17F 03 00000000 02000000 14 | a row ends within a column",
            })
    void rows_that_are_none_are_refused(String row, String fault) {
        assertRefused(RecordIo.write(List.of(hex(row))), fault);
    }

    @Test
    void each_body_that_is_cut_off_within_a_record_is_refused() throws Exception {
        var operations = (ArrayNode) Json.read("""
                [{"operationType":"Create","partitionKey":"[1]","resourceBody":{"id":"a"}},
                 {"operationType":"Read","id":"a","ifNoneMatch":"*","minimalReturnPreference":true}]""");
        var whole = BatchRows.writeOperations(operations);
        int first = BatchRows.writeOperations(Json.nodes().arrayNode().add(operations.get(0))).length;

        for (int length = 1; length < whole.length; length++) {
            var body = Arrays.copyOf(whole, length);
            if (length == SEGMENT_BYTES || length == first) {
                assertThat(HybridRow.readOperations(body)).hasSize(length == first ? 1 : 0);
            } else {
                assertRefused(body, "invalid HybridRow");
            }
        }
    }

    @Test
    void each_row_that_is_cut_off_within_a_column_is_refused() {
        var row = RowSchema.OPERATION.write(Json.object()
                .put("operationType", 0)
                .put("partitionKey", "[1]")
                .put("resourceBody", "{}".getBytes(StandardCharsets.UTF_8))
                .put("ifMatch", "etag"));
        // before the type, number and length of the last column
        int sparse = row.length - 3 - "etag".length();

        for (int length = 0; length < row.length; length++) {
            var body = RecordIo.write(List.of(Arrays.copyOf(row, length)));
            if (length == sparse) {
                assertThat(HybridRow.readOperations(body)).hasSize(1);
            } else {
                assertRefused(body, "invalid HybridRow");
            }
        }
    }

    @Test
    void a_document_that_is_nested_too_deep_is_refused() {
        var binary = new byte[1_000];
        Arrays.fill(binary, (byte) 0xE1);
        binary[0] = (byte) 0x80;

        assertRefused(withDocument("[".repeat(100_000).getBytes(StandardCharsets.UTF_8)), "nesting depth");
        assertRefused(withDocument(binary), "nested deeper than 256");
    }

    @Test
    void damaged_bytes_are_operations_or_refused() {
        var random = new Random(2);
        for (int i = 0; i < CASES; i++) {
            var body =
                    RandomRows.damaged(random, HybridRow.writeRows(RowSchema.OPERATION, RandomRows.operations(random)));
            body[0] = (byte) 0x81;

            readOrRefused(body);
        }
    }

    @Test
    void damaged_rows_behind_a_right_checksum_are_operations_or_refused() {
        var random = new Random(3);
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            var rows = new ArrayList<byte[]>();
            for (var operation : RandomRows.operations(random)) {
                rows.add(RandomRows.damaged(random, RowSchema.OPERATION.write((ObjectNode) operation)));
            }
            read += readOrRefused(RecordIo.write(rows)) ? 1 : 0;
        }
        assertThat(read).as("some damage is only to values").isBetween(CASES / 100, CASES * 99 / 100);
    }

    private static void assertRefused(byte[] body, String fault) {
        assertThatThrownBy(() -> HybridRow.readOperations(body))
                .hasMessageContaining(fault)
                .asInstanceOf(type(StatusException.class))
                .returns(400, StatusException::status);
    }

    private static boolean readOrRefused(byte[] body) {
        try {
            assertThat(HybridRow.readOperations(body)).isNotNull();
            return true;
        } catch (StatusException refused) {
            assertThat(refused.status()).isEqualTo(400);
            return false;
        }
    }

    private static byte[] withDocument(byte[] document) {
        var row = Json.object().put("operationType", 0).put("resourceBody", document);
        return HybridRow.writeRows(RowSchema.OPERATION, Json.nodes().arrayNode().add(row));
    }
}
