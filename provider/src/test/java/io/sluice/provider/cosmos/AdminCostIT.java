package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

/** Deleting costs in proportion to what is deleted, however much else the store holds. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AdminCostIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosProvider provider;
    private ProviderAdmin admin;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        provider = fixture.provider(CosmosProvider.builder().reconciler(false));
        admin = provider.asManagementCapability().orElseThrow();
    }

    @Test
    void the_oldest_of_many_is_deleted_without_reading_all_of_them() {
        finished("model", null);
        copies(200, "model", 1);
        emulator.requests().clear();

        assertThat(delete(null, 1)).isEqualTo(1);

        assertThat(documentsRead())
                .as("4 from each of 4 partitions, and what is deleted")
                .isLessThan(40);
        assertThat(emulator.requests().all()).hasSizeLessThanOrEqualTo(24);
        assertThat(admin.listInstances()).hasSize(200).doesNotContain("copy-0");
    }

    @Test
    void instances_of_one_moment_fill_more_than_a_page_and_are_all_found() {
        finished("model", null);
        copies(70, "model", 0);

        assertThat(delete(null, 25)).isEqualTo(25);
        assertThat(delete(null, null)).isEqualTo(46);

        assertThat(admin.listInstances()).isEmpty();
    }

    @Test
    void what_was_created_after_the_time_of_completion_asked_for_is_not_looked_at() {
        finished("model", null);
        copies(400, "model", 10_000);
        long created = admin.getInstanceInfo("copy-3").createdAtMillis();
        emulator.requests().clear();

        assertThat(delete(created + 1, null))
                .as("copies that ended when the model did")
                .isZero();

        assertThat(documentsRead()).as("heads and ends of some seventy").isLessThan(200);
        assertThat(emulator.requests().all()).hasSizeLessThanOrEqualTo(40);
    }

    @Test
    void the_roots_of_many_trees_are_searched_for_children_together() {
        finished("model", null);
        copies(30, "model", 1);
        finished("child", "copy-7");
        emulator.requests().clear();

        assertThat(delete(null, 30)).as("thirty roots, and a child of one").isEqualTo(31);

        assertThat(emulator.requests().all())
                .as("a child more is two attempts for its root; 276 for 25 roots with a search for each")
                .hasSizeLessThanOrEqualTo(30 * 11 + 60);
    }

    @Test
    void a_tree_is_found_by_a_search_for_each_of_its_levels() {
        tree();
        emulator.requests().clear();

        assertThat(admin.getInstanceTree("root").allIds()).hasSize(21).startsWith("root");

        assertThat(emulator.requests().all())
                .as("two searches of 4 partitions each; one for each instance took 105")
                .hasSizeLessThanOrEqualTo(8);
    }

    @Test
    void a_tree_is_deleted_by_a_few_requests_for_each_of_its_instances() {
        tree();
        emulator.requests().clear();

        assertThat(admin.deleteInstance("root", false).instancesDeleted()).isEqualTo(21);

        assertThat(emulator.requests().matching(request -> request.operation() != RequestKind.QUERY_PLAN))
                .as("lock, look, and three to remove each; 268 before. A plan is asked for by each thread, once")
                .hasSizeLessThanOrEqualTo(21 * 5 + 25);
        assertThat(admin.listInstances()).isEmpty();
    }

    @Test
    void instances_that_wait_for_their_first_fetch_are_not_asked_for_a_history() {
        finished("done", null);
        for (int i = 0; i < 30; i++) {
            provider.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("waiting-" + i)));
        }
        emulator.requests().clear();

        assertThat(admin.listInstances()).containsExactly("done");
        assertThat(admin.listInstancesByStatus("Running")).isEmpty();
        assertThat(admin.getSystemMetrics().totalInstances()).isEqualTo(1);
        assertThatThrownBy(() -> admin.getInstanceInfo("waiting-3")).hasMessageContaining("not found");

        assertThat(emulator.requests().all())
                .noneMatch(request ->
                        request.body().contains("waiting-3") && request.body().contains("c.type = 'history'"))
                .noneMatch(request ->
                        "[\"waiting-3\"]".equals(request.partitionKey()) && request.operation() == RequestKind.QUERY);
    }

    private void tree() {
        finished("root", null);
        for (int i = 0; i < 20; i++) {
            finished("root::sub::" + i, "root");
        }
    }

    private long delete(@Nullable Long completedBefore, @Nullable Integer limit) {
        return admin.deleteInstanceBulk(new InstanceFilter(null, completedBefore, limit))
                .instancesDeleted();
    }

    private long documentsRead() {
        return emulator.requests().all().stream()
                .mapToLong(LoggedRequest::itemCount)
                .sum();
    }

    private void finished(String instance, @Nullable String parent) {
        provider.enqueueForOrchestrator(start(instance), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("Order", "1.0.0")
                        .withStatus("Completed", "done")
                        .withParent(parent)));
    }

    /** Heads like the model's, created before it, the first of them first; so many milliseconds apart. */
    private void copies(int count, String model, long apart) {
        ObjectNode head = fixture.documents(store, model, "instance").get(0);
        long created = head.path("createdAt").asLong() - 10_000_000;
        Flux.range(0, count)
                .flatMap(
                        i -> {
                            String id = "copy-" + i;
                            ObjectNode copy = head.deepCopy()
                                    .put("id", id + ":instance")
                                    .put("instanceId", id)
                                    .put("createdAt", created + i * apart);
                            return store.container()
                                    .createItem(copy, new PartitionKey(id), new CosmosItemRequestOptions());
                        },
                        8)
                .blockLast();
    }
}
