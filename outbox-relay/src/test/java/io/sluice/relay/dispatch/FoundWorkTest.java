package io.sluice.relay.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.AnnouncedOrchestration;
import io.sluice.provider.announcement.Announcement;
import io.sluice.relay.TestDocuments;
import io.sluice.relay.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FoundWorkTest {
    private static final long NOW = 1_000_000;
    private static final long UNTIL = NOW + 60_000;

    private static ObjectNode message(String instance, String id, long visibleAt) {
        return TestDocuments.message(instance, id, visibleAt).put("_etag", "\"1\"");
    }

    private static ObjectNode activity(String id, long visibleAt) {
        return TestDocuments.activity("order", id, visibleAt).put("_etag", "\"1\"");
    }

    private static List<String> ids(Map<String, List<AnnouncedDocument>> messages, String instance) {
        return messages.getOrDefault(instance, List.of()).stream()
                .map(AnnouncedDocument::id)
                .toList();
    }

    @Test
    void messages_of_an_instance_stay_together_in_the_order_of_the_feed() {
        var work = FoundWork.in(
                List.of(message("a", "2", NOW), message("b", "1", NOW), activity("x", NOW), message("a", "1", NOW)));

        var announced = work.messagesBefore(UNTIL, NOW);

        assertThat(ids(announced, "a")).containsExactly("2", "1");
        assertThat(ids(announced, "b")).containsExactly("1");
        assertThat(work.activitiesDue(NOW)).hasSize(1);
    }

    @Test
    void what_is_locked_or_too_far_is_left_to_a_look_ahead() {
        var work = FoundWork.in(List.of(
                message("a", "soon", UNTIL - 1),
                message("a", "far", UNTIL),
                message("a", "locked", NOW).put("lockedUntil", NOW + 1),
                message("a", "expired", NOW).put("lockedUntil", NOW),
                activity("soon", UNTIL - 1),
                activity("far", UNTIL),
                activity("locked", NOW).put("lockedUntil", NOW + 1)));

        assertThat(ids(work.messagesBefore(UNTIL, NOW), "a")).containsExactly("soon", "expired");
        assertThat(work.activitiesVisibleBefore(UNTIL, NOW))
                .extracting(FoundWork.Activity::id)
                .containsExactly("soon");
        assertThat(work.activitiesDue(NOW)).isEmpty();
    }

    @Test
    void a_start_says_what_it_begins_where_the_whole_work_item_is_at_hand() {
        var item =
                "{\"StartOrchestration\":{\"instance\":\"a\",\"orchestration\":\"Order\",\"input\":\"{}\",\"version\":\"2\"}}";
        var whole = message("a", "1", NOW).put("workItem", item);
        var row = message("a", "2", NOW)
                .put("workItem", item.substring(0, AnnouncedDocument.KIND_CHARACTERS))
                .put(AnnouncedDocument.WORK_ITEM_LENGTH, item.length());

        var work = FoundWork.in(List.of(whole, row, message("a", "3", NOW)));

        assertThat(work.messagesBefore(UNTIL, NOW).get("a"))
                .extracting(AnnouncedDocument::orchestration)
                .containsExactly(new AnnouncedOrchestration("Order", "2"), null, null);
    }

    @Test
    void an_id_that_no_announcement_can_say_is_left_out() {
        var work = FoundWork.in(List.of(message("a\uD83D", "1", NOW), message("a\uD83D\uDE00", "1", NOW)));

        assertThat(work.messages()).containsOnlyKeys("a\uD83D\uDE00");
    }

    @Test
    void malformed_documents_and_others_are_left_out() {
        List<JsonNode> documents = List.of(
                message("a", "1", NOW).put("visibleAt", "now"),
                message("", "2", NOW),
                message("a", "3", NOW).without("_etag"),
                message("a", "4", NOW).put("type", "history"));

        var work = FoundWork.in(documents);

        assertThat(work.messages()).isEmpty();
        assertThat(work.activities()).isEmpty();
    }

    @Test
    void many_messages_of_an_instance_are_several_records_in_order() {
        var many = IntStream.range(0, 1_200)
                .<JsonNode>mapToObj(i -> message("a", "message-" + i, NOW))
                .toList();

        var records = new AnnouncementRecords(new Topics("orders"))
                .turns(FoundWork.in(many).messagesBefore(UNTIL, NOW), new AnnouncementRecords.Extent(7, null));

        assertThat(records)
                .hasSizeGreaterThan(1)
                .allSatisfy(each -> assertThat(each.value()).hasSizeLessThanOrEqualTo(256 * 1024));
        assertThat(records.stream()
                        .map(each -> Announcement.fromJson(each.value()))
                        .flatMap(each -> each.documents().stream())
                        .map(AnnouncedDocument::id))
                .containsExactlyElementsOf(
                        IntStream.range(0, 1_200).mapToObj(i -> "message-" + i).toList());
    }
}
