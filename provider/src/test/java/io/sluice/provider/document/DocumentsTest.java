package io.sluice.provider.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.InstanceExt;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocumentsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static List<Arguments> vectors() throws IOException {
        try (InputStream in = DocumentsTest.class.getResourceAsStream("/vectors/documents.json")) {
            List<Arguments> vectors = new ArrayList<>();
            for (JsonNode vector : MAPPER.readTree(Objects.requireNonNull(in))) {
                vectors.add(Arguments.of(
                        vector.get("name").asText(), vector.get("rust_string").asText()));
            }
            return vectors;
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("vectors")
    void a_document_of_another_writer_comes_back_byte_for_byte(String name, String text) {
        ObjectNode json = DocumentJson.parse(text);

        ObjectNode written = roundTrip(json);

        assertThat(DocumentJson.write(written))
                .as("other writers of the store read it")
                .isEqualTo(text);
    }

    private static ObjectNode roundTrip(ObjectNode json) {
        String type = json.path("type").asText();
        return switch (type) {
            case "instance" -> InstanceDocument.fromJson(json).toJson();
            case "history" -> HistoryDocument.fromJson(json).toJson();
            case "orch_queue", "worker_queue" -> QueueDocument.fromJson(json).toJson();
            case "outbox_intent" -> IntentDocument.fromJson(json).toJson();
            case "kv" -> KeyValueDocument.fromJson(json).toJson();
            case "kv_delta" -> KeyValueDeltaDocument.fromJson(json).toJson();
            case "session" -> SessionDocument.fromJson(json).toJson();
            default -> throw new AssertionError("no document type " + type);
        };
    }

    @Test
    void a_missing_optional_field_reads_like_null() {
        ObjectNode json = InstanceDocument.skeleton("i", "n", "v", 5).toJson();
        json.remove(List.of("lockToken", "lockedUntil", "output", "customStatus"));

        assertThat(InstanceDocument.fromJson(json)).isEqualTo(InstanceDocument.skeleton("i", "n", "v", 5));
    }

    @Test
    void a_started_instance_has_the_fields_of_any_other_and_what_is_kept_along_behind_them() {
        ObjectNode plain = InstanceDocument.skeleton("i", "n", "v", 5).toJson();
        InstanceExt ext = new InstanceExt("{\"status\":\"PENDING\",\"tags\":{\"a\":1}}");

        ObjectNode started = InstanceDocument.started("i", "n", "v", null, 5).toJson();
        InstanceDocument kept = InstanceDocument.started("i", "n", "v", ext, 5);

        assertThat(names(started)).as("what another writer reads").isEqualTo(names(plain));
        assertThat(started.path("lockedUntil").longValue())
                .as("a lock that lapsed")
                .isZero();
        assertThat(InstanceDocument.fromJson(started).isSurelyAcked()).isFalse();
        assertThat(names(kept.toJson()))
                .startsWith(names(plain).toArray(String[]::new))
                .endsWith("ext");
        assertThat(InstanceDocument.fromJson(DocumentJson.parse(DocumentJson.write(kept.toJson()))))
                .isEqualTo(kept);
    }

    @Test
    void what_is_kept_along_goes_through_every_change_of_the_lock() {
        InstanceExt ext = new InstanceExt("{\"a\":1}");
        InstanceDocument kept = InstanceDocument.skeleton("i", "n", "v", 5).withExt(ext);

        assertThat(List.of(kept.locked("t", 9, 6), kept.unlocked(6), kept.givenBack(6), kept.named("m", "w")))
                .extracting(InstanceDocument::ext)
                .containsOnly(ext);
        assertThat(DocumentJson.isSurelyWithin(kept.toJson(), DocumentJson.sizeBytes(kept.toJson()) - 1))
                .isFalse();
    }

    @Test
    void what_is_kept_along_and_no_object_is_a_malformed_document() {
        ObjectNode json = InstanceDocument.skeleton("i", "n", "v", 5).toJson().put("ext", "text");

        assertThatThrownBy(() -> InstanceDocument.fromJson(json))
                .isInstanceOf(MalformedDocumentException.class)
                .hasMessageContaining("ext");
        assertThat(InstanceDocument.fromJson(json.putNull("ext")).ext()).isNull();
    }

    private static List<String> names(ObjectNode json) {
        List<String> names = new ArrayList<>();
        json.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void a_receipt_carries_a_schema_version_and_expires_after_seven_days() {
        ObjectNode json = ReceiptDocument.delivered("receipt:k", "i", 7, 6L).toJson();

        assertThat(json.path("schemaVersion").asInt()).isEqualTo(1);
        assertThat(json.path("ttl").asInt()).isEqualTo(604_800);
        assertThat(ReceiptDocument.fromJson(json)).isEqualTo(ReceiptDocument.delivered("receipt:k", "i", 7, 6L));
    }
}
