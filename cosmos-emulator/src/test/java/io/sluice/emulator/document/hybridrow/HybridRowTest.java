package io.sluice.emulator.document.hybridrow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.binary.BinaryJson;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Batches byte by byte. The bytes were put together by hand from the rules of the format, their CRC-32 by Python's
 * zlib. Each rule was read in microsoft/HybridRow (RowBuffer, LayoutBuilder, StringTokenizer, RecordIOFormatter) and
 * compared with the data files of its tests.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HybridRowTest {
    private static final int CASES = 20_000;

    /** Version, schema 2147473648, bits, length. */
    private static final String SEGMENT = "81 F0D8FF7F 01 0A000000 ";

    /** Version and schema 2147473649; length and CRC-32 follow. */
    private static final String RECORD = "81 F1D8FF7F ";

    /** Version and schema 2145473648; bits, the type of operation and of resource follow. */
    private static final String OPERATION = "81 7054E17F ";

    private static final String DOCUMENT = "02000000 ";

    /** Version and schema 2145473649; bits, status and sub-status follow. */
    private static final String RESULT = "81 7154E17F ";

    private static final String CREATE =
            RECORD + "19000000 33017195 " + OPERATION + "43 00000000 " + DOCUMENT + "0A 7B226964223A2261227D";

    @Test
    void operations_are_read() throws Exception {
        var body = hex(SEGMENT
                + CREATE
                // a replacement of id2, if it matches theCondition, without a document in its result
                + (RECORD + "30000000 45AF31A7 " + OPERATION + "53 05000000 " + DOCUMENT + "03 696432")
                + "0C 7B226964223A22696432227D"
                + "14 09 0C 746865436F6E646974696F6E"
                + "03 0C"
                // a bulk operation of a partition key: reads é
                + (RECORD + "19000000 334EA701 " + OPERATION + "17 02000000 " + DOCUMENT)
                + "07 5B22706B31225D 02 C3A9");

        assertThat(HybridRow.isRows(body)).isTrue();
        assertThat(HybridRow.readOperations(body)).isEqualTo(Json.read("""
                [{"operationType":"Create","resourceType":2,"resourceBody":{"id":"a"}},
                 {"operationType":"Replace","resourceType":2,"id":"id2","resourceBody":{"id":"id2"},
                  "ifMatch":"theCondition","minimalReturnPreference":true},
                 {"operationType":"Read","resourceType":2,"partitionKey":"[\\"pk1\\"]","id":"é"}]"""));
    }

    @Test
    void results_are_written() throws Exception {
        var results = (ArrayNode) Json.read("""
                [{"statusCode":409,"requestCharge":1.5},
                 {"statusCode":200,"requestCharge":2.5,"eTag":"1234","resourceBody":{"a":1}},
                 {"statusCode":429,"subStatusCode":3200,"requestCharge":0.0,"retryAfterMilliseconds":4294967294}]""");

        assertThat(HybridRow.writeResults(results))
                .isEqualTo(hex(SEGMENT
                        + (RECORD + "18000000 53D34EA6 " + RESULT + "01 99010000 00000000")
                        + "10 06 000000000000F83F"
                        + (RECORD + "25000000 B80B13C9 " + RESULT + "0D C8000000 00000000")
                        + "04 31323334 07 7B2261223A317D 10 06 0000000000000440"
                        + (RECORD + "1E000000 93838D98 " + RESULT + "03 AD010000 800C0000")
                        + "0B 05 FEFFFFFF 10 06 0000000000000000"));
    }

    @ParameterizedTest
    @CsvSource({"0, Create", "1, Patch", "2, Read", "4, Delete", "5, Replace", "20, Upsert", "3, 3", "-1, -1"})
    void types_of_operations_have_the_numbers_of_the_sdk(int number, String name) {
        var row = Json.object().put("operationType", number);

        assertThat(HybridRow.readOperations(operation(row))
                        .get(0)
                        .path("operationType")
                        .asText())
                .isEqualTo(name);
    }

    @Test
    void fields_that_only_front_ends_send_are_read_over() {
        var row = Json.object()
                .put("operationType", 2)
                .put("effectivePartitionKey", new byte[] {1, 2})
                .put("id", "i")
                .put("binaryId", new byte[] {3})
                .put("indexingDirective", "Exclude")
                .put("ifNoneMatch", "*")
                .put("timeToLiveInSeconds", -1)
                .put("minimalReturnPreference", false);

        assertThat(HybridRow.readOperations(operation(row)).get(0))
                .isEqualTo(row.deepCopy().put("operationType", "Read"));
    }

    @Test
    void a_document_may_be_binary_json() {
        var document = Json.object().put("id", "b").put("n", 1);
        var row = Json.object().put("operationType", 0).put("resourceBody", BinaryJson.write(document));

        assertThat(HybridRow.readOperations(operation(row)).get(0).path("resourceBody"))
                .isEqualTo(document);
    }

    @Test
    void a_segment_may_have_a_comment_and_another_follow() {
        var commented = "81 F0D8FF7F 01 0E000000 14 02 01 21 ";

        assertThat(HybridRow.readOperations(hex(commented + CREATE + SEGMENT + commented + CREATE)))
                .hasSize(2);
    }

    @Test
    void a_segment_may_be_empty() {
        assertThat(HybridRow.readOperations(hex(SEGMENT))).isEmpty();
    }

    @Test
    void rows_are_the_same_after_they_were_written_and_read() {
        var random = new Random(1);
        for (int i = 0; i < CASES; i++) {
            var operations = RandomRows.operations(random);
            var results = RandomRows.results(random);

            assertThat(HybridRow.readRows(RowSchema.OPERATION, HybridRow.writeRows(RowSchema.OPERATION, operations)))
                    .isEqualTo(operations);
            assertThat(HybridRow.readRows(RowSchema.RESULT, HybridRow.writeRows(RowSchema.RESULT, results)))
                    .isEqualTo(results);
        }
    }

    @Test
    void text_and_binary_json_are_no_rows() {
        assertThat(HybridRow.isRows(new byte[0])).isFalse();
        assertThat(HybridRow.isRows("[]".getBytes(StandardCharsets.UTF_8))).isFalse();
        assertThat(HybridRow.isRows(BinaryJson.write(Json.object()))).isFalse();
    }

    private static byte[] operation(ObjectNode row) {
        return HybridRow.writeRows(RowSchema.OPERATION, Json.nodes().arrayNode().add(row));
    }

    static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes.replace(" ", ""));
    }
}
