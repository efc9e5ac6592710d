package io.sluice.provider.document;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.TraceContext;
import io.sluice.provider.json.Vector;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents that anybody with the right to write may leave behind: each is read, or malformed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocumentsFuzzTest {
    private static final String TOKEN = "0f0e0d0c-0b0a-4908-8706-050403020100";
    private static final TraceContext TRACE =
            new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "vendor=1");

    /** A kind of document, how it is read and written, and examples beside those of the vectors. */
    private record Kind(String name, Function<JsonNode, ObjectNode> rewrite, List<ObjectNode> own) {
        Kind(String name, Function<JsonNode, ObjectNode> rewrite) {
            this(name, rewrite, List.of());
        }

        List<String> examples() {
            return Stream.concat(
                            Vector.all("documents.json")
                                    .filter(vector -> vector.value("json")
                                            .path(Fields.TYPE)
                                            .asText()
                                            .equals(name))
                                    .map(vector -> vector.text("rust_string")),
                            own.stream().map(DocumentJson::write))
                    .toList();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("instance", json -> InstanceDocument.fromJson(json).toJson()),
                new Kind("history", json -> HistoryDocument.fromJson(json).toJson()),
                new Kind("orch_queue", json -> QueueDocument.fromJson(json).toJson()),
                new Kind("worker_queue", json -> QueueDocument.fromJson(json).toJson()),
                new Kind("session", json -> SessionDocument.fromJson(json).toJson()),
                new Kind("kv", json -> KeyValueDocument.fromJson(json).toJson()),
                new Kind(
                        "kv_delta", json -> KeyValueDeltaDocument.fromJson(json).toJson()),
                new Kind("outbox_intent", json -> IntentDocument.fromJson(json).toJson(), List.of(intent())),
                new Kind("receipt", json -> ReceiptDocument.fromJson(json).toJson(), receipts()),
                new Kind("purge", json -> PurgeDocument.fromJson(json).toJson(), List.of(purge())),
                new Kind("deletion", json -> DeletionDocument.fromJson(json).toJson(), deletions()),
                new Kind("staged try", json -> StagedTry.fromJson(json).toJson(), List.of(stagedTry())),
                new Kind("staged part", json -> StagedPart.fromJson(json).toJson(), List.of(stagedPart())),
                new Kind("staged commit", json -> StagedCommit.fromJson(json).toJson(), List.of(stagedCommit())));
    }

    private static ObjectNode intent() {
        return new IntentDocument(
                        "parent",
                        "parent:1:0123456789abcdef.000001",
                        "child",
                        "orch_queue",
                        "{}",
                        IntentStatus.QUEUED,
                        5,
                        1,
                        6L,
                        7L,
                        new Dispatch("call-7", 1L, "item", 8L, TRACE))
                .toJson();
    }

    private static List<ObjectNode> receipts() {
        return List.of(
                ReceiptDocument.delivered("receipt:k", "child", 5, 6L)
                        .ofIntent(1, Map.of("x-tpf-retry-attempt", "1"))
                        .toJson(),
                ReceiptDocument.refused("receipt:k", "child", 5, "too old").toJson());
    }

    private static ObjectNode purge() {
        return new PurgeDocument("order-1", "purge:order-1:" + TOKEN, true, 5).toJson();
    }

    private static List<ObjectNode> deletions() {
        return Stream.of(DeletionDocument.State.values())
                .map(state -> new DeletionDocument(TOKEN, "root", state, List.of("leaf", "root"), 5, true).toJson())
                .toList();
    }

    private static ObjectNode stagedTry() {
        return new StagedTry("order-1", TOKEN, "token", 3).toJson();
    }

    private static ObjectNode stagedPart() {
        var operations = JsonNodeFactory.instance.arrayNode();
        operations.addObject().put("delete", "id-1");
        operations.addObject().putObject("create").put("id", "id-2");
        return new StagedPart("order-1", TOKEN, 1, operations).toJson();
    }

    private static ObjectNode stagedCommit() {
        return new StagedCommit("order-1", "token", TOKEN, 3, 1, "wake-up", 5).toJson();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void a_damaged_document_is_malformed_or_read_consistently(Kind kind) {
        Fuzz.of(kind.name(), kind.examples())
                .refusedBy(MalformedDocumentException.class)
                .runs(1_000)
                .rewritten(text -> DocumentJson.write(kind.rewrite().apply(DocumentJson.parse(text))));
    }

    @Test
    void a_deletion_whose_id_is_none_of_ours_is_malformed() {
        var strange = deletions().get(0).put(Fields.ID, "d");

        assertThatThrownBy(() -> DeletionDocument.fromJson(strange))
                .isInstanceOf(MalformedDocumentException.class)
                .hasMessageContaining("'d'");
    }

    @Test
    void numbers_that_no_long_holds_are_malformed() {
        for (var number : List.of("18446744073709551616", "-9223372036854775809", "1e999")) {
            var text = DocumentJson.write(stagedCommit()).replace("\"updatedAt\":5", "\"updatedAt\":" + number);

            assertThatThrownBy(() -> StagedCommit.fromJson(DocumentJson.parse(text)))
                    .isInstanceOf(MalformedDocumentException.class)
                    .hasMessageContaining("updatedAt");
        }
    }

    @Test
    void what_is_no_json_is_told_by_its_place_and_not_by_its_text() {
        assertThatThrownBy(() -> DocumentJson.parse("{\"id\":secret}"))
                .isInstanceOf(MalformedDocumentException.class)
                .hasMessage("not JSON: line 1, column 7")
                .hasNoCause();
    }
}
