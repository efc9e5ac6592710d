package io.sluice.relay.dispatch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.Pulse;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.relay.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Announcements of every form. */
public final class DispatchExamples {
    private static final long NOW = 1_767_225_600_000L;
    private static final WorkStore STORE =
            new WorkStore("example.documents.azure.com", "sluice", "orders", "Q2hhAJv3aLk=");
    private static final String TOKEN = "0:-1#5012";
    private static final AnnouncementRecords RECORDS = new AnnouncementRecords(new Topics("sluice"));

    private DispatchExamples() {}

    /** Of a message, of a start, and of nothing but the instance. */
    public static List<ProducerRecord<byte[], byte[]>> turns() {
        var message = document("orch_queue").put("id", "0001767225600000-0000-order-17");
        message.put("workItem", "{\"ExternalRaised\":{\"instance\":\"order-17\"}}");
        var start = document("orch_queue").put("id", "0001767225600000-0000-order-17");
        start.put(
                "workItem",
                "{\"StartOrchestration\":{\"instance\":\"order-17\",\"orchestration\":\"Order\",\"input\":\"{}\",\"version\":\"1.0.0\"}}");
        var records = new ArrayList<>(announced(message));
        records.addAll(announced(start));
        records.addAll(RECORDS.checks(List.of("order-17")));
        return records;
    }

    private static List<ProducerRecord<byte[], byte[]>> announced(ObjectNode message) {
        return RECORDS.turns(
                FoundWork.in(List.of(message)).messagesBefore(NOW, NOW),
                new AnnouncementRecords.Extent(NOW + 42_000, TOKEN));
    }

    /** Of an activity with all that one can have. */
    public static List<ProducerRecord<byte[], byte[]>> activities() {
        var activity = document("worker_queue").put("id", "0001767225600000-0001-order-17");
        activity.put("workItem", "{\"ActivityExecute\":{\"instance\":\"order-17\"}}")
                .put("executionId", 1)
                .put("activityId", 4)
                .put("sessionId", "printer-3")
                .put("tag", "gpu")
                .put("lockedUntil", NOW - 10);
        return RECORDS.activities(FoundWork.in(List.of(activity), TOKEN).activitiesDue(NOW), NOW + 42_000);
    }

    /** As a runtime asks for help with a message. */
    public static List<ProducerRecord<byte[], byte[]>> help() {
        return turns().stream()
                .limit(1)
                .map(told -> Announcement.fromJson(told.value()))
                .map(told -> Announcement.of(told.instanceId(), 0, told.documents()))
                .map(asked -> new ProducerRecord<>(
                        "sluice.work.help", asked.instanceId().getBytes(StandardCharsets.UTF_8), asked.toJson()))
                .toList();
    }

    /** Of one range. */
    public static List<ProducerRecord<byte[], byte[]>> pulses() {
        return List.of(RECORDS.pulse(Pulse.of(STORE, "30000000000000000000000000000000", "FF", NOW, 0, NOW + 42_000)));
    }

    private static ObjectNode document(String type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("instanceId", "order-17")
                .put("type", type)
                .put("visibleAt", NOW - 20)
                .put("enqueuedAt", NOW - 20)
                .put("attemptCount", 0)
                .put("_etag", "\"0000d826-0000-0d00-0000-67a1b2c30000\"");
    }
}
