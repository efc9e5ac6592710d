package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
