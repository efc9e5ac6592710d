package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Reads are answered and writes are not, as where the region that writes is lost: every operation ends, and leaves the
 * store in peace meanwhile.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnansweredWritesIT {
    private static final int LARGE = 150;
    private static final long MOST_REQUESTS = 100;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        account.requireEmulator();
        provider = fixture.provider();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    void every_operation_ends_and_may_be_repeated() throws Exception {
        provider.enqueueForWorker(activity("order-1", 1));
        LockedWorkItem item = takeActivity(provider);
        LockedTurn large = turn("large", LOCK);
        LockedTurn returned = turn("returned", LOCK);
        LockedTurn lapsing = turn("lapsing", Duration.ofSeconds(3));
        loseWrites();
        fixture.emulator().requests().clear();

        var staged = begun(() -> provider.ackOrchestrationItem(firstAck(large).withHistory(events())));
        var acked = begun(() -> provider.ackOrchestrationItem(firstAck(lapsing)));
        var abandoned = begun(() -> provider.abandonOrchestrationItem(returned.lockToken(), null, false));
        var abandonedItem = begun(() -> provider.abandonWorkItem(item.lockToken(), null, false));

        assertThat(failure(staged)).as("committed, and left to be applied").isEmpty();
        for (var operation : List.of(acked, abandoned, abandonedItem)) {
            assertThat(failure(operation))
                    .hasValueSatisfying(e -> assertThat(e.retryable()).isTrue());
        }
        assertThat(fixture.dataRequests().stream()
                        .collect(Collectors.groupingBy(
                                request -> Objects.requireNonNull(request.partitionKey()), Collectors.counting())))
                .allSatisfy((partition, requests) -> assertThat(requests).isLessThan(MOST_REQUESTS));

        fixture.emulator().faults().clear();
        assertThat(provider.read("large")).hasSize(LARGE);
        provider.abandonOrchestrationItem(returned.lockToken(), null, false);
        provider.abandonWorkItem(item.lockToken(), null, false);
    }

    private LockedTurn turn(String instance, Duration lock) {
        provider.enqueueForOrchestrator(start(instance), null);
        return provider.fetchOrchestrationItem(lock, Duration.ofSeconds(30), null)
                .orElseThrow();
    }

    /** But those that put a large turn in place, up to its commit. */
    private void loseWrites() {
        AtomicBoolean committed = new AtomicBoolean();
        fixture.emulator()
                .faults()
                .dropConnection(
                        request -> {
                            if (request.operation() != RequestKind.BATCH) {
                                return false;
                            }
                            boolean passes = isOfLarge(request) && !committed.get();
                            if (passes && request.body().startsWith("replace:large:instance")) {
                                committed.set(true);
                            }
                            return !passes;
                        },
                        0);
    }

    private static boolean isOfLarge(LoggedRequest request) {
        return "[\"large\"]".equals(request.partitionKey());
    }

    private static List<HistoryEvent> events() {
        List<HistoryEvent> events = new ArrayList<>(List.of(started("large")));
        for (int id = 2; id <= LARGE; id++) {
            events.add(event("large", id, new EventKind.ExternalEvent("e" + id, "{}")));
        }
        return events;
    }

    private Future<Optional<ProviderException>> begun(Runnable operation) {
        return threads.submit(() -> {
            try {
                operation.run();
                return Optional.empty();
            } catch (ProviderException e) {
                return Optional.of(e);
            }
        });
    }

    private static Optional<ProviderException> failure(Future<Optional<ProviderException>> operation) throws Exception {
        return operation.get(1, TimeUnit.MINUTES);
    }
}
