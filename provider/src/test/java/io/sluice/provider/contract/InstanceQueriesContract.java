package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Instances are shown page by page, in the order of their creation, each once whatever happens meanwhile. */
public abstract class InstanceQueriesContract extends ProviderContract {
    private static final InstanceQuery OLDEST_FIRST = InstanceQuery.ALL.withOrder(InstanceQuery.Order.OLDEST_FIRST);

    /** Runs the category on stores from there. */
    protected InstanceQueriesContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_get_shows_an_instance_with_output_and_custom_status() {
        steps.create("x");
        steps.poke("x");
        steps.ack(ProviderSteps.ackOf(
                        steps.fetch(), ContractItems.event("x", 1, 50, new EventKind.CustomStatusUpdated("half")))
                .withMetadata(ProviderSteps.META.withStatus("Completed", "42")));

        InstanceSummary shown = queries().get("x").orElseThrow();

        assertThat(shown.instanceId()).isEqualTo("x");
        assertThat(shown.status()).isEqualTo("Completed");
        assertThat(shown.texts()).isEqualTo(new InstanceSummary.Texts("42", new CustomStatus("half", 1)));
        assertThat(shown.parentInstanceId()).isNull();
        assertThat(shown.updatedAt()).isAfterOrEqualTo(shown.createdAt());
    }

    @Test
    void test_get_of_an_unknown_instance_shows_nothing() {
        assertThat(queries().get("unknown")).isEmpty();
    }

