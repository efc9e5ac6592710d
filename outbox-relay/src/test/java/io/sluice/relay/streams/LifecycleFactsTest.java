package io.sluice.relay.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.Failure;
import io.sluice.client.lifecycle.InstanceStatus.Counts;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.client.lifecycle.Text;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Each kind of event, and lives that take a turn. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LifecycleFactsTest extends TopologyFixture {
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    private static final ExtraFields OF_A_HOST = new ExtraFields(Map.of("dt", "{\"i\":-1,\"p\":\"\"}"));
    private static final Failure FAILURE = new Failure("application", "no stock", false);

    /** An event of an execution that began 7 ms before, and what it tells. */
    private static Stream<Row> kinds() {
        return Stream.of(
                tells(new EventKind.OrchestrationCompleted("done"), new Fact.Completed("done", 7L)),
                tells(new EventKind.OrchestrationFailed(failure("no stock")), new Fact.Failed(FAILURE, 7L)),
                tells(
                        new EventKind.OrchestrationFailed(new ErrorDetails.Infrastructure("fetch", "store away", true)),
                        new Fact.Failed(new Failure("infrastructure", "store away", true), 7L)),
                tells(
                        new EventKind.OrchestrationFailed(new ErrorDetails.Application(
                                new ErrorDetails.ApplicationKind.Cancelled("customer"), "cancelled", false)),
                        new Fact.Cancelled("customer", 7L)),
                tells(new EventKind.OrchestrationContinuedAsNew("{}"), new Fact.ContinuedAsNew(7L)),
                tells(new EventKind.OrchestrationCancelRequested("customer"), new Fact.CancelRequested("customer")),
                tells(new EventKind.CustomStatusUpdated("packing"), new Fact.CustomStatusChanged("packing")),
                tells(new EventKind.CustomStatusUpdated(null), new Fact.CustomStatusChanged(null)),
                tells(
                        new EventKind.ActivityScheduled("Pack", "{}", null, "gpu"),
                        new Fact.ActivityScheduled("Pack", "gpu")),
                tells(new EventKind.ActivityCompleted("paid"), new Fact.ActivityCompleted("Charge", 2L, 6L)),
                tells(
                        new EventKind.ActivityFailed(failure("no stock")),
                        new Fact.ActivityFailed("Charge", 2L, FAILURE, 6L)),
                tells(
                        new EventKind.SubOrchestrationScheduled("Pay", "o-1::3", "{}"),
                        new Fact.SubOrchestrationStarted("o-1::3", "Pay", false)),
                tells(
                        new EventKind.OrchestrationChained("Audit", "audit-1", "{}"),
                        new Fact.SubOrchestrationStarted("audit-1", "Audit", true)),
                tells(new EventKind.SubOrchestrationCompleted("ok"), new Fact.SubOrchestrationCompleted("Charge", 6L)),
                tells(
                        new EventKind.SubOrchestrationFailed(failure("no stock")),
                        new Fact.SubOrchestrationFailed("Charge", FAILURE, 6L)),
                tells(new EventKind.TimerCreated(START), new Fact.TimerCreated(Instant.ofEpochMilli(START))),
                tells(new EventKind.TimerCreated(-1), new Fact.TimerCreated(null)),
                tells(new EventKind.TimerFired(START), new Fact.TimerFired(Instant.ofEpochMilli(START))),
                tells(
                        new EventKind.ExternalEvent("approval", "yes"),
                        new Fact.ExternalEventReceived("approval", false)),
                tells(
                        new EventKind.ExternalEventPersistent("mail", "hello"),
                        new Fact.ExternalEventReceived("mail", true)),
                tells(new EventKind.ActivityCancelRequested("over")),
                tells(new EventKind.SubOrchestrationCancelRequested("over")),
                tells(new EventKind.ExternalSubscribed("approval")),
                tells(new EventKind.ExternalSubscribedCancelled("over")),
                tells(new EventKind.ExternalSubscribedPersistent("mail")),
                tells(new EventKind.ExternalSubscribedPersistentCancelled("over")),
                tells(new EventKind.KeyValueSet("k", "v", START)),
                tells(new EventKind.KeyValueCleared("k")),
                tells(new EventKind.KeyValuesCleared()),
                tells(
                        new EventKind.OrchestrationStarted("Next", "2", "{}", null, null, null, null, null),
                        new Fact.Created(),
                        new Fact.Started()));
    }

    /** External events as a DurableTask host stores them, and what they tell. */
    private static Stream<Row> hostsEvents() {
        return Stream.of(
                tells(new EventKind.ExternalEvent("dt:suspended", "audit"), new Fact.Suspended("audit")),
                tells(new EventKind.ExternalEvent("dt:resumed", ""), new Fact.Resumed("")),
                tells(
                        new EventKind.ExternalEvent("dt:raised:dt:suspended", "1"),
                        new Fact.ExternalEventReceived("dt:suspended", false)),
                tells(
                        new EventKind.ExternalEvent("approval", "yes"),
                        new Fact.ExternalEventReceived("approval", false)),
                tells(new EventKind.ExternalEvent("dt:rewound", "")),
                tells(new EventKind.ExternalEvent("dt:entity-signaled", "{}")));
    }

    private record Row(EventKind kind, List<Fact> facts) {}

    private static Row tells(EventKind kind, Fact... facts) {
        return new Row(kind, List.of(facts));
    }

    @Test
    void each_kind_of_event_tells_its_facts() {
        kinds().forEach(row -> {
            var instance = "of-" + row.hashCode();
            event(instance, 1, 1, 0, started("Order", null));
            event(instance, 1, 2, 1, new EventKind.ActivityScheduled("Charge", "{}", null, null));
            facts();

            event(instance, 1, 3, 7, row.kind(), 2);

            assertThat(facts()).as("%s", row.kind()).isEqualTo(row.facts());
            assertThat(lastStatus(instance).updatedAt()).isEqualTo(Instant.ofEpochMilli(START + 7));
        });
    }

    @Test
    void a_suspension_is_told_and_what_a_host_notes_for_itself_is_not() {
        hostsEvents().forEach(row -> {
            var instance = "of-" + row.hashCode();
            event(instance, 1, 1, 0, started("Order", null));
            facts();

            pipe(new HistoryEvent(2, null, instance, 1, START + 7, "999.1.0", row.kind(), OF_A_HOST));

            assertThat(facts()).as("%s", row.kind()).isEqualTo(row.facts());
            assertThat(lastStatus(instance).state())
                    .as("a value of state would be a new major version of the topic")
                    .isEqualTo(State.RUNNING);
        });
    }

    @Test
    void an_event_of_a_hosts_name_is_no_hosts_where_it_lacks_the_hosts_field() {
        event("o-1", 1, 1, 0, started("Order", null));
        facts();

        event("o-1", 1, 2, 7, new EventKind.ExternalEvent("dt:suspended", "audit"));

        assertThat(facts()).containsExactly(new Fact.ExternalEventReceived("dt:suspended", false));
    }

    @Test
    void every_kind_and_every_fact_is_in_these_tables() {
        var kinds = kinds().<Class<?>>map(row -> row.kind().getClass()).collect(Collectors.toSet());
        var facts = Stream.concat(kinds(), hostsEvents())
                .flatMap(row -> row.facts().stream())
                .<Class<?>>map(Object::getClass)
                .collect(Collectors.toSet());
        facts.addAll(List.of(
                Fact.Deleted.class, Fact.Unknown.class)); // the end of an instance, and what readers make of the future

        assertThat(kinds)
                .containsAll(Arrays.stream(EventKind.class.getPermittedSubclasses())
                        .filter(kind -> !kind.getSimpleName().startsWith("Unknown"))
                        .<Class<?>>map(kind -> kind)
                        .toList());
        assertThat(facts).containsExactlyInAnyOrder(Fact.class.getPermittedSubclasses());
    }

    @Test
    void what_comes_late_counts_in_its_own_window_for_a_day_and_is_told_even_later() {
        event("now", 1, 1, DAY_MILLIS, started("Order", null));
        event("late", 1, 1, 60_000, started("Order", null));
        event("too-late", 1, 1, -1, started("Order", null));

        assertThat(windows())
                .containsOnlyKeys(
                        "Order@" + Instant.ofEpochMilli(START + DAY_MILLIS),
                        "Order@" + Instant.ofEpochMilli(START + 60_000))
                .allSatisfy(
                        (window, statistics) -> assertThat(statistics.started()).isEqualTo(1));
        assertThat(events()).extracting(LifecycleEvent::instance).contains("too-late");
        assertThat(lastStatus("too-late").state()).isEqualTo(State.RUNNING);
    }

    @Test
    void what_comes_out_of_order_counts_in_the_window_of_its_own_time() {
        int number = 0;
        for (long minute : new long[] {5, 1, 3, 1, 5, 0}) {
            event("o-" + number++, 1, 1, minute * 60_000, started("Order", null));
        }

        assertThat(windows().values())
                .extracting(OrchestrationStatistics::started)
                .containsExactlyInAnyOrder(2L, 2L, 1L, 1L);
    }

    @Test
    void an_execution_that_continues_as_new_leaves_nothing_of_what_it_waited_for() {
        event("o-1", 1, 1, 0, started("Order", "cart-7"));
        event("o-1", 1, 2, 1, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        event("o-1", 1, 3, 2, new EventKind.CustomStatusUpdated("packing"));
        event("o-1", 1, 4, 5, new EventKind.OrchestrationContinuedAsNew("{}"));
        event("o-1", 2, 1, 6, started("Order", "cart-7"));
        event("o-1", 2, 2, 9, new EventKind.ActivityCompleted("of the execution before"), 2);
        event("o-1", 2, 3, 10, new EventKind.OrchestrationCompleted("done"));

        assertThat(facts())
                .containsSubsequence(
                        new Fact.ContinuedAsNew(5L),
                        new Fact.Started(),
                        new Fact.ActivityCompleted(null, 2L, null),
                        new Fact.Completed("done", 4L));
        assertThat(lastStatus("o-1").execution()).isEqualTo(2);
        assertThat(windows()).hasSize(1).allSatisfy((window, statistics) -> {
            assertThat(statistics.started()).isEqualTo(2);
            assertThat(statistics.continuedAsNew()).isEqualTo(1);
            assertThat(statistics.completed()).isEqualTo(1);
            assertThat(requireNonNull(statistics.duration()).count()).isEqualTo(2);
        });
    }

    @Test
    void an_instance_that_is_deleted_and_started_again_has_nothing_of_its_first_life() {
        event("o-1", 1, 1, 0, started("Order", "cart-7"));
        event("o-1", 1, 2, 1, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        event("o-1", 1, 3, 2, new EventKind.OrchestrationFailed(failure("no stock")));
        deleted("o-1", 3);
        event("o-1", 1, 1, 10, started("Refund", null));
        event("o-1", 1, 2, 12, new EventKind.ActivityCompleted("of the life before"), 2);

        assertThat(facts())
                .endsWith(
                        new Fact.Deleted(),
                        new Fact.Created(),
                        new Fact.Started(),
                        new Fact.ActivityCompleted(null, 2L, null));
        assertThat(lastStatus("o-1")).satisfies(state -> {
            assertThat(state.orchestration()).isEqualTo("Refund");
            assertThat(state.parent()).isNull();
            assertThat(state.failure()).isNull();
            assertThat(state.activities()).isEqualTo(new Counts(0, 1, 0));
        });
    }

    @Test
    void a_deletion_of_an_instance_that_nobody_knows_is_a_tombstone_and_no_fact() {
        deleted("o-1", 3);

        assertThat(facts()).isEmpty();
        assertThat(status.readRecord().getValue()).isNull();
        assertThat(stuck.isEmpty()).isTrue();
    }

    @Test
    void a_wide_fan_out_is_told_whole_and_remembered_in_part() {
        int fanOut = InstanceStateMachine.MOST_PENDING + 500;
        event("o-1", 1, 1, 0, started("Order", null));
        for (int i = 2; i < 2 + fanOut; i++) {
            event("o-1", 1, i, 1, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        }
        facts();

        event("o-1", 1, 10_001, 7, new EventKind.ActivityCompleted("paid"), 2);
        event("o-1", 1, 10_002, 7, new EventKind.ActivityCompleted("paid"), 1 + fanOut);
        event("o-1", 1, 10_003, 8, new EventKind.ActivityScheduled("Pack", "{}", null, null));
        event("o-1", 1, 10_004, 9, new EventKind.ActivityCompleted("packed"), 10_003);

        assertThat(facts())
                .containsExactly(
                        new Fact.ActivityCompleted("Charge", 2L, 6L),
                        new Fact.ActivityCompleted(null, 1L + fanOut, null),
                        new Fact.ActivityScheduled("Pack", null),
                        new Fact.ActivityCompleted("Pack", 10_003L, 1L));
        assertThat(lastStatus("o-1").activities()).isEqualTo(new Counts(fanOut + 1, 3, 0));
    }

    @Test
    void names_are_shortened_as_payloads_are_and_what_is_remembered_stays_far_below_a_record() {
        var name = "é".repeat(2 * Text.LIMIT);
        event("o-1", 1, 1, 0, started(name, name));
        for (int i = 2; i < 102; i++) {
            event("o-1", 1, i, 1, new EventKind.SubOrchestrationScheduled(name, name, "{}"));
        }
        event("o-1", 1, 200, 7, new EventKind.ExternalEvent(name, "yes"));
        event("o-1", 1, 201, 7, new EventKind.SubOrchestrationCompleted("ok"), 2);

        var shortened = Text.shortened(name);
        assertThat(facts())
                .contains(
                        new Fact.SubOrchestrationStarted(shortened, shortened, false),
                        new Fact.ExternalEventReceived(shortened, false),
                        new Fact.SubOrchestrationCompleted(shortened, 6L));
        assertThat(LifecycleJson.encode(driver.<String, InstanceState>getKeyValueStore(LifecycleTopology.INSTANCES)
                        .get("o-1")))
                .hasSizeLessThan(500_000);
    }

    @Test
    void an_event_of_the_future_counts_when_it_was_published() {
        long nowMillis = START + 10_000;
        history.pipeInput(published(
                HistoryEvent.of(1, "o-1", 1, START + 2 * DAY_MILLIS, "0.1.32", started("Order", null)), nowMillis));
        history.pipeInput(published(HistoryEvent.of(1, "o-2", 1, START, "0.1.32", started("Order", null)), nowMillis));

        assertThat(lifecycle.readRecordsToList())
                .extracting(TestRecord::timestamp)
                .as("a topic takes no record from far ahead of its broker")
                .containsExactly(nowMillis, nowMillis, START, START);
        assertThat(windows().values())
                .as("nothing that happens now is too late")
                .singleElement()
                .returns(2L, OrchestrationStatistics::started);
    }

    private List<LifecycleEvent> events() {
        return lifecycle.readValuesToList().stream().map(LifecycleJson::event).toList();
    }

    private Map<String, OrchestrationStatistics> windows() {
        return statistics.readKeyValuesToList().stream()
                .collect(Collectors.toMap(
                        pair -> pair.key,
                        pair -> LifecycleJson.decode(pair.value, OrchestrationStatistics.class),
                        (earlier, later) -> later));
    }
}
