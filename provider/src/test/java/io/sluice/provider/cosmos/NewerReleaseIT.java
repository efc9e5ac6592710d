package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.request.Operations;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A newer release works on the same store: simulated by documents with fields and versions that this one lacks. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NewerReleaseIT {
    private static final String FIELD = "ofANewerRelease";
    private static final ObjectNode CONTENT =
            JsonNodeFactory.instance.objectNode().put("n", 2.5).set("list", JsonNodeFactory.instance.arrayNode());

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        store = fixture.store();
        provider = fixture.provider();
        provider.enqueueForOrchestrator(start("order-1"), null);
    }

    @Nested
    class Fields {
        @ParameterizedTest
        @ValueSource(ints = {1, 150})
        void of_an_instance_outlive_turns_of_any_size_of_whatever_process(int events) {
            provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
            extend("instance");

            for (int i = 0; i < 2; i++) {
                CosmosProvider another = i == 0 ? fixture.provider() : provider;
                provider.enqueueForOrchestrator(raised("order-1", "x"), null);
                LockedTurn turn = takeTurn(another);
                another.renewOrchestrationItemLock(turn.lockToken(), LOCK);
                another.abandonOrchestrationItem(turn.lockToken(), null, true);
                LockedTurn again = takeTurn(another);
                long first = 2 + (long) i * events;
                another.ackOrchestrationItem(TurnAck.of(again.lockToken(), 1)
                        .withHistory(LongStream.range(first, first + events)
                                .mapToObj(id -> event("order-1", id, new EventKind.ExternalEvent("x", "")))
                                .toList()));
                assertThat(provider.read("order-1")).hasSize(1 + (i + 1) * events);

                assertExtended("instance");
            }
        }

        @Test
        void of_messages_and_activities_outlive_locks() {
            extend("orch_queue");
            LockedTurn turn = takeTurn(provider);
            provider.renewOrchestrationItemLock(turn.lockToken(), LOCK);
            provider.abandonOrchestrationItem(turn.lockToken(), null, false);
            assertExtended("orch_queue");

            provider.enqueueForWorker(StoreFixture.activity("order-1", 1));
            extend("worker_queue");
            var activity = takeActivity(provider);
            provider.renewWorkItemLock(activity.lockToken(), LOCK);
            provider.abandonWorkItem(activity.lockToken(), null, false);
            assertExtended("worker_queue");
        }

        @Test
        void of_a_session_outlive_its_next_claim() {
            SessionFetchConfig me = new SessionFetchConfig("me", LOCK);
            provider.enqueueForWorker(ofSession(1));
            assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, me, TagFilter.any()))
                    .isPresent();
            extend("session");
            provider.enqueueForWorker(ofSession(2));

            assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, me, TagFilter.any()))
                    .isPresent();
            provider.renewSessionLock(List.of("me"), LOCK, LOCK);

            assertExtended("session");
        }

        @Test
        void of_a_key_outlive_its_next_value_and_its_commit() {
            provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                    .withHistory(List.of(event("order-1", 1, new EventKind.KeyValueSet("k", "one", 1)))));
            extend("kv_delta");
            CosmosProvider other = fixture.provider();
            provider.enqueueForOrchestrator(raised("order-1", "x"), null);

            other.ackOrchestrationItem(TurnAck.of(takeTurn(other).lockToken(), 1)
                    .withHistory(List.of(event("order-1", 2, new EventKind.KeyValueSet("k", "two", 2)))));
            assertExtended("kv_delta");
            other.enqueueForOrchestrator(raised("order-1", "y"), null);
            other.ackOrchestrationItem(TurnAck.of(takeTurn(other).lockToken(), 1)
                    .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "ok")));

            assertExtended("kv");
            assertThat(other.getKvValue("order-1", "k")).contains("two");
        }

        private WorkItem ofSession(long id) {
            return new WorkItem.ActivityExecute("order-1", 1, id, "charge", "{}", "s", null);
        }

        private void extend(String type) {
            write(only(type).set(FIELD, CONTENT));
        }

        private void assertExtended(String type) {
            assertThat(only(type).get(FIELD)).isEqualTo(CONTENT);
        }
    }

    @Nested
    class AnInstanceOfAHigherVersion {
        private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
        private ObjectNode newer;

        /** It has ended an execution, and a message waits for it; another instance works on. */
        @BeforeEach
        void raise() {
            provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                    .withMetadata(ExecutionMetadata.NONE
                            .withOrchestration("Order", "1.0.0")
                            .withStatus("Completed", "ok")));
            provider.enqueueForOrchestrator(raised("order-1", "x"), null);
            write(only("instance").put("schemaVersion", 2).put("status", "Finished"));
            newer = only("instance");
        }

        @Test
        void is_left_alone_by_processes_that_know_it_and_by_others_while_they_go_on_with_the_rest() {
            for (CosmosProvider old : List.of(provider, metered())) {
                old.enqueueForOrchestrator(start("order-2"), null);

                LockedTurn turn = takeTurn(old);

                assertThat(turn.item().instance()).isEqualTo("order-2");
                old.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
                assertThat(fetchTurn(old)).isNull();
            }
            assertThat(only("instance")).isEqualTo(newer);
            assertThat(fixture.documents(store, "order-1", "orch_queue"))
                    .singleElement()
                    .satisfies(message ->
                            assertThat(message.path("attemptCount").asInt()).isZero());
        }

        @Test
        void is_neither_acked_nor_removed_nor_pruned_nor_read_and_each_says_so() {
            CosmosProvider old = metered();
            ProviderAdmin admin = old.asManagementCapability().orElseThrow();

            assertRefused(() -> old.instanceTurns().fetch("order-1", LOCK));
            assertRefused(() -> admin.deleteInstance("order-1", true));
            assertRefused(() -> admin.deleteInstancesAtomic(List.of("order-1"), true));
            assertRefused(() -> admin.pruneExecutions("order-1", PruneOptions.ALL_FINISHED));
            assertRefused(() -> admin.getInstanceInfo("order-1"));
            assertRefused(() -> old.getCustomStatus("order-1", -1));
            assertThat(admin.deleteInstanceBulk(InstanceFilter.ALL).instancesDeleted())
                    .isZero();
            assertThat(admin.pruneExecutionsBulk(InstanceFilter.ALL, PruneOptions.ALL_FINISHED)
                            .instancesProcessed())
                    .isZero();

            assertThat(only("instance")).isEqualTo(newer);
            assertThat(old.readWithExecution("order-1", 1)).hasSize(1);
        }

        @Test
        void is_not_acked_by_a_turn_that_was_fetched_before() {
            write(only("instance").put("schemaVersion", 1).put("status", "Running"));
            CosmosProvider old = fixture.provider();
            LockedTurn turn = takeTurn(old);
            write(only("instance").put("schemaVersion", 2));
            newer = only("instance");

            assertThatThrownBy(() -> old.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)))
                    .isInstanceOf(ProviderException.class);

            assertThat(only("instance")).isEqualTo(newer);
        }

        @Test
        void is_told_of_once_and_counted() {
            CosmosProvider old = metered();
            Logger logger = (Logger) LoggerFactory.getLogger(Operations.class);
            logged.start();
            logger.addAppender(logged);
            try {
                for (int i = 0; i < 3; i++) {
                    assertRefused(() -> old.instanceTurns().fetch("order-1", LOCK));
                }
                fetchTurn(old);
            } finally {
                logger.detachAppender(logged);
            }

            assertThat(logged.list)
                    .filteredOn(line -> line.getFormattedMessage().contains("newer release"))
                    .hasSize(1);
            assertThat(registry.get("sluice.provider.documents.newer")
                            .tag("operation", "fetchOrchestrationItem")
                            .counter()
                            .count())
                    .isGreaterThanOrEqualTo(3);
        }

        @Test
        void keeps_its_parent_from_being_removed_without_it() {
            provider.enqueueForOrchestrator(start("parent"), null);
            provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                    .withMetadata(ExecutionMetadata.NONE
                            .withOrchestration("Order", "1.0.0")
                            .withStatus("Completed", "ok")));
            write(only("instance").put("parentInstanceId", "parent"));
            ProviderAdmin admin = provider.asManagementCapability().orElseThrow();

            assertThatThrownBy(() -> admin.deleteInstance("parent", true)).isInstanceOf(ProviderException.class);

            assertThat(admin.listInstances()).containsExactly("parent");
            assertThat(fixture.documents(store, "order-1", "instance")).hasSize(1);
        }

        private CosmosProvider metered() {
            return fixture.provider(CosmosProvider.builder().reconciler(false).meterRegistry(registry));
        }

        private void assertRefused(ThrowingCallable call) {
            assertThatThrownBy(call)
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isFalse())
                    .hasMessageContaining("order-1")
                    .hasMessageContaining("schema version 2");
        }
    }

    @Nested
    class AStoreOfAHigherVersion {
        @Test
        void is_not_opened() {
            write(version().put("schemaVersion", 2));

            assertThatThrownBy(() -> CosmosStore.open(fixture.config()))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isFalse())
                    .hasMessageContaining("schema version 2")
                    .hasMessageContaining("start a release that knows version 2");
        }

        @Test
        void is_told_from_one_of_the_same_version_and_from_one_that_can_not_be_read() {
            write(version().put("schemaVersion", 1).put(FIELD, "x"));
            CosmosStore.open(fixture.config()).close();
            write(version().put("schemaVersion", "two"));

            assertThatThrownBy(() -> CosmosStore.open(fixture.config()))
                    .isInstanceOf(ProviderException.class)
                    .hasMessageContaining("'schemaVersion' must be a number or null, was string");
        }

        private ObjectNode version() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("id", DocumentIds.STORE)
                    .put("instanceId", DocumentIds.STORE)
                    .put("type", "store");
        }
    }

    private ObjectNode only(String type) {
        List<ObjectNode> all = fixture.documents(store, "order-1", type);
        assertThat(all).as(type).hasSize(1);
        return all.get(0);
    }

    private void write(ObjectNode document) {
        store.container().upsertItem(document).block();
    }
}
