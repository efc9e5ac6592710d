package io.sluice.relay.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What is known of ended instances goes when its time is over. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InstanceRetentionTest extends TopologyFixture {
    private static final Duration A_LOOK = Duration.ofMinutes(2);

    @Test
    void an_ended_instance_is_removed_when_its_time_is_over_and_a_running_one_is_not() {
        completed("o-1");
        event("o-2", 1, 1, 0, started("Order", null));
        driver.advanceWallClockTime(RETENTION.minus(A_LOOK));
        assertThat(tombstones()).isEmpty();

        driver.advanceWallClockTime(A_LOOK.multipliedBy(2));

        assertThat(tombstones()).containsExactly("o-1");
        assertThat(instances().get("o-1")).isNull();
        assertThat(instances().get("o-2")).isNotNull();
        assertThat(removed.sum()).isEqualTo(1);
        driver.advanceWallClockTime(RETENTION);
        assertThat(status.isEmpty()).as("one tombstone is enough").isTrue();
        assertThat(ended()).as("the index holds what the store holds").isEmpty();
    }

    @Test
    void without_an_end_to_it_nothing_is_removed() {
        restart(Duration.ZERO);
        completed("o-1");

        driver.advanceWallClockTime(Duration.ofDays(3_650));

        assertThat(tombstones()).isEmpty();
        assertThat(lastEnded("o-1")).isEqualTo(State.COMPLETED);
    }

    @Test
    void an_instance_that_begins_again_counts_from_its_next_end() {
        completed("o-1");
        driver.advanceWallClockTime(RETENTION.dividedBy(2));
        event("o-1", 1, 1, 1_000, started("Order", null));
        driver.advanceWallClockTime(RETENTION);
        assertThat(tombstones()).as("it runs").isEmpty();
        event("o-1", 1, 2, 2_000, new EventKind.OrchestrationCompleted("again"));
        driver.advanceWallClockTime(RETENTION.minus(A_LOOK));
        assertThat(tombstones()).as("it ended a moment ago").isEmpty();

        driver.advanceWallClockTime(A_LOOK.multipliedBy(2));

        assertThat(tombstones()).containsExactly("o-1");
    }

    @Test
    void an_instance_that_is_started_after_its_removal_lives_as_any_other() {
        completed("o-1");
        driver.advanceWallClockTime(RETENTION.plus(A_LOOK));
        assertThat(tombstones()).containsExactly("o-1");
        facts();

        completed("o-1");

        assertThat(facts()).containsExactly(new Fact.Created(), new Fact.Started(), new Fact.Completed("done", 10L));
        assertThat(lastStatus("o-1").state()).isEqualTo(State.COMPLETED);
        driver.advanceWallClockTime(RETENTION.plus(A_LOOK));
        assertThat(tombstones()).containsExactly("o-1");
    }

    @Test
    void an_execution_that_continues_as_new_is_no_end() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 5, new EventKind.OrchestrationContinuedAsNew("{}"));
        driver.advanceWallClockTime(RETENTION.multipliedBy(2));
        assertThat(tombstones()).isEmpty();

        event("o-1", 2, 1, 6, started("Order", null));

        assertThat(lastStatus("o-1")).satisfies(state -> {
            assertThat(state.execution()).isEqualTo(2);
            assertThat(state.createdAt()).as("of its first execution").isNotNull();
        });
    }

    @Test
    void a_deletion_is_told_once_before_and_by_a_tombstone_alone_after() {
        completed("o-1");
        completed("o-2");
        deleted("o-1", 20);
        assertThat(tombstones()).containsExactly("o-1");
        assertThat(facts()).contains(new Fact.Deleted());

        driver.advanceWallClockTime(RETENTION.plus(A_LOOK));
        assertThat(tombstones()).containsExactly("o-2");
        deleted("o-2", 30);

        assertThat(tombstones()).containsExactly("o-2");
        assertThat(facts()).as("nothing is known of it any more").isEmpty();
        assertThat(ended()).isEmpty();
    }

    @Test
    void a_look_removes_a_page_and_the_next_follows_in_a_second() {
        int instances = Housekeeping.PAGE + 50;
        for (int i = 0; i < instances; i++) {
            completed("o-" + i);
        }
        status.readKeyValuesToList();

        driver.advanceWallClockTime(RETENTION.plus(A_LOOK));
        int first = tombstones().size();
        driver.advanceWallClockTime(Housekeeping.INTERVAL);

        assertThat(List.of(first, tombstones().size())).containsExactly(Housekeeping.PAGE, 50);
    }

    @Test
    void nothing_is_removed_before_what_waits_was_read() {
        completed("o-1");
        driver.advanceWallClockTime(RETENTION.minusSeconds(70));
        driver.advanceWallClockTime(Housekeeping.INTERVAL);
        driver.advanceWallClockTime(Duration.ofSeconds(54));
        event("o-2", 1, 1, 1, started("Order", null));
        driver.advanceWallClockTime(Duration.ofSeconds(25));
        assertThat(tombstones())
                .as("events weeks old come in: the next may tell that it was deleted")
                .isEmpty();

        deleted("o-1", 20);

        assertThat(facts()).contains(new Fact.Deleted());
    }

    @Test
    void states_that_an_earlier_version_kept_are_removed_as_well() {
        int count = StateWalk.PAGE + 50;
        for (int i = 0; i < count; i++) {
            instances().put("o-" + i, keptByAnEarlierVersion("o-" + i, START));
        }
        instances().put("p-1", keptByAnEarlierVersion("p-1", Long.MAX_VALUE));

        driver.advanceWallClockTime(A_LOOK);
        driver.advanceWallClockTime(Housekeeping.INTERVAL);
        driver.advanceWallClockTime(RETENTION.plus(A_LOOK));
        for (int page = 0; page <= count / Housekeeping.PAGE; page++) {
            driver.advanceWallClockTime(Housekeeping.INTERVAL);
        }

        assertThat(tombstones())
                .as("and the one that was counted from a timer of the far future")
                .hasSize(count + 1)
                .contains("p-1");
    }

    @Test
    void an_entry_without_a_state_is_left_behind_by_a_version_that_knows_no_index() {
        completed("o-1");
        completed("o-2");
        instances().delete("o-1");

        driver.advanceWallClockTime(RETENTION.plus(A_LOOK));

        assertThat(tombstones()).containsExactly("o-2");
        assertThat(ended()).isEmpty();
    }

    private void completed(String instance) {
        event(instance, 1, 1, 0, started("Order", null));
        event(instance, 1, 2, 10, new EventKind.OrchestrationCompleted("done"));
    }

    /** As version 0.1 wrote it. */
    private static InstanceState keptByAnEarlierVersion(String instance, long heardMillis) {
        var status =
                "{'id':'%s','instance':'%s','orchestration':'Order','version':'1.0.0','state':'COMPLETED','execution':1,"
                        + "'correlation':'%s','output':'done','createdAt':'2026-01-01T00:00:00Z','updatedAt':'2026-01-01T00:00:01Z',"
                        + "'activities':{'started':0,'completed':0,'failed':0},'subOrchestrations':{'started':0,'completed':0,'failed':0}}";
        var json = "{'status':" + status.formatted(instance, instance, instance)
                + ",'executionStartedMillis':1767225600000,'lastEvent':'OrchestrationCompleted','heardMillis':"
                + heardMillis + ",'isReportedStuck':false,'pending':{}}";
        return LifecycleJson.decode(json.replace('\'', '"').getBytes(UTF_8), InstanceState.class);
    }

    private State lastEnded(String instance) {
        return instances().get(instance).status().state();
    }

    private List<String> tombstones() {
        return status.readKeyValuesToList().stream()
                .filter(each -> each.value == null)
                .map(each -> each.key)
                .toList();
    }

    private KeyValueStore<String, InstanceState> instances() {
        return driver.getKeyValueStore(LifecycleTopology.INSTANCES);
    }

    private List<TimeIndex.Entry> ended() {
        KeyValueStore<Bytes, byte[]> byTime = driver.getKeyValueStore(LifecycleTopology.SILENCE);
        return TimeIndex.ofEnded(byTime).before(Long.MAX_VALUE, Integer.MAX_VALUE);
    }
}
