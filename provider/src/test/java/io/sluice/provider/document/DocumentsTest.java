package io.sluice.provider.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
    void a_receipt_carries_a_schema_version_and_expires_after_seven_days() {
        ObjectNode json = ReceiptDocument.delivered("receipt:k", "i", 7, 6L).toJson();

        assertThat(json.path("schemaVersion").asInt()).isEqualTo(1);
        assertThat(json.path("ttl").asInt()).isEqualTo(604_800);
        assertThat(ReceiptDocument.fromJson(json)).isEqualTo(ReceiptDocument.delivered("receipt:k", "i", 7, 6L));
    }
}
