package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.SessionDocument;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a process knows of its sessions is not asked of the store, and what it does not know is found all the same. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionCostIT {
    private static final int PARTITIONS = 8;
    private static final Duration IDLE = Duration.ofMinutes(5);
    /** Between two searches for what others left, the first of which found nothing. */
    private static final Duration LONGER_THAN_A_REST = Duration.ofMinutes(21);

    private static final String OWNER = "worker-1";

    private final SteppedClock clock = new SteppedClock(InstantSource.system());
    private final List<CosmosProvider> opened = new ArrayList<>();
    private CosmosEmulator emulator;
    private CosmosStoreConfig config;
    private CosmosProvider provider;
    private @Nullable CosmosStore store;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(PARTITIONS));
        config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "sessions", "sessions");
        CosmosStore.provision(config);
        provider = process();
        // The first request of all finds out which partitions there are.
        provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.any());
        emulator.requests().clear();
    }

    @AfterEach
    void close() {
        opened.forEach(CosmosProvider::close);
        if (store != null) {
            store.close();
        }
        emulator.close();
    }

    @Test
    void an_owner_without_sessions_is_asked_for_once() {
        assertThat(renewed(provider)).isZero();
        assertThat(requests()).as("of sessions from before").hasSize(PARTITIONS);

        for (int i = 0; i < 10; i++) {
            assertThat(renewed(provider)).isZero();
        }
        assertThat(requests()).isEmpty();
    }

    @Test
    void sessions_are_renewed_by_one_batch_for_each_instance() {
        renewed(provider);
        claim(provider, "order-1", "a");
        claim(provider, "order-1", "b");
        claim(provider, "order-2", "a");
        emulator.requests().clear();

        assertThat(renewed(provider)).isEqualTo(3);

        assertThat(requests()).containsExactly(RequestKind.BATCH, RequestKind.BATCH);
    }

    @Test
    void a_process_that_was_started_again_finds_its_sessions() {
        claim(provider, "order-1", "a");
        claim(provider, "order-2", "a");
        provider.close();
        CosmosProvider again = process();

        assertThat(renewed(again)).isEqualTo(2);

        emulator.requests().clear();
        clock.step(LOCK.minusSeconds(1));
        assertThat(renewed(again)).isEqualTo(2);
        assertThat(requests()).containsExactly(RequestKind.BATCH, RequestKind.BATCH);
    }

    @Test
    void a_session_that_was_lost_keeps_no_other_from_being_renewed() {
        renewed(provider);
        claim(provider, "order-1", "a");
        clock.step(LOCK.minusSeconds(1));
        claim(provider, "order-1", "b");
        clock.step(Duration.ofSeconds(2));
        claim(process(), "order-1", "a", "worker-2");

        assertThat(renewed(provider)).isEqualTo(1);
        clock.step(LOCK.plusSeconds(1));
        emulator.requests().clear();

        assertThat(renewed(provider)).isZero();
        assertThat(requests()).as("both lapsed").isEmpty();
    }

    @Test
    void an_idle_session_is_left_to_lapse_beside_others() {
        renewed(provider);
        claim(provider, "order-1", "a");
        clock.step(LOCK.dividedBy(2));
        claim(provider, "order-1", "b");

        assertThat(provider.renewSessionLock(List.of(OWNER), LOCK, LOCK.dividedBy(3)))
                .isEqualTo(1);
    }

    @Test
    void its_own_lapsed_sessions_are_removed_without_a_search_of_all_partitions() {
        assertThat(provider.cleanupOrphanedSessions(IDLE)).isZero();
        assertThat(requests()).as("of what others left").hasSize(PARTITIONS);
        assertThat(provider.cleanupOrphanedSessions(IDLE)).isZero();
        assertThat(requests()).isEmpty();
        claim(provider, "order-1", "a");
        clock.step(LOCK.plusSeconds(1));
        emulator.requests().clear();

        assertThat(provider.cleanupOrphanedSessions(IDLE)).isEqualTo(1);

        assertThat(requests()).containsExactly(RequestKind.ITEM_READ, RequestKind.QUERY, RequestKind.BATCH);
        assertThat(provider.cleanupOrphanedSessions(IDLE)).isZero();
        assertThat(requests()).isEmpty();
    }

    @Test
    void what_other_processes_left_is_removed_now_and_then() {
        assertThat(provider.cleanupOrphanedSessions(IDLE)).isZero();
        CosmosProvider other = process();
        claim(other, "order-1", "a");
        other.close();
        clock.step(LOCK.plusSeconds(1));
        assertThat(provider.cleanupOrphanedSessions(IDLE)).isZero();

        clock.step(LONGER_THAN_A_REST);

        assertThat(provider.cleanupOrphanedSessions(IDLE)).isEqualTo(1);
    }

    @Test
    void processes_that_begin_together_share_what_others_left() throws Exception {
        List<CosmosProvider> processes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            processes.add(process());
            // Finds out which partitions there are.
            processes.get(i).fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.any());
        }
        for (int i = 0; i < 60; i++) {
            leave("order-" + i, "a", clock.millis() - 1);
        }
        emulator.requests().clear();

        int removed = 0;
        ExecutorService threads = Executors.newFixedThreadPool(processes.size());
        try {
            for (Future<Integer> each : threads.invokeAll(processes.stream()
                    .map(each -> (Callable<Integer>) () -> each.cleanupOrphanedSessions(IDLE))
                    .toList())) {
                removed += each.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(removed).as("none is left, and none counted twice").isEqualTo(60);
        assertThat(requests().size())
                .as("one delete each, and what the processes need to find that others are there")
                .isLessThan(60 + 6 * 4 * PARTITIONS);
    }

    @Test
    void sessions_that_activities_refer_to_cost_one_query_together() {
        for (int i = 0; i < 40; i++) {
            leave("order-1", "s" + i, clock.millis() - 1);
            provider.enqueueForWorker(new WorkItem.ActivityExecute("order-1", 1, i, "charge", "{}", "s" + i, null));
        }
        leave("order-1", "free", clock.millis() - 1);
        leave("order-1", "free, too", clock.millis() - 1);
        leave("order-1", "alive", clock.millis() + LOCK.toMillis());
        // Another instance's session of that name is another session.
        leave("order-2", "s1", clock.millis() - 1);
        emulator.requests().clear();

        assertThat(provider.cleanupOrphanedSessions(IDLE)).isEqualTo(3);

        assertThat(requests().size())
                .as("a page of each partition, a query for each of two, and a batch for each instance")
                .isLessThanOrEqualTo(PARTITIONS + 2 + 2);
    }

    @Test
    void a_partition_of_more_sessions_than_a_page_is_cleaned_up_to_its_end() {
        for (int i = 0; i < 230; i++) {
            leave("order-1", "s" + i, clock.millis() - 1);
            if (i % 2 == 0) {
                provider.enqueueForWorker(new WorkItem.ActivityExecute("order-1", 1, i, "charge", "{}", "s" + i, null));
            }
        }

        assertThat(provider.cleanupOrphanedSessions(IDLE)).isEqualTo(115);
    }

    @Test
    void a_session_that_is_claimed_while_its_page_is_cleaned_up_stays() {
        for (int i = 0; i < 10; i++) {
            leave("order-" + i, "a", clock.millis() - 1);
        }
        AtomicInteger deletes = new AtomicInteger();
        emulator.faults()
                .runBefore(
                        request -> request.operation() == RequestKind.BATCH && deletes.incrementAndGet() == 3,
                        1,
                        request -> {
                            for (int i = 0; i < 10; i++) {
                                claimLeft("order-" + i);
                            }
                        });

        assertThat(provider.cleanupOrphanedSessions(IDLE)).isLessThan(10);

        assertThat(left()).as("those that were claimed").allMatch(owner -> owner.equals("worker-3"));
    }

    private List<String> left() {
        return store().container()
                .queryItems(
                        "SELECT * FROM c WHERE c.type = 'session'", new CosmosQueryRequestOptions(), ObjectNode.class)
                .toStream()
                .map(session -> session.path("ownerId").asText())
                .toList();
    }

    private CosmosStore store() {
        if (store == null) {
            store = CosmosStore.open(config);
        }
        return store;
    }

    /** As a process leaves it that ended. */
    private void leave(String instance, String session, long lockedUntil) {
        store().container()
                .createItem(document(instance, session, OWNER, lockedUntil))
                .block();
    }

    private static ObjectNode document(String instance, String session, String owner, long lockedUntil) {
        return SessionDocument.fresh(
                        DocumentIds.session(instance, session), instance, session, owner, lockedUntil, lockedUntil)
                .toJson();
    }

    private void claimLeft(String instance) {
        ObjectNode claimed = document(instance, "a", "worker-3", clock.millis() + LOCK.toMillis());
        try {
            store().container()
                    .replaceItem(claimed, claimed.path("id").asText(), new PartitionKey(instance))
                    .block();
        } catch (CosmosException e) {
            assertThat(e.getStatusCode()).as("removed before").isEqualTo(404);
        }
    }

    private CosmosProvider process() {
        CosmosProvider process = CosmosProvider.builder()
                .reconciler(false)
                .clock(clock)
                .config(config)
                .build();
        opened.add(process);
        return process;
    }

    private static int renewed(CosmosProvider by) {
        return by.renewSessionLock(List.of(OWNER), LOCK, IDLE);
    }

    private static void claim(CosmosProvider by, String instance, String session) {
        claim(by, instance, session, OWNER);
    }

    private static void claim(CosmosProvider by, String instance, String session, String owner) {
        by.enqueueForWorker(new WorkItem.ActivityExecute(instance, 1, 7, "charge", "{}", session, null));
        LockedWorkItem work = by.fetchWorkItem(LOCK, NO_WAIT, new SessionFetchConfig(owner, LOCK), TagFilter.any())
                .orElseThrow(() -> new AssertionError("no activity of " + instance));
        by.ackWorkItem(work.lockToken(), null);
    }

    /** Of data, since they were last looked at; plans of queries are kept by the client. */
    private List<RequestKind> requests() {
        List<RequestKind> data = emulator.requests().all().stream()
                .map(LoggedRequest::operation)
                .filter(RequestKind::isData)
                .toList();
        emulator.requests().clear();
        return data;
    }
}
