package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.document.InstanceDocument;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/** Instances that were created within one millisecond, as by a host that starts many at once, are read page by page. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CrowdedMomentIT {
    private static final int PARTITIONS = 2;
    private static final int INSTANCES = 5_000;
    private static final int PAGE = 100;
    private static final long MOMENT = 1_740_000_000_000L;

    private static CosmosEmulator emulator;
    private static CosmosStore store;
    private static CosmosProvider provider;

    /** Once: the tests read alone. */
    @BeforeAll
    static void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(PARTITIONS));
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "moment", "moment");
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        provider = CosmosProvider.builder().reconciler(false).config(config).build();
        Flux.range(0, INSTANCES).flatMap(i -> create("order-" + i, MOMENT)).blockLast();
        Flux.range(0, PAGE)
                .flatMap(i -> Flux.merge(create("before-" + i, MOMENT - 1 - i), create("behind-" + i, MOMENT + 1 + i)))
                .blockLast();
        provider.queries().query(InstanceQuery.ALL, 1, null);
    }

    private static Flux<?> create(String instance, long createdAt) {
        ObjectNode head = InstanceDocument.started(instance, "Order", "1.0.0", new InstanceExt("{}"), createdAt)
                .toJson();
        return store.container()
                .createItem(head, new PartitionKey(instance), null)
                .flux();
    }

    @AfterAll
    static void close() {
        provider.close();
        store.close();
        emulator.close();
    }

    @ParameterizedTest
    @EnumSource
    void each_page_costs_what_one_page_should(InstanceQuery.Order order) {
        InstanceQuery query = InstanceQuery.ALL.withOrder(order);
        List<String> seen = new ArrayList<>();
        int pages = 0;
        emulator.requests().clear();

        @Nullable String continuation = null;
        do {
            InstancePage page = provider.queries().query(query, PAGE, continuation);
            page.instances().forEach(instance -> seen.add(instance.instanceId()));
            continuation = page.continuation();
            pages++;
        } while (continuation != null);

        assertThat(pages).isEqualTo((INSTANCES + 2 * PAGE) / PAGE);
        assertThat(seen).doesNotHaveDuplicates().hasSize(INSTANCES + 2 * PAGE);
        assertThat(seen.subList(PAGE, INSTANCES + PAGE))
                .as("of the moment, by id in either order")
                .isSorted()
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, INSTANCES)
                        .mapToObj(i -> "order-" + i)
                        .toList());
        List<LoggedRequest> queries = emulator.requests()
                .matching(request -> request.operation() == RequestKind.QUERY)
                .toList();
        assertThat(queries).as("requests").hasSizeLessThanOrEqualTo(pages * 3 * PARTITIONS);
        assertThat(queries.stream().mapToInt(LoggedRequest::itemCount).sum())
                .as("rows")
                .isLessThanOrEqualTo(pages * PAGE * 6);
    }

    @ParameterizedTest
    @EnumSource
    void bounds_hold_within_it(InstanceQuery.Order order) {
        Instant moment = Instant.ofEpochMilli(MOMENT);
        InstanceQuery query =
                InstanceQuery.ALL.withOrder(order).withCreated(moment, moment).withIdPrefix("order-12");
        List<String> seen = new ArrayList<>();

        @Nullable String continuation = null;
        do {
            InstancePage page = provider.queries().query(query, 10, continuation);
            page.instances().forEach(instance -> seen.add(instance.instanceId()));
            continuation = page.continuation();
        } while (continuation != null);

        assertThat(seen).isSorted().hasSize(111);
    }
}
