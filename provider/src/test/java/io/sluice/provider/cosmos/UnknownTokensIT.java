package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.assertLockLost;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of the store for tokens that this process has not made, or does not hold any more. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnknownTokensIT {
    private static final int PARTITIONS = 8;

    private final List<CosmosProvider> opened = new ArrayList<>();
    private CosmosEmulator emulator;
    private CosmosStoreConfig config;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(PARTITIONS));
        config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "tokens", "tokens");
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "00000000-0000-0000-0000-00000000000",
                "00000000-0000-0000-0000-00000000000g",
                "0-0-0-0-0",
                " 00000000-0000-0000-0000-000000000000"
            })
    void what_is_no_token_is_refused_without_a_request(String text) {
        uses(text).forEach(StoreFixture::assertLockLost);
        assertLockLost(() -> provider.ackWorkItem(text, named(), completed("order-1", 2)));

        assertThat(requests()).isEmpty();
    }

    @Test
    void a_token_that_nothing_bears_is_searched_for_once() {
        String nobodys = UUID.randomUUID().toString();

        for (int i = 0; i < 5; i++) {
            uses(nobodys).forEach(StoreFixture::assertLockLost);
        }

        assertThat(requests()).as("once among turns, once among activities").hasSize(2 * PARTITIONS);
    }

    @Test
    void with_the_activitys_name_its_partition_alone_is_asked() {
        String nobodys = UUID.randomUUID().toString();

        assertLockLost(() -> provider.ackWorkItem(nobodys, named(), completed("order-1", 2)));

        assertThat(requests()).containsExactly(RequestKind.QUERY);
    }

    @Test
    void a_token_of_another_process_is_found_at_the_first_ask() {
        CosmosProvider other = process();
        uses(UUID.randomUUID().toString()).forEach(StoreFixture::assertLockLost);
        other.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(other);
        other.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem work = takeActivity(other);
        other.enqueueForWorker(activity("order-1", 3));
        LockedWorkItem next = takeActivity(other);

        provider.renewOrchestrationItemLock(turn.lockToken(), LOCK);
        provider.ackOrchestrationItem(firstAck(turn));
        provider.ackWorkItem(work.lockToken(), named(), completed("order-1", 2));
        provider.ackWorkItem(next.lockToken(), completed("order-1", 3));
    }

    @Test
    void a_token_that_was_asked_for_under_another_name_is_found_under_its_own() {
        CosmosProvider other = process();
        other.enqueueForWorker(activity("order-1", 2));
        String token = takeActivity(other).lockToken();
        var elsewhere = new ScheduledActivityIdentifier("order-2", 1, 2);
        assertLockLost(() -> provider.ackWorkItem(token, elsewhere, completed("order-2", 2)));

        provider.ackWorkItem(token, named(), completed("order-1", 2));
    }

    @Test
    void large_turns_that_lapsed_first_are_forgotten_and_found_in_the_store_again() {
        AtomicLong ahead = new AtomicLong();
        CosmosProvider slow = process(CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> InstantSource.system().instant().plusMillis(ahead.get())));
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String instance = "order-" + i;
            slow.enqueueForOrchestrator(start(instance), null);
            slow.enqueueForOrchestrator(raised(instance, "x".repeat(1_500_000)), null);
            tokens.add(slow.instanceTurns().fetch(instance, LOCK).orElseThrow().lockToken());
        }
        ahead.addAndGet(LOCK.plusSeconds(1).toMillis());
        slow.enqueueForOrchestrator(start("next"), null);
        assertThat(slow.instanceTurns().fetch("next", LOCK)).isPresent();

        emulator.requests().clear();
        slow.abandonOrchestrationItem(tokens.get(29), null, false);
        assertThat(requests()).as("the last is held still").doesNotContain(RequestKind.QUERY);
        slow.abandonOrchestrationItem(tokens.get(0), null, false);
        assertThat(requests().stream().filter(RequestKind.QUERY::equals)).hasSizeGreaterThanOrEqualTo(PARTITIONS);
        assertThat(slow.instanceTurns().fetch("order-0", LOCK)).isPresent();
        assertLockLost(() -> slow.ackOrchestrationItem(TurnAck.of(tokens.get(1), 1)));
    }

    private Stream<ThrowingCallable> uses(String token) {
        return Stream.of(
                () -> provider.ackOrchestrationItem(TurnAck.of(token, 1)),
                () -> provider.renewOrchestrationItemLock(token, LOCK),
                () -> provider.abandonOrchestrationItem(token, null, false),
                () -> provider.ackWorkItem(token, null),
                () -> provider.renewWorkItemLock(token, LOCK),
                () -> provider.abandonWorkItem(token, null, false));
    }

    private static ScheduledActivityIdentifier named() {
        return new ScheduledActivityIdentifier("order-1", 1, 2);
    }

    private CosmosProvider process() {
        return process(CosmosProvider.builder().reconciler(false));
    }

    private CosmosProvider process(CosmosProviderBuilder builder) {
        CosmosProvider process = builder.config(config).build();
        opened.add(process);
        return process;
    }

    private List<RequestKind> requests() {
        return emulator.requests().all().stream()
                .map(LoggedRequest::operation)
                .filter(RequestKind::isData)
                .toList();
    }
}