    @Test
    void test_events_are_read_by_their_ids() {
        steps.create("x");
        steps.poke("x");
        steps.ack(ProviderSteps.ackOf(
                steps.fetch(),
                ContractItems.event("x", 1, 2, new EventKind.CustomStatusUpdated("half")),
                ContractItems.event("x", 1, 3, new EventKind.CustomStatusUpdated("whole"))));
        List<HistoryEvent> history = provider().read("x");

        assertThat(queries().events("x", 1, List.of(3L, 1L))).containsExactly(history.get(0), history.get(2));
        assertThat(queries().events("x", 1, List.of(2L, 99L))).containsExactly(history.get(1));
        assertThat(queries().events("x", 2, List.of(1L))).isEmpty();
        assertThat(queries().events("unknown", 1, List.of(1L))).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> queries().events("x", 1, List.of()));
    }

    @Test
    void test_the_start_that_waits_is_shown_until_the_first_turn_is_acked() {
        start("x", null);
        WorkItem start = ContractItems.start("x");

        assertThat(queries().waitingStart("x").map(WorkItem.class::cast)).contains(start);
        LockedTurn turn = steps.fetch();
        assertThat(queries().waitingStart("x").map(WorkItem.class::cast)).contains(start);

        steps.ack(ProviderSteps.ackOf(turn));
        assertThat(queries().waitingStart("x")).isEmpty();
        assertThat(queries().waitingStart("unknown")).isEmpty();
    }

    @Test
    void test_query_of_an_empty_store() {
        assertThat(queries().query(InstanceQuery.ALL, 10, null)).isEqualTo(new InstancePage(List.of(), null));
    }

    @Test
    void test_query_shows_the_newest_first_or_the_oldest() {
        startInTurn("a", "b", "c");

        assertThat(ids(InstanceQuery.ALL, 10)).containsExactly("c", "b", "a");
        assertThat(ids(OLDEST_FIRST, 10)).containsExactly("a", "b", "c");
    }

    @Test
    void test_query_orders_instances_of_one_moment_by_id() {
        for (String id : List.of("c", "a", "e", "b", "d")) {
            start(id, null);
        }
        List<String> expected = List.of("a", "b", "c", "d", "e").stream()
                .sorted(Comparator.comparing(this::created).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();

        assertThat(ids(InstanceQuery.ALL, 10)).isEqualTo(expected);
        assertThat(ids(InstanceQuery.ALL, 2)).isEqualTo(ids(InstanceQuery.ALL, 10));
        assertThat(ids(OLDEST_FIRST, 1)).isEqualTo(ids(OLDEST_FIRST, 10));
    }

    @Test
    void test_pages_of_any_size_show_every_instance_once() {
        IntStream.range(0, 23).forEach(i -> {
            start("i" + i, null);
            if (i % 3 == 0) {
                steps.passMillis(1);
            }
        });

        List<String> all = ids(InstanceQuery.ALL, 100);
        assertThat(all).hasSize(23).doesNotHaveDuplicates();
        for (int size : List.of(1, 2, 5, 22, 23, 24)) {
            assertThat(ids(InstanceQuery.ALL, size)).as("pages of %s", size).isEqualTo(all);
            assertThat(ids(OLDEST_FIRST, size))
                    .as("pages of %s", size)
                    .hasSize(23)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void test_pages_are_stable_while_instances_are_added() {
        startInTurn("a", "b", "c", "d");
        InstancePage newest = queries().query(InstanceQuery.ALL, 2, null);
        InstancePage oldest = queries().query(OLDEST_FIRST, 2, null);

        startInTurn("e");

        assertThat(ids(queries().query(InstanceQuery.ALL, 10, newest.continuation())))
                .containsExactly("b", "a");
        assertThat(ids(queries().query(OLDEST_FIRST, 10, oldest.continuation())))
                .containsExactly("c", "d", "e");
    }

    @Test
    void test_pages_are_stable_while_instances_are_deleted() {
        for (String id : List.of("a", "b", "c", "d")) {
            steps.completed(id);
            steps.passMillis(1);
        }
        InstancePage first = queries().query(InstanceQuery.ALL, 2, null);

        admin().deleteInstance("c", false);

        assertThat(ids(first)).containsExactly("d", "c");
        assertThat(ids(queries().query(InstanceQuery.ALL, 10, first.continuation())))
                .containsExactly("b", "a");
    }

    @Test
    void test_query_by_status() {
        steps.create("running");
        steps.completed("done");

        assertThat(ids(InstanceQuery.ALL.withStatuses(Set.of("Running")), 10)).containsExactly("running");
        assertThat(ids(InstanceQuery.ALL.withStatuses(Set.of("Completed", "Failed")), 10))
                .containsExactly("done");
        assertThat(ids(InstanceQuery.ALL.withStatuses(Set.of("Failed")), 10)).isEmpty();
    }

    @Test
    void test_query_by_text_kept_along() {
        start("pending", "{\"status\":\"PENDING\"}");
        start("suspended", "{\"status\":\"SUSPENDED\"}");
        start("other", "{\"status\":7}");
        start("none", null);

        assertThat(ids(withExt(new ExtCondition.OneOf("status", List.of("SUSPENDED", "TERMINATED"))), 10))
                .containsExactly("suspended");
        assertThat(ids(withExt(new ExtCondition.OneOf("status", List.of("SUSPENDED", "PENDING"))), 10))
                .containsExactlyInAnyOrder("suspended", "pending");
        assertThat(ids(withExt(new ExtCondition.OneOf("state", List.of("PENDING"))), 10))
                .isEmpty();
    }

    @Test
    void test_query_by_number_kept_along() {
        start("early", "{\"completedAt\":1000}");
        start("late", "{\"completedAt\":2000}");
        start("text", "{\"completedAt\":\"1500\"}");
        start("never", null);

        assertThat(ids(withExt(new ExtCondition.Between("completedAt", 1_000L, 1_999L)), 10))
                .containsExactly("early");
        assertThat(ids(withExt(new ExtCondition.Between("completedAt", 1_001L, null)), 10))
                .containsExactly("late");
        assertThat(ids(withExt(new ExtCondition.Between("completedAt", null, null)), 10))
                .containsExactlyInAnyOrder("early", "late");
    }

    @Test
    void test_query_by_time_of_creation() {
        startInTurn("a", "b", "c");

        assertThat(ids(InstanceQuery.ALL.withCreated(created("b"), null), 10)).containsExactly("c", "b");
        assertThat(ids(InstanceQuery.ALL.withCreated(null, created("b")), 10)).containsExactly("b", "a");
        assertThat(ids(
                        InstanceQuery.ALL.withCreated(
                                created("b").plusNanos(1), created("c").minusNanos(1)),
                        10))
                .isEmpty();
        assertThat(ids(InstanceQuery.ALL.withCreated(Instant.MIN, Instant.MAX), 2))
                .hasSize(3);
    }

    @Test
    void test_query_by_prefix_of_ids() {
        startInTurn("order-1", "order-2", "Order-3", "orde");

        assertThat(ids(InstanceQuery.ALL.withIdPrefix("order-"), 10)).containsExactly("order-2", "order-1");
        assertThat(ids(InstanceQuery.ALL.withIdPrefix(""), 10)).hasSize(4);
    }

    @Test
    void test_query_by_several_conditions_page_by_page() {
        for (int i = 0; i < 12; i++) {
            start((i % 2 == 0 ? "even-" : "odd-") + i, "{\"status\":\"" + (i % 3 == 0 ? "A" : "B") + "\"}");
            steps.passMillis(1);
        }

        InstanceQuery query = OLDEST_FIRST
                .withIdPrefix("even-")
                .withStatuses(Set.of("Running"))
                .withExt(List.of(new ExtCondition.OneOf("status", List.of("A"))));
        assertThat(ids(query, 1)).containsExactly("even-0", "even-6");
    }

    @Test
    void test_texts_come_when_asked_for() {
        steps.completed("x");

        assertThat(queries()
                        .query(InstanceQuery.ALL, 1, null)
                        .instances()
                        .get(0)
                        .texts())
                .isNull();
        assertThat(queries()
                        .query(InstanceQuery.ALL.withTexts(true), 1, null)
                        .instances()
                        .get(0))
                .isEqualTo(queries().get("x").orElseThrow());
    }

    @Test
    void test_continuation_of_another_query_is_refused() {
        startInTurn("a", "b", "c");
        String continuation = queries().query(InstanceQuery.ALL, 1, null).continuation();

        for (String wrong : List.of("", "no", "e30", "bm90IGpzb24")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> queries().query(InstanceQuery.ALL, 1, wrong))
                    .withMessageContaining("continuation");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queries().query(OLDEST_FIRST, 1, continuation))
                .withMessageContaining("another");
        assertThatIllegalArgumentException().isThrownBy(() -> queries().query(InstanceQuery.ALL, 0, null));
        assertThat(ids(queries().query(InstanceQuery.ALL.withTexts(true), 7, continuation)))
                .containsExactly("b", "a");
    }

    private InstanceQueries queries() {
        return store().queries(provider());
    }

    private static InstanceQuery withExt(ExtCondition condition) {
        return InstanceQuery.ALL.withExt(List.of(condition));
    }

    private void startInTurn(String... ids) {
        for (String id : ids) {
            start(id, null);
            steps.passMillis(1);
        }
    }

    private void start(String id, @Nullable String ext) {
        InstanceStart wish = InstanceStart.of((WorkItem.StartOrchestration) ContractItems.start(id));
        store().starts(provider()).startInstance(wish.withExt(ext == null ? null : new InstanceExt(ext)));
    }

    private Instant created(String id) {
        return queries().get(id).orElseThrow().createdAt();
    }

    /** Of all pages of this size. */
    private List<String> ids(InstanceQuery query, int size) {
        List<String> ids = new ArrayList<>();
        @Nullable String next = null;
        do {
            InstancePage page = queries().query(query, size, next);
            assertThat(page.instances()).hasSizeLessThanOrEqualTo(size);
            ids.addAll(ids(page));
            next = page.continuation();
        } while (next != null);
        return ids;
    }

    private static List<String> ids(InstancePage page) {
        return page.instances().stream().map(InstanceSummary::instanceId).toList();
    }
}
