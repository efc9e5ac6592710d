package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.document.InstanceDocument;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** What a page costs is in proportion to the page and to the physical partitions, not to what the store holds. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QueryCostIT {
    private static final int PARTITIONS = 8;
    private static final int INSTANCES = 2_000;
    private static final long BEGIN = 1_740_000_000_000L;

    private static CosmosEmulator emulator;
    private static CosmosStore store;
    private static CosmosProvider provider;

    /** Once: the tests read alone. */
    @BeforeAll
    static void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(PARTITIONS));
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "queries", "queries");
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        provider = CosmosProvider.builder().reconciler(false).config(config).build();
        Flux.range(0, INSTANCES)
                .flatMap(i -> store.container().createItem(head(i), new PartitionKey("order-" + i), null))
                .blockLast();
        provider.queries().query(InstanceQuery.ALL, 1, null);
    }

    @BeforeEach
    void forget() {
        emulator.requests().clear();
    }

    @AfterAll
    static void close() {
        provider.close();
        store.close();
        emulator.close();
    }

    @Test
    void a_page_takes_one_request_to_each_partition_and_few_to_those_that_have_more_than_their_share() {
        InstancePage page = provider.queries().query(InstanceQuery.ALL, 50, null);

        assertThat(page.instances())
                .extracting(InstanceSummary::instanceId)
                .startsWith("order-1999", "order-1998")
                .hasSize(50);
        assertThat(queries()).hasSizeBetween(PARTITIONS, PARTITIONS + 2);
        assertThat(emulator.requests().matching(request -> request.operation() == RequestKind.QUERY_PLAN))
                .as("plans")
                .isEmpty();
        assertThat(queries().stream().mapToInt(LoggedRequest::itemCount).sum())
                .as("documents: twice the page's, and the second look at a partition or two")
                .isLessThanOrEqualTo(50 * 2 + 2 * PARTITIONS + 60);
    }

    @Test
    void a_page_in_the_middle_costs_what_the_first_one_does() {
        @Nullable String continuation = null;
        for (int i = 0; i < 20; i++) {
            continuation = provider.queries()
                    .query(InstanceQuery.ALL, 50, continuation)
                    .continuation();
        }
        emulator.requests().clear();

        InstancePage page = provider.queries().query(InstanceQuery.ALL, 50, continuation);

        assertThat(page.instances().get(0).instanceId()).isEqualTo("order-999");
        assertThat(queries()).hasSizeBetween(PARTITIONS, PARTITIONS + 2);
    }

    @Test
    void all_pages_together_show_every_instance_once_in_order() {
        List<String> seen = new ArrayList<>();
        @Nullable String continuation = null;
        do {
            InstancePage page = provider.queries()
                    .query(InstanceQuery.ALL.withOrder(InstanceQuery.Order.OLDEST_FIRST), 300, continuation);
            page.instances().forEach(instance -> seen.add(instance.instanceId()));
            continuation = page.continuation();
        } while (continuation != null);

        assertThat(seen).hasSize(INSTANCES).startsWith("order-0", "order-1").endsWith("order-1999");
        assertThat(new HashSet<>(seen)).hasSize(INSTANCES);
        assertThat(queries()).as("seven pages").hasSizeLessThanOrEqualTo(7 * (PARTITIONS + 2));
    }

    @Test
    void what_few_instances_satisfy_is_found_by_one_request_to_each_partition() {
        InstanceQuery rare = InstanceQuery.ALL
                .withStatuses(Set.of("Running"))
                .withExt(List.of(new ExtCondition.OneOf("status", List.of("RARE"))));

        InstancePage page = provider.queries().query(rare, 50, null);

        assertThat(page.instances()).hasSize(2);
        assertThat(page.continuation()).isNull();
        assertThat(queries()).hasSize(PARTITIONS);
    }

    @Test
    void one_instance_takes_one_point_read() {
        assertThat(provider.queries().get("order-7")).isPresent();

        assertThat(emulator.requests().matching(request -> request.operation().isData()))
                .extracting(LoggedRequest::operation)
                .containsExactly(RequestKind.ITEM_READ);
    }

    private List<LoggedRequest> queries() {
        return emulator.requests()
                .matching(request -> request.operation() == RequestKind.QUERY)
                .toList();
    }

    /** Created a millisecond after the other. */
    private static ObjectNode head(int number) {
        InstanceExt ext = new InstanceExt("{\"status\":\"" + (number % 1_000 == 5 ? "RARE" : "RUNNING") + "\"}");
        return InstanceDocument.started("order-" + number, "Order", "1.0.0", ext, BEGIN + number)
                .toJson();
    }
}
