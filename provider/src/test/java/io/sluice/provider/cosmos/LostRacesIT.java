package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several processes want one instance: what it costs who does not get it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LostRacesIT {
    private static final int EVENTS = 60;
    private static final String LARGE = "v".repeat(100_000);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider winner;
    private CosmosProvider loser;

    /** An instance with six megabytes of history: more than a page. */
    @BeforeEach
    void open() {
        account.requireEmulator();
        winner = fixture.provider();
        loser = fixture.provider();
        winner.enqueueForOrchestrator(start("order-1"), null);
        var events = LongStream.rangeClosed(1, EVENTS)
                .mapToObj(id -> event("order-1", id, new EventKind.ExternalEvent("e", LARGE)))
                .toList();
        winner.ackOrchestrationItem(firstAck(takeTurn(winner)).withHistory(events));
        for (int i = 0; i < 10; i++) {
            // Who has lost none of its last ten locks reads while it locks.
            loser.enqueueForOrchestrator(start("own-" + i), null);
            loser.ackOrchestrationItem(firstAck(takeTurn(loser)));
        }
    }

    @Test
    void who_loses_the_lock_reads_no_further_page_of_the_history() {
        fixture.emulator().faults().delay(LostRacesIT::readsHistory, 1, Duration.ofMillis(500));

        race();

        await().during(Duration.ofSeconds(1))
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(historyReads()).isLessThanOrEqualTo(1));
    }

    @Test
    void who_lost_a_race_reads_the_next_history_under_the_lock_it_got() {
        race();
        await().untilAsserted(() -> assertThat(historyReads()).isPositive());
        fixture.emulator().requests().clear();

        race();

        assertThat(historyReads()).as("of a lock that was lost").isZero();
        winner.enqueueForOrchestrator(raised("order-1", "x"), null);
        LockedTurn turn = takeTurn(loser);
        assertThat(turn.item().history()).hasSize(EVENTS);
        loser.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
    }

    /** Both find the instance ready; one is faster. */
    private void race() {
        winner.enqueueForOrchestrator(raised("order-1", "x"), null);
        fixture.emulator().requests().clear();
        AtomicReference<@Nullable LockedTurn> won = new AtomicReference<>();
        try (var window =
                NthRequest.doing(fixture.emulator(), StoreFixture::isBatch, 1, () -> won.set(takeTurn(winner)))) {
            assertThat(fetchTurn(loser)).isNull();
            assertThat(window.happened()).isTrue();
        }
        winner.ackOrchestrationItem(TurnAck.of(Objects.requireNonNull(won.get()).lockToken(), 1));
    }

    private long historyReads() {
        List<LoggedRequest> reads = fixture.dataRequests().stream()
                .filter(LostRacesIT::readsHistory)
                .toList();
        return reads.size();
    }

    private static boolean readsHistory(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.body().contains("'history'");
    }
}
