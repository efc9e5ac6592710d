package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.MalformedQueueDocument;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SemverRange;
import io.sluice.provider.TagFilter;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueField;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

/** Queue documents that another program wrote, and wrote badly, keep nobody from the others. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MalformedMessagesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    /** More than there are kinds of damage. */
    private static final int MANY = 40;
    /** More than one look takes. */
    private static final int HUNDREDS = 300;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.sluice.provider.cosmos.search.QueueRows");
    private CosmosStore store;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        store = fixture.store();
        provider = fixture.provider();
        logged.list = new CopyOnWriteArrayList<>();
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void close() {
        logger.detachAppender(logged);
    }

    static Stream<Damage> ofMessages() {
        return Damage.ofMessages();
    }

    static Stream<Damage> ofActivities() {
        return Damage.ofActivities();
    }

    @Test
    void malformed_messages_of_every_kind_do_not_stop_the_orchestrator_queue() {
        writeMany(numbered(ofMessages(), i -> message("bad-" + i, start("bad-" + i), 1)).stream());
        provider.enqueueForOrchestrator(start("good"), null);
        CosmosProvider another = fixture.provider();

        List<String> taken = Stream.generate(() -> Stream.of(provider, another))
                .flatMap(both -> both)
                .limit(MANY)
                .map(StoreFixture::fetchTurn)
                .filter(Objects::nonNull)
                .map(turn -> turn.item().instance())
                .toList();

        assertThat(taken).as("whatever becomes of the others").contains("good");
    }

    @Test
    void malformed_activities_of_every_kind_do_not_stop_the_worker_queue() {
        writeMany(numbered(ofActivities(), i -> activityDocument("bad-" + i, 1)).stream());
        provider.enqueueForWorker(activity("good", 2));
        CosmosProvider another = fixture.provider();

        List<String> taken = Stream.generate(() -> Stream.of(provider, another))
                .flatMap(both -> both)
                .limit(MANY)
                .map(worker -> worker.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.any()))
                .flatMap(Optional::stream)
                .map(item -> item.item().routedInstance())
                .toList();

        assertThat(taken).as("whatever becomes of the others").contains("good");
    }

    @Test
    void hundreds_of_malformed_messages_hide_no_good_one() {
        writeMany(IntStream.range(0, HUNDREDS)
                .mapToObj(i -> message("bad-" + i, start("bad-" + i), i).put("attemptCount", 1e20)));
        provider.enqueueForOrchestrator(start("good"), null);

        assertThat(takeTurn(provider).item().instance()).isEqualTo("good");

        fixture.emulator().requests().clear();
        assertThat(fetchTurn(provider)).isNull();
        assertThat(fixture.dataRequests())
                .as("what is known to be malformed is not found again")
                .hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void hundreds_of_malformed_activities_hide_no_good_one() {
        writeMany(IntStream.range(0, HUNDREDS)
                .mapToObj(i -> activityDocument("bad-" + i, i).put("attemptCount", 1e20)));
        provider.enqueueForWorker(activity("good", 2));

        assertThat(takeActivity(provider).item()).isEqualTo(activity("good", 2));

        fixture.emulator().requests().clear();
        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        assertThat(fixture.dataRequests()).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void a_dispatcher_of_few_versions_finds_what_suits_behind_malformed_messages() {
        for (int i = 0; i < 3; i++) {
            provider.enqueueForOrchestrator(start("old-" + i), null);
            LockedTurn turn = takeTurn(provider);
            provider.ackOrchestrationItem(firstAck(turn)
                    .withMetadata(ExecutionMetadata.NONE
                            .withOrchestration("Order", "1.0.0")
                            .withPinnedVersion(SemanticVersion.of(9, 0, 0))));
        }
        for (int i = 0; i < 3; i++) {
            provider.enqueueForOrchestrator(raised("old-" + i, "x"), null);
        }
        writeMany(IntStream.range(0, HUNDREDS)
                .mapToObj(i ->
                        message("bad-" + i, start("bad-" + i), 1_000_000L + i).put("attemptCount", 1e20)));
        provider.enqueueForOrchestrator(start("good"), null);
        var filter = new DispatcherCapabilityFilter(
                List.of(new SemverRange(SemanticVersion.of(1, 0, 0), SemanticVersion.of(2, 0, 0))));
        CosmosProvider another = fixture.provider();

        Optional<LockedTurn> found = another.fetchOrchestrationItem(LOCK, Duration.ofSeconds(5), filter);

        assertThat(found)
                .hasValueSatisfying(turn -> assertThat(turn.item().instance()).isEqualTo("good"));
    }

    @Test
    void of_an_instance_with_a_malformed_message_the_others_are_handed_out_and_it_stays() {
        beginInstance(provider, "order-1");
        provider.enqueueForOrchestrator(raised("order-1", "first"), null);
        write(message("bad", raised("order-1", "lost"), 1)
                .put("instanceId", "order-1")
                .put("attemptCount", "one"));
        provider.enqueueForOrchestrator(raised("order-1", "second"), null);

        // One provider knows the instance, the other reads it.
        LockedTurn turn = takeTurn(provider);
        provider.abandonOrchestrationItem(turn.lockToken(), null, true);
        LockedTurn again = takeTurn(fixture.provider());
        provider.ackOrchestrationItem(firstAck(again).withHistory(List.of()));

        assertThat(turn.item().messages()).containsExactly(raised("order-1", "first"), raised("order-1", "second"));
        assertThat(again.item().messages()).isEqualTo(turn.item().messages());
        assertThat(fixture.documents(store, "order-1", "orch_queue"))
                .as("nobody has seen it: it is for an operator to repair or delete")
                .singleElement()
                .satisfies(left -> assertThat(DocumentJson.id(left)).isEqualTo("bad"));
        assertThat(fetchTurn(provider)).isNull();
        assertThat(fetchTurn(fixture.provider())).isNull();
    }

    @Test
    void a_malformed_document_is_logged_once_and_by_name() {
        write(message("bad-1", start("order-1"), 1).put("attemptCount", 1e20));
        write(message("bad-2", start("order-2"), 2).put("instanceId", 5).put("secret", "not to be logged"));
        write(activityDocument("bad-3", 3).put("tag", 7));

        for (int i = 0; i < 3; i++) {
            assertThat(fetchTurn(provider)).isNull();
            assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.any()))
                    .isEmpty();
        }

        assertThat(logged.list)
                .extracting(event -> event.getKeyValuePairs().toString())
                .filteredOn(line -> line.contains("bad-"))
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).contains("bad-1", "order-1", "attemptCount"))
                .anySatisfy(line -> assertThat(line).contains("bad-2", "instanceId"))
                .anySatisfy(line -> assertThat(line).contains("bad-3", "tag"))
                .noneSatisfy(line -> assertThat(line).contains("secret"));
    }

    @Test
    void what_a_query_leaves_out_is_what_the_reader_refuses() {
        List<ObjectNode> messages = numbered(ofMessages(), i -> message("message-" + i, start("order-1"), 1));
        List<ObjectNode> activities = numbered(ofActivities(), i -> activityDocument("activity-" + i, 1));
        writeMany(Stream.concat(messages.stream(), activities.stream()));

        assertThat(wellFormed(DocumentType.ORCHESTRATOR_QUEUE))
                .containsExactlyInAnyOrderElementsOf(read(messages, DocumentType.ORCHESTRATOR_QUEUE))
                .isNotEmpty();
        assertThat(wellFormed(DocumentType.WORKER_QUEUE))
                .containsExactlyInAnyOrderElementsOf(read(activities, DocumentType.WORKER_QUEUE))
                .isNotEmpty();
    }

    private static List<ObjectNode> numbered(Stream<Damage> damages, IntFunction<ObjectNode> document) {
        List<ObjectNode> documents = new ArrayList<>();
        damages.forEach(damage -> documents.add(damage.done(document.apply(documents.size()))));
        documents.add(document.apply(documents.size()));
        return documents;
    }

    private static List<String> read(List<ObjectNode> documents, DocumentType type) {
        return documents.stream()
                .filter(document -> QueueField.fault(document, type).isEmpty())
                .map(DocumentJson::id)
                .toList();
    }

    private List<String> wellFormed(DocumentType type) {
        String query =
                "SELECT VALUE c.id FROM c WHERE c.type = '" + type.wireName() + "' AND " + QueueField.condition(type);
        return store.container()
                .queryItems(query, new CosmosQueryRequestOptions(), String.class)
                .toStream()
                .toList();
    }

    @Test
    void an_operator_sees_each_malformed_document_with_what_is_wrong_with_it() {
        write(message("m-1", start("order-1"), 1).put("attemptCount", 1e20));
        write(message("m-2", start("order-2"), 1).put("instanceId", 5));
        write(message("m-3", start("order-3"), 1).put("workItem", "{\"StartOrchestration\":{\"secret"));
        write(message("m-4", start("order-4"), 1).put("lockedUntil", "never"));
        write(activityDocument("a-1", 1).put("sessionId", 7));
        provider.enqueueForOrchestrator(start("good"), null);
        provider.enqueueForWorker(activity("good", 2));
        ProviderAdmin admin = provider.asManagementCapability().orElseThrow();

        List<MalformedQueueDocument> found = admin.listMalformedQueueDocuments(100);

        assertThat(found)
                .extracting(
                        MalformedQueueDocument::queue,
                        MalformedQueueDocument::partition,
                        MalformedQueueDocument::id,
                        MalformedQueueDocument::field)
                .containsExactlyInAnyOrder(
                        tuple("orch_queue", "\"order-1\"", "m-1", "attemptCount"),
                        tuple("orch_queue", "5", "m-2", "instanceId"),
                        tuple("orch_queue", "\"order-3\"", "m-3", "workItem"),
                        tuple("orch_queue", "\"order-4\"", "m-4", "lockedUntil"),
                        tuple("worker_queue", "\"a-1\"", "a-1", "sessionId"));
        assertThat(found).extracting(MalformedQueueDocument::reason).noneMatch(reason -> reason.contains("secret"));
        assertThat(admin.listMalformedQueueDocuments(2)).hasSize(2);
        assertThatExceptionOfType(ProviderException.class)
                .isThrownBy(() -> admin.listMalformedQueueDocuments(0))
                .withMessageContaining("limit");
    }

    @Test
    void each_malformed_document_is_counted_once() {
        var registry = new SimpleMeterRegistry();
        CosmosProvider metered =
                fixture.provider(CosmosProvider.builder().reconciler(false).meterRegistry(registry));
        write(message("bad-1", start("order-1"), 1).put("attemptCount", 1e20));
        write(message("bad-2", start("order-2"), 2).put("enqueuedAt", "now"));
        write(message("undecodable-and-counted", start("order-3"), 3).put("workItem", "?"));

        for (int i = 0; i < 3; i++) {
            assertThat(fetchTurn(metered)).isNull();
        }

        assertThat(registry.get("sluice.provider.queue.malformed")
                        .tag("operation", "fetchOrchestrationItem")
                        .counter()
                        .count())
                .isEqualTo(3);
    }

    private static ObjectNode message(String id, WorkItem item, long enqueuedAt) {
        return document(id, "orch_queue", item, enqueuedAt).put("instanceId", item.routedInstance());
    }

    private static ObjectNode activityDocument(String id, long enqueuedAt) {
        return document(id, "worker_queue", activity(id, 2), enqueuedAt)
                .put("instanceId", id)
                .put("executionId", 1)
                .put("activityId", 2);
    }

    private static ObjectNode document(String id, String type, WorkItem item, long enqueuedAt) {
        return DocumentJson.object()
                .put("id", id)
                .put("type", type)
                .put("workItem", WorkItemJson.encode(item))
                .put("dispatchSlot", 1)
                .put("visibleAt", 1)
                .put("enqueuedAt", enqueuedAt)
                .putNull("lockToken")
                .putNull("lockedUntil")
                .put("attemptCount", 0)
                .putNull("sessionId");
    }

    private void write(ObjectNode document) {
        store.container()
                .createItem(document, key(document.get("instanceId")), new CosmosItemRequestOptions())
                .block();
    }

    private void writeMany(Stream<ObjectNode> documents) {
        Flux.fromStream(documents)
                .flatMap(
                        document -> store.container()
                                .createItem(document, key(document.get("instanceId")), new CosmosItemRequestOptions()),
                        8)
                .blockLast();
    }

    private static PartitionKey key(JsonNode instanceId) {
        if (instanceId.isNull()) {
            return new PartitionKey(null);
        }
        if (instanceId.isBoolean()) {
            return new PartitionKey(instanceId.booleanValue());
        }
        return instanceId.isNumber()
                ? new PartitionKey(instanceId.doubleValue())
                : new PartitionKey(instanceId.textValue());
    }
}
