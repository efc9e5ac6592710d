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
    void isReadAsItWasWritten() {
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

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
