package io.sluice.relay.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Events that expired before they were read: the states say so, and nobody is called stuck for them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryGapsTest extends TopologyFixture {
    private static final TopicPartition PARTITION = new TopicPartition(TOPICS.history(), 0);
    private static final Duration QUIET = Duration.ofMinutes(2);
    private static final Duration LONG = STUCK_AFTER.multipliedBy(2);

    @Test
    void a_life_that_was_read_from_its_beginning_is_complete() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 1, scheduled());
        event("o-1", 1, 3, 2, new EventKind.OrchestrationContinuedAsNew("{}"));
        event("o-1", 2, 1, 3, started("Order", null));
        event("o-1", 2, 2, 4, new EventKind.OrchestrationCompleted("done"));

        assertThat(lastStatus("o-1").incomplete()).isNull();
    }

    @Test
    void a_life_whose_beginning_is_missing_says_so_and_is_not_called_stuck() {
        event("o-1", 1, 7, 0, new EventKind.ActivityCompleted("paid"), 3);

        assertThat(lastStatus("o-1")).satisfies(state -> {
            assertThat(state.state()).isEqualTo(State.RUNNING);
            assertThat(state.incomplete()).isTrue();
        });
        driver.advanceWallClockTime(LONG);
        assertThat(stuck.isEmpty())
                .as("it may sleep by a timer that nobody read")
                .isTrue();

        event("o-1", 1, 8, 1, new EventKind.OrchestrationContinuedAsNew("{}"));
        event("o-1", 2, 1, 2, started("Order", null));

        assertThat(lastStatus("o-1").incomplete())
                .as("a first execution is missing")
                .isTrue();
        driver.advanceWallClockTime(LONG);
        assertThat(stuck.readRecord().key())
                .as("all of this execution is known")
                .isEqualTo("o-1");
    }

    @Test
    void events_that_are_missing_in_between_are_seen_by_their_ids() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 5, 1, new EventKind.ActivityCompleted("paid"), 2);
        event("o-2", 1, 1, 0, started("Order", null));
        event("o-2", 2, 1, 1, started("Order", null));

        assertThat(states()).containsEntry("o-1", "RUNNING incomplete").containsEntry("o-2", "RUNNING incomplete");
        driver.advanceWallClockTime(LONG);
        assertThat(stuck.readKeyValuesToMap()).containsOnlyKeys("o-2");

        event("o-1", 1, 6, 2, new EventKind.OrchestrationCompleted("done"));

        assertThat(states()).containsEntry("o-1", "COMPLETED incomplete");
    }

    @Test
    void what_comes_again_and_the_failure_behind_an_unreadable_history_are_no_gap() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 1, scheduled());
        event("o-1", 1, 3, 2, new EventKind.ActivityCompleted("paid"), 2);
        event("o-1", 1, 2, 1, scheduled());
        event("o-1", 1, 4, 3, scheduled());
        event("o-1", 1, 99_999, 4, new EventKind.OrchestrationFailed(failure("history can't be read")));

        assertThat(states()).containsEntry("o-1", "FAILED");
    }

    @Test
    void what_ran_before_a_jump_is_unknown_and_what_was_heard_of_since_is_not() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-2", 1, 1, 0, started("Order", null));
        event("o-3", 1, 1, 0, started("Order", null));
        event("o-4", 1, 1, 0, started("Order", null));
        event("o-4", 1, 2, 0, new EventKind.OrchestrationCompleted("done"));
        jump(5);

        event("o-2", 1, 2, 10, scheduled());
        event("o-3", 1, 9, 10, new EventKind.ActivityCompleted("paid"), 2);
        driver.advanceWallClockTime(QUIET);

        assertThat(states())
                .containsEntry("o-1", "UNKNOWN")
                .containsEntry("o-2", "RUNNING")
                .containsEntry("o-3", "RUNNING incomplete")
                .containsEntry("o-4", "COMPLETED");
        driver.advanceWallClockTime(LONG);
        assertThat(stuck.readKeyValuesToMap()).containsOnlyKeys("o-2");
        assertThat(jumped.sum()).isEqualTo(1);
    }

    @Test
    void a_jump_behind_which_nothing_is_left_to_read_is_seen_as_well() {
        event("o-1", 1, 1, 0, started("Order", null));
        jumps.note(Set.of(PARTITION));

        driver.advanceWallClockTime(QUIET);
        driver.advanceWallClockTime(Housekeeping.INTERVAL);

        assertThat(states()).containsEntry("o-1", "UNKNOWN");
        driver.advanceWallClockTime(LONG);
        assertThat(stuck.isEmpty()).isTrue();
    }

    @Test
    void what_was_reported_stuck_is_not_after_a_jump() {
        event("o-1", 1, 1, 0, started("Order", null));
        driver.advanceWallClockTime(LONG);
        assertThat(stuck.readRecord().getValue()).isNotNull();
        jumps.note(Set.of(PARTITION));

        driver.advanceWallClockTime(QUIET);

        assertThat(stuck.readRecord().getValue()).isNull();
    }

    @Test
    void what_is_unknown_runs_again_when_its_next_event_comes_and_goes_after_its_time_when_none_does() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-2", 1, 1, 0, started("Order", null));
        jumps.note(Set.of(PARTITION));
        driver.advanceWallClockTime(QUIET);
        assertThat(states()).containsValues("UNKNOWN").doesNotContainValue("RUNNING");

        event("o-1", 1, 2, 10, scheduled());
        assertThat(states()).as("none of its events is missing").isEqualTo(Map.of("o-1", "RUNNING"));
        driver.advanceWallClockTime(RETENTION.plus(QUIET));

        assertThat(states()).isEqualTo(Map.of("o-2", "removed"));
    }

    @Test
    void a_later_life_whose_beginning_is_missing_has_nothing_of_the_one_before() {
        event("o-1", 1, 1, 0, started("Order", "cart-7"));
        event("o-1", 1, 2, 1, scheduled());
        event("o-1", 1, 3, 2, new EventKind.OrchestrationCompleted("first"));
        jump(3);

        event("o-1", 1, 2, 1_000, scheduled());

        assertThat(lastStatus("o-1")).satisfies(state -> {
            assertThat(state.state()).isEqualTo(State.RUNNING);
            assertThat(state.incomplete()).isTrue();
            assertThat(state.orchestration()).isNull();
            assertThat(state.output()).isNull();
        });
    }

    @Test
    void a_jump_counts_from_its_first_record_and_not_for_what_was_read_before() {
        event("o-1", 1, 1, 0, started("Order", null));
        jump(2);

        event("o-1", 1, 2, 1, scheduled());
        assertThat(jumped.sum()).as("read before the jump, processed after it").isZero();
        event("o-2", 1, 1, 2, started("Order", null));
        driver.advanceWallClockTime(QUIET);

        assertThat(jumped.sum()).isEqualTo(1);
        assertThat(states()).containsEntry("o-1", "UNKNOWN").containsEntry("o-2", "RUNNING");
    }

    @Test
    void the_first_start_jumps_over_nothing() {
        jump(0);

        event("o-1", 1, 1, 0, started("Order", null));
        driver.advanceWallClockTime(QUIET);

        assertThat(jumped.sum()).isZero();
        assertThat(states()).containsEntry("o-1", "RUNNING");
    }

    @Test
    void states_that_an_earlier_version_kept_are_taken_as_they_are() {
        instances().put("o-1", keptByAnEarlierVersion("o-1"));
        instances().put("o-2", keptByAnEarlierVersion("o-2"));

        event("o-1", 1, 5, 10, scheduled());
        assertThat(states()).isEqualTo(Map.of("o-1", "RUNNING"));
        jump(1);
        event("o-3", 1, 1, 10, started("Order", null));
        driver.advanceWallClockTime(QUIET);

        assertThat(states()).containsEntry("o-1", "UNKNOWN").containsEntry("o-2", "UNKNOWN");
    }

    private static EventKind scheduled() {
        return new EventKind.ActivityScheduled("Charge", "{}", null, null);
    }

    /** The consumer's next record is this one, and what it was to read before it has expired. */
    private void jump(long toOffset) {
        jumps.note(Set.of(PARTITION, new TopicPartition("other", 0)));
        var next = new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), toOffset, "", "");
        jumps.read(new ConsumerRecords<>(Map.of(PARTITION, List.of(next)), Map.of()));
    }

    private static InstanceState keptByAnEarlierVersion(String instance) {
        var status =
                "{'id':'%s','instance':'%s','orchestration':'Order','version':'1.0.0','state':'RUNNING','execution':1,"
                        + "'correlation':'%s','createdAt':'2026-01-01T00:00:00Z','updatedAt':'2026-01-01T00:00:01Z',"
                        + "'activities':{'started':0,'completed':0,'failed':0},'subOrchestrations':{'started':0,'completed':0,'failed':0}}";
        var json = "{'status':" + status.formatted(instance, instance, instance)
                + ",'executionStartedMillis':1767225600000,'lastEvent':'ActivityScheduled','heardMillis':" + START
                + ",'isReportedStuck':false,'pending':{}}";
        return LifecycleJson.decode(json.replace('\'', '"').getBytes(UTF_8), InstanceState.class);
    }

    /** The latest told of each instance since the last time. */
    private Map<String, String> states() {
        var states = new TreeMap<String, String>();
        status.readKeyValuesToList()
                .forEach(each -> states.put(each.key, each.value == null ? "removed" : text(each.value)));
        return states;
    }

    private static String text(byte[] value) {
        var status = LifecycleJson.decode(value, InstanceStatus.class);
        return status.state() + (Boolean.TRUE.equals(status.incomplete()) ? " incomplete" : "");
    }

    private KeyValueStore<String, InstanceState> instances() {
        return driver.getKeyValueStore(LifecycleTopology.INSTANCES);
    }
}
