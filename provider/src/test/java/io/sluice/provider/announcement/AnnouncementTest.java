package io.sluice.provider.announcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementTest {
    private static final String ITEM = "{\"StartOrchestration\":{\"input\":\"a secret\"}}";

    @Test
    void itsJsonIsTheContractWithRuntimes() {
        Announcement announcement = Announcement.of("order-1", 1_700L, List.of(AnnouncedDocument.of(message())));

        assertThat(text(announcement.toJson()))
                .isEqualTo("{\"version\":1,\"instanceId\":\"order-1\",\"horizon\":1700,\"documents\":[{\"id\":\"m1\","
                        + "\"kind\":\"StartOrchestration\",\"workItemLength\":" + ITEM.length()
                        + ",\"visibleAt\":20,\"enqueuedAt\":10,\"attemptCount\":2,\"etag\":\"\\\"7\\\"\"}]}");
        assertThat(text(Announcement.check("order-1").toJson()))
                .isEqualTo("{\"version\":1,\"instanceId\":\"order-1\"}");
    }

    @Test
    void aStartSaysWhatItBeginsAndNothingElseOfItsContent() {
        assertThat(text(Announcement.of("order-1", 0, List.of(started("\"A\"", "\"1.0\"")))
                        .toJson()))
                .endsWith("\"etag\":\"\\\"7\\\"\",\"orchestration\":{\"name\":\"A\",\"version\":\"1.0\"}}]}");
        assertThat(started("\"A\"", "null").orchestration())
                .as("one that was started without a version")
                .isEqualTo(new AnnouncedOrchestration("A", ""));
    }

    @Test
    void theNextExecutionSaysWhatItBegins() {
        String item = "{\"ContinueAsNew\":{\"instance\":\"i\",\"orchestration\":\"B\",\"input\":\"\",\"version\":\"2\","
                + "\"carry_forward_events\":[]}}";

        assertThat(AnnouncedDocument.of(message().put("workItem", item)).orchestration())
                .isEqualTo(new AnnouncedOrchestration("B", "2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"\"", "\"\\ud800\""})
    void whatCantBeAnnouncedOfAStartIsLeftOut(String name) {
        assertThat(started(name, "\"1\"").orchestration()).isNull();
    }

    @Test
    void whatIsTooLongIsLeftOut() {
        String most = "\"" + "x".repeat(1_023) + "\"";
        String tooLong = "\"" + "x".repeat(1_024) + "\"";

        assertThat(started(most, most).orchestration()).isNotNull();
        assertThat(started(tooLong, "\"1\"").orchestration()).isNull();
        assertThat(started("\"A\"", tooLong).orchestration()).isNull();
    }

    @Test
    void noMessageButAStartBeginsAnything() {
        String named = "{\"orchestration\":\"A\",\"version\":\"1\"}}";

        assertThat(AnnouncedDocument.of(message().put("workItem", "{\"ExternalRaised\":" + named))
                        .orchestration())
                .isNull();
        assertThat(AnnouncedDocument.of(message()
                                .put("type", "worker_queue")
                                .put("workItem", "{\"StartOrchestration\":" + named)
                                .put("executionId", 1)
                                .put("activityId", 1))
                        .orchestration())
                .isNull();
    }

    @Test
    void aQueryThatCutsTheWorkItemSaysNothingOfWhatBegins() {
        ObjectNode row = message()
                .put("workItem", startItem("\"A\"", "\"1\"").substring(0, 43))
                .put(AnnouncedDocument.WORK_ITEM_LENGTH, 2_000);

        assertThat(AnnouncedDocument.of(row).orchestration()).isNull();
        assertThat(AnnouncedDocument.of(row).isStart()).isTrue();
    }

    @Test
    void anEarlierWriterSaysNothingOfWhatBegins() {
        Announcement read = Announcement.fromJson(
                bytes(
                        "{\"version\":1,\"instanceId\":\"a\",\"documents\":[{\"id\":\"m\",\"kind\":\"StartOrchestration\",\"etag\":\"e\"}]}"));

        assertThat(read.documents().get(0).orchestration()).isNull();
        assertThat(read.documents().get(0).isStart()).isTrue();
    }

    @Test
    void aVersionThatIsNotSaidIsNotKnown() {
        Announcement read = Announcement.fromJson(begins("{\"name\":\"A\",\"more\":1}"));

        assertThat(read.documents().get(0).orchestration()).isEqualTo(new AnnouncedOrchestration("A", null));
        assertThat(text(read.toJson())).contains("\"orchestration\":{\"name\":\"A\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"A\"| documents.[0].orchestration: not of the type",
                "{}| documents.[0]: orchestration.name is required",
                "{\"name\":\"\"}| documents.[0]: orchestration.name is required",
                "{\"name\":\"\\ud83d\"}| documents.[0]: orchestration.name has half a surrogate pair",
                "{\"name\":\"A\",\"version\":\"\\udc00\"}| documents.[0]: orchestration.version has half",
            })
    void whatNoStartCanBeginIsRefusedByName(String orchestration, String why) {
        assertThatThrownBy(() -> Announcement.fromJson(begins(orchestration)))
                .isInstanceOf(MalformedAnnouncementException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "version"})
    void whatIsTooLongIsRefusedByNameWithoutShowingIt(String field) {
        ObjectNode orchestration = JsonNodeFactory.instance.objectNode().put("name", "A");
        orchestration.put(field, "x".repeat(1_024));

        assertThatThrownBy(() -> Announcement.fromJson(begins(orchestration.toString())))
                .isInstanceOf(MalformedAnnouncementException.class)
                .hasMessageContaining("documents.[0]: orchestration." + field + " has 1024 characters")
                .hasMessageNotContaining("xxx");
    }

    @Test
    void isReadAsItWasWritten() {
        Announcement start = Announcement.of("order-1", 1_700L, List.of(started("\"A\"", "\"1\"")));
        assertThat(Announcement.fromJson(start.toJson())).isEqualTo(start);

        Announcement announcement = Announcement.of("order-1", 1_700L, List.of(AnnouncedDocument.of(message())));

        assertThat(Announcement.fromJson(announcement.toJson())).isEqualTo(announcement);
        assertThat(Announcement.fromJson(Announcement.check("ö/1").toJson())).isEqualTo(Announcement.check("ö/1"));
    }

    @Test
    void aLaterVersionSaysLook() {
        Announcement read = Announcement.fromJson(
                bytes(
                        "{\"version\":2,\"instanceId\":\"a\",\"horizon\":5,\"more\":{},\"documents\":[{\"id\":\"m\",\"etag\":\"e\"}]}"));

        assertThat(read.isCheck()).isTrue();
        assertThat(read.horizon()).isZero();
    }

    @Test
    void becomesTheDocumentWithoutItsPayload() {
        QueueDocument document = AnnouncedDocument.of(message())
                .toQueueDocument(WorkQueue.TURNS, "order-1")
                .document();

        assertThat(document.type()).isEqualTo(DocumentType.ORCHESTRATOR_QUEUE);
        assertThat(document.workItem()).isEqualTo("{\"StartOrchestration\"");
        assertThat(document.enqueuedAt()).isEqualTo(10);
        assertThat(document.attemptCount()).isEqualTo(2);
    }

    @Test
    void isDueWhenItIsVisibleAndItsLockHasExpired() {
        assertThat(AnnouncedDocument.of(message()).dueAt()).isEqualTo(20);
        assertThat(AnnouncedDocument.of(message().put("lockedUntil", 30)).dueAt())
                .isEqualTo(30);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{| well-formed",
                "null| found null",
                "[]| not of the type",
                "{\"version\":1,\"instanceId\":\"a\\ud800\"}| instanceId has half a surrogate pair at character 1",
                "{\"version\":1,\"instanceId\":\"\\udc00\\ud83d\"}| instanceId has half a surrogate pair at character 0",
                "{\"version\":1,\"instanceId\":\"a\",\"documents\":[{\"id\":\"\\ud83d\",\"etag\":\"e\"}]}| documents.[0]: id has half",
                "{\"version\":1,\"instanceId\":\"a\",\"documents\":[{\"id\":\"i\",\"etag\":\"e\",\"tag\":\"\\ud83d\"}]}| tag has half",
                "{\"version\":1}| instanceId is required",
                "{\"version\":2,\"instanceId\":\"\"}| instanceId is required",
                "{\"version\":2,\"instanceId\":\"\\ud83d\"}| instanceId has half a surrogate pair",
                "{\"version\":2,\"instanceId\":\"a\",\"documents\":7| documents: not of the type",
                "{\"version\":2,\"instanceId\":\"a\"}7| not of the type",
                "{\"version\":0,\"instanceId\":\"a\",\"documents\":7}| documents: not of the type",
                "{\"version\":\"1\",\"instanceId\":\"a\"}| version: not of the type",
                "{\"version\":1,\"instanceId\":\"a\",\"documents\":[{\"etag\":\"e\"}]}| documents.[0]: id is required",
                "{\"version\":1,\"instanceId\":\"a\",\"documents\":[{\"id\":\"a\"}]}| documents.[0]: etag is required",
            })
    void whatIsNoneIsRefusedByName(String json, String why) {
        assertThatThrownBy(() -> Announcement.fromJson(bytes(json)))
                .isInstanceOf(MalformedAnnouncementException.class)
                .hasMessageContaining(why);
    }

    @Test
    void bytesInAnEncodingThatJsonDoesNotHaveAreRefused() {
        List<byte[]> odd = List.of(
                new byte[] {0, '{', 0, 0, 0, '}', 0, 0},
                new byte[] {0, 0, '{', 0, 0, 0, '}', 0},
                new byte[] {0, 0, 0, '{', 0x7f, 0x7f, 0x7f, 0x7f},
                new byte[] {(byte) 0xff, (byte) 0xfe, '{', 0, '}'});

        assertThat(odd)
                .allSatisfy(json -> assertThatThrownBy(() -> Announcement.fromJson(json))
                        .isInstanceOf(MalformedAnnouncementException.class));
    }

    @Test
    void anIdBeyondTheLimitIsRefusedWithoutShowingIt() {
        String id = "x".repeat(1_024);

        assertThatThrownBy(() -> Announcement.fromJson(bytes("{\"version\":1,\"instanceId\":\"" + id + "\"}")))
                .isInstanceOf(MalformedAnnouncementException.class)
                .hasMessageContaining("instanceId has 1024 characters, the limit is 1023")
                .hasMessageNotContaining("xxx");
    }

    private static ObjectNode message() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "m1")
                .put("instanceId", "order-1")
                .put("type", "orch_queue")
                .put("workItem", ITEM)
                .put("visibleAt", 20)
                .put("enqueuedAt", 10)
                .put("attemptCount", 2)
                .put("_etag", "\"7\"");
    }

    private static byte[] begins(String orchestration) {
        return bytes(
                "{\"version\":1,\"instanceId\":\"a\",\"documents\":[{\"id\":\"m\",\"etag\":\"e\",\"orchestration\":"
                        + orchestration + "}]}");
    }

    /** @param name as JSON, like the version */
    private static AnnouncedDocument started(String name, String version) {
        return AnnouncedDocument.of(message().put("workItem", startItem(name, version)));
    }

    private static String startItem(String name, String version) {
        return "{\"StartOrchestration\":{\"instance\":\"order-1\",\"orchestration\":" + name
                + ",\"input\":\"a secret\",\"version\":" + version + ",\"execution_id\":1}}";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
