package io.sluice.durabletask.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Emptying a task hub that clients go on using. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PurgeAllIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private CosmosProvider provider;

    @BeforeEach
    void open() {
        CosmosStoreConfig config =
                new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        provider = CosmosProvider.builder().reconciler(false).config(config).build();
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void what_was_there_goes_also_behind_an_empty_page_and_what_comes_meanwhile_stays() {
        for (int i = 0; i < 5; i++) {
            start("old-" + i);
        }
        AtomicInteger pages = new AtomicInteger();
        InstanceQueries busy = new Pages(provider.queries()) {
            @Override
            public InstancePage query(InstanceQuery query, int pageSize, @Nullable String continuation) {
                int page = pages.incrementAndGet();
                InstancePage found = super.query(query, 1, continuation);
                start("new-" + page);
                return page == 2 ? new InstancePage(List.of(), continuation) : found;
            }
        };

        purges(busy, InstantSource.system()).purgeAll();

        assertThat(shown()).isNotEmpty().allMatch(id -> id.startsWith("new-"));
        assertThat(pages)
                .as("one for each old instance, the empty one, the last")
                .hasValueLessThan(10);
    }

    @Test
    void it_ends_after_a_time_and_says_how_far_it_came() {
        start("old-1");
        start("old-2");
        start("old-3");
        AtomicInteger minutes = new AtomicInteger();
        InstantSource hasty = () -> Instant.EPOCH.plusSeconds(60L * minutes.getAndAdd(4));

        assertThatThrownBy(() -> purges(provider.queries(), hasty).purgeAll())
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Code.DEADLINE_EXCEEDED))
                .hasMessageContaining("2 instances were removed in 10 minutes");

        assertThat(shown()).hasSize(1);
    }

    private void start(String instance) {
        var unused = provider.starts()
                .startInstance(InstanceStart.of(
                        new WorkItem.StartOrchestration(instance, "Order", "1", null, null, null, null, 1)));
    }

    private List<String> shown() {
        return provider.queries().query(InstanceQuery.ALL, 100, null).instances().stream()
                .map(InstanceSummary::instanceId)
                .toList();
    }

    private Purges purges(InstanceQueries queries, InstantSource clock) {
        ClientContext context = new ClientContext(
                provider,
                provider.asManagementCapability().orElseThrow(),
                provider.starts(),
                provider.earlyMessages(),
                queries,
                clock);
        return new Purges(context, new States(context));
    }

    /** The store's queries, for a test to change. */
    private static class Pages implements InstanceQueries {
        private final InstanceQueries store;

        Pages(InstanceQueries store) {
            this.store = store;
        }

        @Override
        public InstancePage query(InstanceQuery query, int pageSize, @Nullable String continuation) {
            return store.query(query, pageSize, continuation);
        }

        @Override
        public Optional<InstanceSummary> get(String instance) {
            return store.get(instance);
        }

        @Override
        public List<HistoryEvent> events(String instance, long executionId, Collection<Long> eventIds) {
            return store.events(instance, executionId, eventIds);
        }

        @Override
        public Optional<WorkItem.StartOrchestration> waitingStart(String instance) {
            return store.waitingStart(instance);
        }
    }
}
