package io.sluice.relay.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import io.cloudevents.kafka.KafkaMessageFactory;
import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.Failure;
import io.sluice.client.lifecycle.InstanceStatus.Counts;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.client.lifecycle.OrchestrationStatistics.Quantiles;
import io.sluice.client.lifecycle.Parent;
import io.sluice.client.lifecycle.StuckInstance;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LifecycleTopologyTest extends TopologyFixture {
    @Test
    void a_life_is_told_fact_by_fact() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 10, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        event("o-1", 1, 3, 20, new EventKind.TimerCreated(START + 5_000));
        event("o-1", 1, 4, 50, new EventKind.ActivityCompleted("paid"), 2);
        event("o-1", 1, 5, 60, new EventKind.CustomStatusUpdated("packing"));
        event("o-1", 1, 6, 100, new EventKind.OrchestrationCompleted("done"));

        assertThat(facts())
                .containsExactly(
                        new Fact.Created(),
                        new Fact.Started(),
                        new Fact.ActivityScheduled("Charge", null),
                        new Fact.TimerCreated(Instant.ofEpochMilli(START + 5_000)),
                        new Fact.ActivityCompleted("Charge", 2L, 40L),
                        new Fact.CustomStatusChanged("packing"),
                        new Fact.Completed("done", 100L));
    }

    @Test
    void a_fact_is_a_cloud_event_that_says_whose_it_is() {
        event("o-1", 2, 1, 0, started("Order", "cart-7"));

        var message = lifecycle.readRecord();
        var cloudEvent = KafkaMessageFactory.createReader(message.headers(), message.value())
                .toEvent();
        assertThat(cloudEvent.getId()).isEqualTo("o-1:2:1:" + START + ":started");
        assertThat(cloudEvent.getType()).isEqualTo("io.sluice.lifecycle.started");
        assertThat(cloudEvent.getSubject()).isEqualTo("o-1");
        assertThat(cloudEvent.getSource()).hasToString("cosmos://account/db/container");
        assertThat(message.key()).isEqualTo("o-1");
        assertThat(message.timestamp()).isEqualTo(START);
        assertThat(LifecycleJson.event(message.value()))
                .isEqualTo(new LifecycleEvent(
                        cloudEvent.getId(),
                        "o-1",
                        2,
                        1,
                        Instant.ofEpochMilli(START),
                        "Order",
                        "1.0.0",
                        new Parent("cart-7", 3L, 4L),
                        "cart-7",
                        new Fact.Started()));
    }

    @Test
    void the_last_state_counts_over_executions_and_ends_with_a_tombstone() {
        event("o-1", 1, 1, 0, started("Order", "cart-7"));
        event("o-1", 1, 2, 1, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        event("o-1", 1, 3, 2, new EventKind.ActivityFailed(failure("no stock")), 2);
        event("o-1", 1, 4, 3, new EventKind.OrchestrationContinuedAsNew("{}"));
        event("o-1", 2, 1, 4, started("Order", "cart-7"));
        event("o-1", 2, 2, 5, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        event("o-1", 2, 3, 9, new EventKind.OrchestrationFailed(failure("gave up")));
        assertThat(lastStatus("o-1")).satisfies(state -> {
            assertThat(state.state()).isEqualTo(State.FAILED);
            assertThat(state.execution()).isEqualTo(2);
            assertThat(state.parent()).isEqualTo(new Parent("cart-7", 3L, 4L));
            assertThat(state.correlation()).isEqualTo("cart-7");
            assertThat(state.failure()).isEqualTo(new Failure("application", "gave up", false));
            assertThat(state.createdAt()).isEqualTo(Instant.ofEpochMilli(START));
            assertThat(state.updatedAt()).isEqualTo(Instant.ofEpochMilli(START + 9));
            assertThat(state.activities()).isEqualTo(new Counts(2, 0, 1));
        });

        deleted("o-1", 20);

        assertThat(status.readRecord().getValue()).isNull();
        assertThat(facts()).endsWith(new Fact.Deleted());
    }

    @Test
    void a_cancelled_instance_is_not_a_failed_one() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 5, new EventKind.OrchestrationCancelRequested("customer called"));
        event(
                "o-1",
                1,
                3,
                7,
                new EventKind.OrchestrationFailed(new ErrorDetails.Application(
                        new ErrorDetails.ApplicationKind.Cancelled("customer called"), "cancelled", false)));

        assertThat(facts())
                .endsWith(new Fact.CancelRequested("customer called"), new Fact.Cancelled("customer called", 7L));
        assertThat(lastStatus("o-1").state()).isEqualTo(State.CANCELLED);
    }

    @Test
    void an_instance_that_is_started_anew_begins_another_life() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 1, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        event("o-1", 1, 3, 2, new EventKind.OrchestrationCompleted("first"));
        event("o-1", 1, 1, 1_000, started("Refund", null));

        assertThat(lastStatus("o-1")).satisfies(state -> {
            assertThat(state.orchestration()).isEqualTo("Refund");
            assertThat(state.state()).isEqualTo(State.RUNNING);
            assertThat(state.output()).isNull();
            assertThat(state.activities()).isEqualTo(Counts.NONE);
            assertThat(state.createdAt()).isEqualTo(Instant.ofEpochMilli(START + 1_000));
        });
    }

    @Test
    void an_instance_met_in_the_middle_of_its_life_is_told_as_far_as_it_is_known() {
        event("o-1", 1, 7, 0, new EventKind.ActivityCompleted("paid"), 3);
        event("o-1", 1, 8, 5, new EventKind.OrchestrationCompleted("done"));

        assertThat(facts())
                .containsExactly(new Fact.ActivityCompleted(null, 3L, null), new Fact.Completed("done", null));
        assertThat(lastStatus("o-1").orchestration()).isNull();
        assertThat(statistics.isEmpty()).as("nobody knows whose statistics").isTrue();
    }

    @Test
    void an_event_that_names_another_instance_than_its_key_is_the_keys() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-2", 1, 1, 0, started("Order", null));
        var foreign = HistoryEvent.of(2, "o-2", 1, START + 1, "0.1.32", new EventKind.OrchestrationCompleted("done"));
        var record = published(foreign, START + 1);
        history.pipeInput(new TestRecord<>("o-1", record.value(), record.headers(), START + 1));
        history.pipeInput(new TestRecord<>("o-3", record.value(), record.headers(), START + 1));

        assertThat(facts()).hasSize(6).contains(new Fact.Completed("done", 1L));
        var told = status.readKeyValuesToList();
        assertThat(told).extracting(each -> each.key).containsExactly("o-1", "o-2", "o-1", "o-3");
        assertThat(told)
                .allSatisfy(each -> assertThat(new String(each.value, UTF_8))
                        .contains("\"instance\":\"" + each.key + "\"")
                        .doesNotContain(each.key.equals("o-2") ? "\"o-1\"" : "\"o-2\""));
    }

    @Test
    void what_can_not_be_read_tells_nothing_and_stops_nothing() {
        event("o-1", 1, 1, 0, started("Order", null));
        history.pipeInput(
                new TestRecord<>("o-1", "{torn".getBytes(UTF_8), headers("x", "io.sluice.history.unknown", 1)));
        history.pipeInput(new TestRecord<>("o-1", null, new RecordHeaders(), START + 2));
        event("o-1", 1, 3, 3, new EventKind.OrchestrationCompleted("done"));

        assertThat(facts()).containsExactly(new Fact.Created(), new Fact.Started(), new Fact.Completed("done", 3L));
    }

    @Test
    void a_record_without_a_key_and_impossible_times_stop_nothing() {
        history.pipeInput(new TestRecord<>(null, "{}".getBytes(UTF_8), headers("x", "io.sluice.history.unknown", 0)));
        pipe(HistoryEvent.of(1, "o-1", 1, 0, "0.1.32", started("Order", null)));
        pipe(HistoryEvent.of(
                2, "o-1", 1, Long.MAX_VALUE, "0.1.32", new EventKind.OrchestrationCompleted("in another age")));
        event("o-2", 1, 1, 0, started("Order", null));

        assertThat(lastStatus("o-1").state()).isEqualTo(State.COMPLETED);
        assertThat(facts()).contains(new Fact.Completed("in another age", Long.MAX_VALUE), new Fact.Created());
    }

    @Test
    void an_instance_whose_id_no_store_holds_is_passed_over() {
        event("x".repeat(1_024), 1, 1, 0, started("Order", null));
        event("x".repeat(1_023), 1, 1, 0, started("Order", null));

        assertThat(facts()).as("of one of them").containsExactly(new Fact.Created(), new Fact.Started());
        assertThat(lastStatus("x".repeat(1_023)).state()).isEqualTo(State.RUNNING);
    }

    @Test
    void statistics_are_by_orchestration_and_window() {
        for (int i = 0; i < 10; i++) {
            event("o-" + i, 1, 1, 0, started("Order", null));
            event("o-" + i, 1, 2, 1_000L * (i + 1), new EventKind.OrchestrationCompleted("done"));
        }
        event("p-1", 1, 1, 60_000, started("Pay", null));
        event("p-1", 1, 2, 61_000, new EventKind.OrchestrationFailed(failure("no money")));

        var last = statistics.readKeyValuesToList().stream()
                .collect(Collectors.toMap(
                        pair -> pair.key,
                        pair -> LifecycleJson.decode(pair.value, OrchestrationStatistics.class),
                        (earlier, later) -> later));
        assertThat(last)
                .containsOnlyKeys(
                        "Order@" + Instant.ofEpochMilli(START), "Pay@" + Instant.ofEpochMilli(START + 60_000));
        assertThat(last.get("Order@" + Instant.ofEpochMilli(START))).satisfies(window -> {
            assertThat(window.started()).isEqualTo(10);
            assertThat(window.completed()).isEqualTo(10);
            assertThat(window.windowEnd()).isEqualTo(Instant.ofEpochMilli(START + 60_000));
            assertThat(window.duration()).extracting(Quantiles::count).isEqualTo(10L);
            assertThat(window.duration()).extracting(Quantiles::p50, as(LONG)).isBetween(4_950L, 5_050L);
            assertThat(window.duration()).extracting(Quantiles::p99, as(LONG)).isBetween(9_900L, 10_100L);
        });
        assertThat(last.get("Pay@" + Instant.ofEpochMilli(START + 60_000)))
                .extracting(OrchestrationStatistics::failed)
                .isEqualTo(1L);
    }

    @Test
    void an_instance_that_is_silent_is_stuck_until_it_moves() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 1, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        event("o-2", 1, 1, 0, started("Order", null));
        event("o-2", 1, 2, 1, new EventKind.OrchestrationCompleted("done"));
        driver.advanceWallClockTime(STUCK_AFTER.minusMinutes(2));
        assertThat(stuck.isEmpty()).isTrue();

        driver.advanceWallClockTime(Duration.ofMinutes(4));
        var told = stuck.readRecord();
        assertThat(told.key()).isEqualTo("o-1");
        assertThat(LifecycleJson.decode(told.value(), StuckInstance.class))
                .isEqualTo(new StuckInstance(
                        "o-1", "Order", "1.0.0", 1, Instant.ofEpochMilli(START + 1), "ActivityScheduled", STUCK_AFTER));
        driver.advanceWallClockTime(Duration.ofHours(5));
        assertThat(stuck.isEmpty()).as("told once, and not of what has ended").isTrue();
        assertThat(found.sum()).as("found, for the meter").isEqualTo(1);

        event("o-1", 1, 3, 2, new EventKind.ActivityCompleted("paid"), 2);
        assertThat(stuck.readRecord().getValue()).isNull();
    }

    @Test
    void an_instance_that_sleeps_by_a_timer_is_stuck_only_after_it_was_due() {
        long due = START + Duration.ofHours(10).toMillis();
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 1, new EventKind.TimerCreated(due));

        driver.advanceWallClockTime(Duration.ofHours(10));
        assertThat(stuck.isEmpty()).as("it sleeps on purpose").isTrue();

        driver.advanceWallClockTime(STUCK_AFTER.plusMinutes(2));
        assertThat(stuck.readRecord().key()).as("the timer did not fire").isEqualTo("o-1");
    }

    @Test
    void an_activity_with_a_timer_beside_it_is_not_a_sleep() {
        event("o-1", 1, 1, 0, started("Order", null));
        event("o-1", 1, 2, 1, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        event(
                "o-1",
                1,
                3,
                1,
                new EventKind.TimerCreated(START + Duration.ofDays(30).toMillis()));

        driver.advanceWallClockTime(STUCK_AFTER.plusMinutes(2));

        assertThat(stuck.readRecord().key()).isEqualTo("o-1");
    }

    @Test
    void an_instance_that_is_deleted_while_stuck_is_stuck_no_more() {
        event("o-1", 1, 1, 0, started("Order", null));
        driver.advanceWallClockTime(STUCK_AFTER.multipliedBy(2));
        assertThat(stuck.readRecord().getValue()).isNotNull();

        deleted("o-1", 5);

        assertThat(stuck.readRecord().getValue()).isNull();
        driver.advanceWallClockTime(STUCK_AFTER.multipliedBy(2));
        assertThat(stuck.isEmpty()).isTrue();
    }

    @Test
    void nothing_is_called_stuck_while_a_backlog_is_being_read() {
        event("o-1", 1, 1, 0, started("Order", null));
        driver.advanceWallClockTime(STUCK_AFTER.multipliedBy(2).minusSeconds(10));
        assertThat(stuck.readValuesToList()).hasSize(1);

        event("o-2", 1, 1, 1, started("Order", null));
        driver.advanceWallClockTime(STUCK_AFTER.minusSeconds(20));
        event("o-3", 1, 1, 2, started("Order", null));
        driver.advanceWallClockTime(Duration.ofSeconds(25));
        assertThat(stuck.isEmpty())
                .as("events hours old come in: the next may be of o-2")
                .isTrue();

        driver.advanceWallClockTime(Duration.ofMinutes(2));
        assertThat(stuck.readKeyValuesToMap()).containsOnlyKeys("o-2");
    }
}
