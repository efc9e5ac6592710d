package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A renewal by less than what is left never moves the end of a lock to an earlier time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShorterRenewalIT {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofSeconds(5);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private SteppedClock clock;
    private CosmosProvider provider;
    private CosmosProvider other;

    @BeforeEach
    void open() {
        CosmosStore store = fixture.store();
        clock = new SteppedClock(store.clock());
        provider = CosmosProvider.builder().store(store).clock(clock).build();
        other = fixture.provider(CosmosProvider.builder().clock(clock));
    }

    @Test
    void of_a_turn() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);

        provider.renewOrchestrationItemLock(turn.lockToken(), SHORT);
        clock.step(LATER);

        assertThat(fetchTurn(other)).isNull();
        provider.ackOrchestrationItem(firstAck(turn));
    }

    @Test
    void of_an_activity() {
        provider.enqueueForWorker(activity("order-1", 1));
        LockedWorkItem work = takeActivity(provider);

        provider.renewWorkItemLock(work.lockToken(), SHORT);
        clock.step(LATER);

        assertThat(other.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        provider.ackWorkItem(work.lockToken(), null);
    }

    @Test
    void of_a_session() {
        provider.enqueueForWorker(ofSession(1));
        var owner = new SessionFetchConfig("a", LOCK);
        LockedWorkItem first = provider.fetchWorkItem(LOCK, NO_WAIT, owner, TagFilter.defaultOnly())
                .orElseThrow();
        provider.ackWorkItem(first.lockToken(), null);

        assertThat(provider.renewSessionLock(List.of("a"), SHORT, LOCK)).isEqualTo(1);
        clock.step(LATER);

        provider.enqueueForWorker(ofSession(2));
        assertThat(other.fetchWorkItem(LOCK, NO_WAIT, new SessionFetchConfig("b", LOCK), TagFilter.defaultOnly()))
                .isEmpty();
    }

    private static WorkItem ofSession(long id) {
        return new WorkItem.ActivityExecute("order-1", 1, id, "Charge", "{}", "session", null);
    }
}
