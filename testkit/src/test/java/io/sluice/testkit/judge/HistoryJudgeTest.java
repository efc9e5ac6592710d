package io.sluice.testkit.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.judge.Finding.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Two histories as they are published, then spoiled: the judge finds each fault. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryJudgeTest {
    private static final List<JudgedEvent> STORED =
            List.of(event("a", 1, 1), event("a", 1, 2), event("a", 1, 3), event("a", 2, 1), event("b::c", 1, 1));

    private final List<Message> topic =
            new ArrayList<>(STORED.stream().map(stored -> message(0, stored)).toList());

    private record Message(int partition, String key, String id, JudgedEvent event) {}

    private static JudgedEvent event(String instance, long execution, long number) {
        return new JudgedEvent(instance, execution, number, 1_000 + number, "{\"n\":" + number + "}");
    }

    private static Message message(int partition, JudgedEvent event) {
        return new Message(partition, event.instance(), event.id(), event);
    }

    private List<Finding> findings() {
        var judge = new HistoryJudge();
        topic.forEach(each -> judge.take(each.partition(), each.key(), each.id(), each.event()));
        STORED.forEach(event -> judge.expect(event, "stored"));
        judge.expectNothingElse();
        return judge.findings();
    }

    @Test
    void a_faithful_topic_has_no_finding() {
        assertThat(findings()).isEmpty();
    }

    @Test
    void a_lost_event_is_found_by_the_gap_and_by_the_store() {
        topic.remove(1);

        assertThat(findings())
                .containsExactly(
                        new Finding(Kind.LOST, "events before a:1:3:1003"),
                        new Finding(Kind.LOST, "stored event a:1:2:1002"));
    }

    @Test
    void a_lost_last_event_is_found_by_the_store() {
        topic.remove(4);

        assertThat(findings()).containsExactly(new Finding(Kind.LOST, "stored event b::c:1:1:1001"));
    }

    @Test
    void a_second_copy_is_found() {
        topic.add(topic.get(0));

        assertThat(findings()).containsExactly(new Finding(Kind.DUPLICATE, "event a:1:1:1001"));
    }

    @Test
    void events_that_changed_places_are_found() {
        Collections.swap(topic, 1, 2);

        assertThat(findings()).contains(new Finding(Kind.OUT_OF_ORDER, "event a:1:2:1002 behind a:1:3:1003"));
    }

    @Test
    void an_execution_before_the_end_of_the_one_before_is_found() {
        Collections.swap(topic, 2, 3);

        assertThat(findings()).extracting(Finding::kind).contains(Kind.OUT_OF_ORDER);
    }

    @Test
    void an_instance_in_two_partitions_is_found() {
        topic.set(3, message(1, topic.get(3).event()));

        assertThat(findings()).extracting(Finding::kind).containsExactly(Kind.OUT_OF_ORDER);
    }

    @Test
    void a_changed_content_is_found() {
        topic.set(0, message(0, new JudgedEvent("a", 1, 1, 1_001, "{\"n\":2}")));

        assertThat(findings()).containsExactly(new Finding(Kind.ALTERED, "stored event a:1:1:1001"));
    }

    @Test
    void another_instances_event_and_another_id_are_found() {
        var first = topic.get(0);
        topic.set(0, new Message(0, "b::c", first.id(), first.event()));
        topic.set(4, new Message(0, "b::c", "a:1:3:1003", topic.get(4).event()));

        assertThat(findings())
                .filteredOn(finding -> finding.kind() == Kind.ALTERED)
                .hasSize(2);
    }

    @Test
    void an_event_that_nobody_stored_is_found() {
        topic.add(message(0, event("ghost", 1, 1)));

        assertThat(findings()).containsExactly(new Finding(Kind.UNEXPECTED, "event ghost:1:1:1001"));
    }
}
