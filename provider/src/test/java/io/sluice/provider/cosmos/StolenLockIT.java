package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What happens between two requests of a thief whose clock is ahead: processes of {@code CrashEnumerationIT} agree
 * about the time, so none of them renews a lock while another takes it.
 */
@Covers({"wire 27", "spec/003 race 1"})
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StolenLockIT {
    private static final int ENOUGH = 60;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private CosmosStore here;
    private CosmosStore there;
    private CosmosProvider holder;
    private CosmosProvider thief;

    @BeforeEach
    void open() {
        here = fixture.store();
        there = fixture.store();
        newProcesses();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 121})
    void a_renewal_at_any_request_of_a_theft_leaves_one_holder(int messages) {
        boolean reached = true;
        for (int n = 1; reached; n += messages == 1 ? 1 : Tier.times(3, 1)) {
            String instance = prepared(n);
            for (int i = 1; i < messages; i++) {
                holder.enqueueForOrchestrator(raised(instance, "signal " + i), null);
            }
            LockedTurn mine = takeTurn(holder);
            ahead.set(LOCK.toMillis() + 1);
            @Nullable LockedTurn stolen;
            try (var renewal =
                    atRequest(n, () -> succeeds(() -> holder.renewOrchestrationItemLock(mine.lockToken(), LOCK)))) {
                stolen = fetchTurn(thief);
                reached = renewal.happened();
            }

            int wins = ack(holder, mine) + (stolen == null ? 0 : ack(thief, stolen));

            assertThat(wins).as("renewed at request %d of the theft", n).isEqualTo(1);
            assertThat(holder.read(instance))
                    .extracting(HistoryEvent::eventId)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, messages).boxed().toList());
            assertThat(fixture.documents(here, instance, "orch_queue")).isEmpty();
        }
    }

    @Test
    void a_lock_that_lapses_while_its_instance_is_read_hides_no_older_message() {
        boolean reached = true;
        for (int n = 1; reached; n++) {
            String instance = prepared(n);
            holder.ackOrchestrationItem(firstAck(takeTurn(holder)));
            holder.enqueueForOrchestrator(raised(instance, "signal"), null);
            takeTurn(holder);
            holder.enqueueForOrchestrator(raised(instance, "later"), null);
            @Nullable LockedTurn stolen;
            try (var lapse = atRequest(n, () -> ahead.set(LOCK.toMillis() + 1))) {
                stolen = fetchTurn(thief);
                reached = lapse.happened();
            }

            ahead.set(LOCK.toMillis() + 1);
            LockedTurn turn = stolen == null ? takeTurn(thief) : stolen;

            assertThat(turn.item().messages())
                    .as("lapsed at request %d", n)
                    .containsExactly(raised(instance, "signal"), raised(instance, "later"));
            thief.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        }
    }

    /** An instance to begin, and two processes that know nothing of earlier rounds. */
    private String prepared(int n) {
        ahead.set(0);
        newProcesses();
        String instance = "order-" + n;
        holder.enqueueForOrchestrator(start(instance), null);
        return instance;
    }

    private void newProcesses() {
        holder = CosmosProvider.builder().reconciler(false).store(here).build();
        thief = CosmosProvider.builder()
                .reconciler(false)
                .store(there)
                .clock(() -> InstantSource.system().instant().plusMillis(ahead.get()))
                .build();
    }

    private NthRequest atRequest(int n, Runnable what) {
        assertThat(n).as("the fetch ends some time").isLessThan(ENOUGH);
        return NthRequest.doing(
                fixture.emulator(), request -> request.operation().isData(), n, what);
    }

    /** 1 when it was committed, 0 when the lock turned out to be lost. */
    private static int ack(CosmosProvider provider, LockedTurn turn) {
        List<HistoryEvent> delta = LongStream.rangeClosed(
                        1, turn.item().messages().size())
                .mapToObj(id -> event(turn.item().instance(), id, new EventKind.ExternalEvent("m", "{}")))
                .toList();
        TurnAck ack = TurnAck.of(turn.lockToken(), 1).withHistory(delta);
        return succeeds(() -> provider.ackOrchestrationItem(ack)) ? 1 : 0;
    }

    /** Whether it did; where not, the lock is lost. */
    private static boolean succeeds(Runnable call) {
        try {
            call.run();
            return true;
        } catch (ProviderException e) {
            assertThat(e).hasMessageContaining("Invalid lock token");
            assertThat(e.retryable()).as("%s", e.getMessage()).isFalse();
            return false;
        }
    }
}
