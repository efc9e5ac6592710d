package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.CustomStatus;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.DeletionDocument.State;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.testkit.CosmosAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Looking for instances writes nothing, and takes no more memory than a page should. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QueriesIT {
    private static final InstanceQuery OLDEST = InstanceQuery.ALL.withOrder(InstanceQuery.Order.OLDEST_FIRST);
    private static final int FORBIDDEN = 403;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        provider = fixture.provider();
    }

    @Test
    void a_reader_without_rights_to_write_is_shown_what_exists() {
        put("free", 1, null);
        for (State state : State.values()) {
            DeletionDocument deletion = new DeletionDocument(
                    UUID.randomUUID().toString(), "home-" + state, state, List.of("home-" + state), 0, false);
            create("home-" + state, deletion.toJson());
            put("home-" + state, 2, deletion.token());
            put("other-" + state, 3, deletion.token());
        }
        put("forgotten", 4, "deletion:" + UUID.randomUUID() + ":nowhere");
        emulator.faults().refuse(QueriesIT::isWrite, 0, FORBIDDEN, 0);
        emulator.requests().clear();

        assertThat(ids(provider.queries().query(OLDEST, 100, null)))
                .containsExactly("free", "home-ABORTED", "home-OPEN", "other-ABORTED", "other-OPEN", "forgotten");

        assertThat(emulator.requests().matching(request -> request.operation() == RequestKind.ITEM_READ))
                .as("one for each deletion")
                .hasSize(State.values().length + 1);
        assertThat(provider.queries().get("other-COMMITTED")).isEmpty();
        assertThat(provider.queries().get("other-OPEN")).isPresent();
        assertThat(provider.queries().get("forgotten")).isPresent();
        assertThat(emulator.requests().matching(QueriesIT::isWrite)).isEmpty();
    }

    private static boolean isWrite(LoggedRequest request) {
        return request.operation().isData()
                && request.operation() != RequestKind.QUERY
                && request.operation() != RequestKind.ITEM_READ;
    }

    @Test
    void a_page_ends_where_its_texts_become_too_many_and_the_next_one_goes_on_there() {
        for (int i = 0; i < 8; i++) {
            create("large-" + i, head("large-" + i, i, null).put("output", "x".repeat(1_500_000)));
        }
        create("small", head("small", 8, null).put("customStatus", "half").put("customStatusVersion", 3));
        put("without", 9, null);

        List<List<String>> pages = pages(OLDEST.withTexts(true));

        assertThat(pages)
                .containsExactly(
                        List.of("large-0", "large-1", "large-2", "large-3", "large-4"),
                        List.of("large-5", "large-6", "large-7", "small", "without"));
        assertThat(emulator.requests().matching(request -> request.operation() == RequestKind.QUERY))
                .as("bytes of an answer")
                .allMatch(request -> request.bytesOut() < 4_000_000);
        assertThat(pages(OLDEST)).as("without texts").hasSize(1);
    }

    @Test
    void texts_of_a_page_are_those_of_its_instances() {
        create(
                "both",
                head("both", 1, null)
                        .put("output", "ü".repeat(10))
                        .put("customStatus", "half")
                        .put("customStatusVersion", 3));
        put("without", 2, null);
        emulator.requests().clear();

        List<InstanceSummary> page =
                provider.queries().query(OLDEST.withTexts(true), 10, null).instances();

        assertThat(page)
                .extracting(each -> Objects.requireNonNull(each.texts()).output())
                .containsExactly("ü".repeat(10), null);
        assertThat(page)
                .extracting(each ->
                        Objects.requireNonNull(each.texts()).customStatus().version())
                .containsExactly(3L, 0L);
    }

    @Test
    void an_instance_that_moves_on_while_its_texts_are_read_is_shown_only_if_it_still_matches() {
        try (CosmosEmulator single =
                        CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(1));
                CosmosStore moving = provisioned(single);
                CosmosProvider reader =
                        CosmosProvider.builder().reconciler(false).store(moving).build()) {
            write(moving, head("moves", 1, null).put("customStatus", "half"));
            ObjectNode ended = head("moves", 1, null).put("status", "Completed").put("output", "done");
            InstanceQuery running = OLDEST.withStatuses(Set.of("Running")).withTexts(true);

            try (NthRequest texts = NthRequest.doing(single, QueriesIT::isForTexts, 1, () -> write(moving, ended))) {
                assertThat(ids(reader.queries().query(running, 10, null))).isEmpty();

                assertThat(texts.happened()).isTrue();
            }
        }
    }

    private static CosmosStore provisioned(CosmosEmulator of) {
        var config = new CosmosStoreConfig(of.endpoint(), of.key(), "queries", "queries");
        CosmosStore.provision(config);
        return CosmosStore.open(config);
    }

    private static void write(CosmosStore to, ObjectNode head) {
        to.container()
                .upsertItem(head, new PartitionKey(head.path("instanceId").asText()), null)
                .block();
    }

    private static boolean isForTexts(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.body().contains("c.customStatus,");
    }

    @Test
    void a_page_after_a_turn_shows_its_texts() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        var ack = firstAck(takeTurn(provider));
        provider.ackOrchestrationItem(ack.withMetadata(ack.metadata().withStatus("Completed", "done")));

        assertThat(provider.queries().query(OLDEST.withTexts(true), 10, null).instances())
                .singleElement()
                .satisfies(each -> assertThat(each)
                        .isEqualTo(provider.queries().get("order-1").orElseThrow()));
    }

    @Test
    void empty_texts_of_a_page_are_told_from_none() {
        create("output", head("output", 1, null).put("output", ""));
        create("status", head("status", 2, null).put("customStatus", "").put("customStatusVersion", 1));
        put("none", 3, null);

        List<InstanceSummary> page =
                provider.queries().query(OLDEST.withTexts(true), 10, null).instances();

        assertThat(page)
                .extracting(each -> Objects.requireNonNull(each.texts()))
                .containsExactly(
                        new InstanceSummary.Texts("", new CustomStatus(null, 0)),
                        new InstanceSummary.Texts(null, new CustomStatus("", 1)),
                        new InstanceSummary.Texts(null, new CustomStatus(null, 0)));
        assertThat(page)
                .allMatch(each ->
                        each.equals(provider.queries().get(each.instanceId()).orElseThrow()));
    }

    @Test
    void what_is_stored_in_place_of_a_text_is_not_shown_as_none() {
        create("wrong", head("wrong", 1, null).put("output", 7));
        create("right", head("right", 2, null).put("output", "7"));

        assertThat(ids(provider.queries().query(OLDEST.withTexts(true), 10, null)))
                .containsExactly("right");
    }

    private List<List<String>> pages(InstanceQuery query) {
        List<List<String>> pages = new ArrayList<>();
        @Nullable String continuation = null;
        do {
            InstancePage page = provider.queries().query(query, 100, continuation);
            pages.add(ids(page));
            continuation = page.continuation();
        } while (continuation != null);
        return pages;
    }

    private static List<String> ids(InstancePage page) {
        return page.instances().stream().map(InstanceSummary::instanceId).toList();
    }

    private void put(String instance, long createdAt, @Nullable String lockToken) {
        create(instance, head(instance, createdAt, lockToken));
    }

    private void create(String instance, ObjectNode document) {
        store.container().createItem(document, new PartitionKey(instance), null).block();
    }

    private static ObjectNode head(String instance, long createdAt, @Nullable String lockToken) {
        return InstanceDocument.skeleton(instance, "Order", "1.0.0", createdAt)
                .toJson()
                .put("lockToken", lockToken);
    }
}
