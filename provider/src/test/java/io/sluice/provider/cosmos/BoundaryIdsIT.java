package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.DispatchOptions;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.outbox.InboxCommand;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the store would make another value of is refused before anything is written; all else is read as it was. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BoundaryIdsIT {
    private static final long MOST = 1L << 53;
    private static final List<Long> NUMBERS =
            List.of(0L, 1L, MOST - 1, MOST, MOST + 1, 2 * MOST, Long.MAX_VALUE, -1L, -MOST, -MOST - 1, Long.MIN_VALUE);
    private static final String HALF = "a\ud800b";

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static StoreFixture fixture;
    private static CosmosProvider provider;
    private static CosmosStore store;

    @BeforeAll
    static void open() {
        fixture = StoreFixture.provisioned(account);
        provider = fixture.provider();
        store = fixture.store();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    static Stream<Arguments> numbersOfItems() {
        return fields(Set.of(long.class, Long.class));
    }

    @ParameterizedTest(name = "{0}.{1}")
    @MethodSource("numbersOfItems")
    void a_number_of_an_item_is_refused_or_comes_back_as_it_was(String kind, String field) throws Exception {
        for (int i = 0; i < NUMBERS.size(); i++) {
            String instance = kind + "-" + field + "-" + i;
            WorkItem item = item(kind, instance, field, NUMBERS.get(i));
            if (isRefused(() -> enqueue(item), field, NUMBERS.get(i))) {
                assertThat(fixture.documents(store, instance, "worker_queue")).isEmpty();
            } else {
                assertThat(fetched(item)).as("%s = %d", field, NUMBERS.get(i)).contains(item);
            }
        }
    }

    static Stream<Arguments> textsOfItems() {
        return fields(Set.of(String.class));
    }

    @ParameterizedTest(name = "{0}.{1}")
    @MethodSource("textsOfItems")
    void half_a_surrogate_pair_in_an_item_is_refused(String kind, String field) throws Exception {
        WorkItem item = item(kind, "half-" + kind, field, HALF);

        assertThatThrownBy(() -> enqueue(item))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("surrogate");
        assertThat(fixture.documents(store, "half-" + kind, "receipt")).isEmpty();
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                named("requestId", () -> provider.enqueueForOrchestrator(raised("x", "1"), null, HALF)),
                named("requestId", () -> provider.enqueueForWorker(activity("x", 1), HALF)),
                named(
                        "requestId",
                        () -> InstanceStart.of((WorkItem.StartOrchestration) start("x"))
                                .withRequestId(HALF)),
                named("key", () -> provider.getKvValue("x", HALF)),
                named("ownerId", () -> new SessionFetchConfig(HALF, LOCK)),
                named("ownerIds[1]", () -> provider.renewSessionLock(List.of("me", HALF), LOCK, LOCK)),
                named("tag", () -> TagFilter.tags(Set.of(HALF))),
                named("tag", () -> TagFilter.defaultAndMany(Set.of(HALF))),
                named("name", () -> OrchestrationFilter.named(Map.of(HALF, Set.of()))),
                named("version", () -> OrchestrationFilter.named(Map.of("Order", Set.of(HALF)))),
                named("correlationId", () -> DispatchOptions.NONE.withCorrelationId(HALF)),
                named("key", () -> InboxCommand.of(HALF, raised("x", "1"))));
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("texts")
    void half_a_surrogate_pair_is_refused_by_the_name_of_the_field_and_its_place(String field, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfAny(IllegalArgumentException.class, ProviderException.class)
                .hasMessageContaining(field)
                .hasMessageContaining("U+D800, at character 1");
    }

    static Stream<Arguments> acks() {
        SemanticVersion pinned = SemanticVersion.of(MOST, 0, 0);
        EventKind set = new EventKind.KeyValueSet("k", "v", MOST + 1);
        return Stream.of(
                ofAck(
                        "workerItems[1].id",
                        ack -> ack.withWorkerItems(List.of(activity("parent", 2), activity("parent", MOST + 1)))),
                ofAck("workerItems[0].id", ack -> ack.withWorkerItems(List.of(activity("other", 2 * MOST)))),
                ofAck(
                        "historyDelta[0].eventId",
                        ack -> ack.withHistory(
                                List.of(event("parent", MOST + 1, new EventKind.ExternalEvent("e", ""))))),
                ofAck("historyDelta[0].lastUpdatedAtMillis", ack -> ack.withHistory(List.of(event("parent", 1, set)))),
                ofAck(
                        "pinnedDuroxideVersion",
                        ack -> ack.withMetadata(ExecutionMetadata.NONE.withPinnedVersion(pinned))),
                ofAck("output", ack -> ack.withMetadata(ExecutionMetadata.NONE.withStatus("Completed", HALF))),
                ofAck(
                        "orchestrationName",
                        ack -> ack.withMetadata(ExecutionMetadata.NONE.withOrchestration(HALF, "1"))),
                ofAck(
                        "orchestrationVersion",
                        ack -> ack.withMetadata(ExecutionMetadata.NONE.withOrchestration("Order", HALF))),
                ofAck("parentInstanceId", ack -> ack.withMetadata(ExecutionMetadata.NONE.withParent(HALF))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("acks")
    void an_ack_with_such_a_value_is_refused_by_its_place_and_may_be_corrected(String field, Change change) {
        CosmosProvider ofCase = fixture.provider();
        ofCase.enqueueForOrchestrator(start("parent"), null);
        LockedTurn turn = takeTurn(ofCase);

        assertThatThrownBy(() -> ofCase.ackOrchestrationItem(change.of(firstAck(turn))))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(field)
                .hasMessageContaining("nothing was written");

        assertThat(ofCase.read("parent")).isEmpty();
        ofCase.ackOrchestrationItem(firstAck(turn));
        assertThat(ofCase.read("parent")).containsExactly(started("parent"));
        ofCase.asManagementCapability().orElseThrow().deleteInstance("parent", true);
    }

    @Test
    void an_id_of_an_event_is_refused_or_comes_back_as_it_was() {
        for (int i = 0; i < NUMBERS.size(); i++) {
            long number = NUMBERS.get(i);
            String instance = "events-" + i;
            EventKind kind = new EventKind.ExternalEvent("e", "");
            if (!isRefused(
                    () -> provider.appendWithExecution(instance, 1, List.of(event(instance, number, kind))),
                    "eventId",
                    number)) {
                assertThat(provider.readWithExecution(instance, 1)).containsExactly(event(instance, number, kind));
            }
            String other = "executions-" + i;
            if (!isRefused(
                    () -> provider.appendWithExecution(other, number, List.of(inExecution(other, number))),
                    "executionId",
                    number)) {
                assertThat(provider.readWithExecution(other, number)).containsExactly(inExecution(other, number));
            }
        }
    }

    private static HistoryEvent inExecution(String instance, long execution) {
        return HistoryEvent.of(
                1, instance, execution, 1_740_000_000_000L, "0.1.32", new EventKind.ExternalEvent("e", ""));
    }

    @Test
    void a_deadline_that_the_store_can_t_keep_is_refused() {
        Instant latest = Instant.ofEpochMilli(WorkItem.LATEST_MILLIS);

        assertThat(DispatchOptions.NONE.withDeadline(latest).deadline()).isEqualTo(latest);
        for (Instant beyond : List.of(latest.plusMillis(1), Instant.MAX, Instant.EPOCH, Instant.MIN)) {
            assertThatThrownBy(() -> DispatchOptions.NONE.withDeadline(beyond))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("deadline");
        }
    }

    private static boolean isRefused(ThrowingCallable call, String field, long number) {
        try {
            call.call();
            return false;
        } catch (ProviderException | IllegalArgumentException e) {
            assertThat(e).hasMessageContaining(field).hasMessageContaining(String.valueOf(number));
            assertThat(e instanceof ProviderException refused && refused.retryable())
                    .as(e.getMessage())
                    .isFalse();
            return true;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void enqueue(WorkItem item) {
        if (item instanceof WorkItem.ActivityExecute) {
            provider.enqueueForWorker(item);
        } else {
            provider.enqueueForOrchestrator(item, null);
        }
    }

    private static List<WorkItem> fetched(WorkItem item) {
        if (item instanceof WorkItem.ActivityExecute) {
            SessionFetchConfig session = new SessionFetchConfig("me", LOCK);
            LockedWorkItem activity = provider.fetchWorkItem(LOCK, Duration.ofSeconds(30), session, TagFilter.any())
                    .orElseThrow();
            provider.ackWorkItem(activity.lockToken(), null);
            return List.of(activity.item());
        }
        if (!(item instanceof WorkItem.StartOrchestration)) {
            provider.enqueueForOrchestrator(start(item.routedInstance()), null);
        }
        return await().until(() -> provider.instanceTurns().fetch(item.routedInstance(), LOCK), Optional::isPresent)
                .orElseThrow()
                .item()
                .messages();
    }

    private static Stream<Arguments> fields(Set<Class<?>> types) {
        return Arrays.stream(WorkItem.class.getPermittedSubclasses())
                .flatMap(kind -> Arrays.stream(kind.getRecordComponents())
                        .filter(field -> types.contains(field.getType()))
                        .map(field -> Arguments.of(kind.getSimpleName(), field.getName())));
    }

    /** An item of this kind for this instance, in which one field holds the value. */
    private static WorkItem item(String kind, String instance, String field, Object value) throws Exception {
        Class<?> type = Class.forName(WorkItem.class.getName() + "$" + kind);
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            types[i] = component.getType();
            values[i] = component.getName().equals(field) ? value : usual(component, i == 0 ? instance : "text");
        }
        return (WorkItem) type.getConstructor(types).newInstance(values);
    }

    private static @Nullable Object usual(RecordComponent component, String text) {
        Class<?> type = component.getType();
        if (type == String.class) {
            return text;
        }
        if (type == long.class || type == Long.class) {
            return 1L;
        }
        if (type == ExtraFields.class) {
            return ExtraFields.NONE;
        }
        return type == List.class
                ? List.of()
                : new ErrorDetails.Application(ErrorDetails.ApplicationKind.Plain.ACTIVITY_FAILED, "text", false);
    }

    private static Arguments named(String name, ThrowingCallable call) {
        return Arguments.of(name, call);
    }

    private static Arguments ofAck(String field, Change change) {
        return Arguments.of(field, change);
    }

    /** Makes another ack of one. */
    private interface Change {
        TurnAck of(TurnAck ack);
    }
}
