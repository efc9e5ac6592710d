package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is sent before the first turn is shown at once, together with the message or not at all. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EarlyMessagesIT {
    private static final InstanceExt PENDING = new InstanceExt("{\"status\":\"PENDING\"}");
    private static final InstanceExt SUSPENDED = new InstanceExt("{\"status\":\"SUSPENDED\"}");
    private static final WorkItem MESSAGE = raised("order-1", "suspend");
    private static final int ALL = 0;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosEmulator emulator;
    private CosmosProvider client;
    private CosmosProvider runtime;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        client = fixture.provider();
        runtime = fixture.provider();
    }

    @Test
    void it_comes_with_the_first_turn_and_what_is_kept_along_shows_at_once() {
        begin();

        assertThat(send(client, instance -> Optional.of(SUSPENDED))).isTrue();

        assertThat(ext()).isEqualTo(SUSPENDED);
        LockedTurn turn = takeTurn(client);
        assertThat(turn.ext()).isEqualTo(SUSPENDED);
        assertThat(turn.item().messages()).containsExactlyInAnyOrder(start("order-1"), MESSAGE);
        assertThat(turn.item().history()).isEmpty();
    }

    @Test
    void it_waits_with_a_start_that_is_put_off() {
        client.starts()
                .startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order-1"))
                        .withExt(PENDING)
                        .withDelay(Duration.ofHours(1)));

        assertThat(send(client, instance -> Optional.of(SUSPENDED))).isTrue();

        assertThat(fetchTurn(client)).isNull();
        assertThat(fetchTurn(runtime)).isNull();
        assertThat(ext()).isEqualTo(SUSPENDED);
        assertThat(fixture.documents(fixture.store(), "order-1", "orch_queue")).hasSize(2);
    }

    @Test
    void a_first_turn_that_was_given_back_is_awaited_still() {
        begin();
        client.abandonOrchestrationItem(takeTurn(client).lockToken(), null, true);

        assertThat(send(client, instance -> Optional.of(SUSPENDED))).isTrue();

        assertThat(takeTurn(runtime).item().messages()).hasSize(2);
    }

    @Test
    void nothing_is_sent_to_an_instance_that_is_in_its_first_turn_or_had_it() {
        assertThat(send(client, instance -> Optional.of(SUSPENDED)))
                .as("unknown")
                .isFalse();
        begin();
        LockedTurn first = takeTurn(runtime);
        assertThat(send(client, instance -> Optional.of(SUSPENDED)))
                .as("in its turn")
                .isFalse();
        runtime.ackOrchestrationItem(firstAck(first).withHistory(List.of(started("order-1"))));

        assertThat(send(client, instance -> Optional.of(SUSPENDED))).as("begun").isFalse();

        assertThat(ext()).isEqualTo(PENDING);
        assertThat(fixture.documents(fixture.store(), "order-1", "orch_queue")).isEmpty();
    }

    @Test
    void nothing_is_done_where_the_sender_says_so() {
        begin();

        assertThat(send(client, instance -> Optional.empty())).isFalse();

        assertThat(ext()).isEqualTo(PENDING);
        assertThat(takeTurn(runtime).item().messages()).hasSize(1);
    }

    @Test
    void an_instance_that_changes_meanwhile_is_judged_again() {
        begin();
        List<InstanceExt> judged = new ArrayList<>();

        boolean isSent = send(client, instance -> {
            judged.add(instance.ext());
            if (judged.size() == 1) {
                assertThat(send(runtime, other -> Optional.of(SUSPENDED))).isTrue();
            }
            return Optional.of(PENDING);
        });

        assertThat(isSent).isTrue();
        assertThat(judged).containsExactly(PENDING, SUSPENDED);
        assertThat(takeTurn(runtime).item().messages()).hasSize(3);
    }

    @Test
    void one_whose_answer_was_lost_is_sent_once() {
        begin();
        emulator.faults().answerInstead(StoreFixture::isBatch, 1, 503, 0);

        assertThat(send(client, instance -> Optional.of(SUSPENDED))).isTrue();

        assertThat(takeTurn(runtime).item().messages()).hasSize(2);
    }

    @Test
    void one_whose_answer_was_lost_is_known_to_be_there_although_the_instance_is_in_its_first_turn_now() {
        begin();
        emulator.faults().answerInstead(StoreFixture::isBatch, 1, 503, 0);
        List<LockedTurn> turns = new ArrayList<>();

        boolean isSent = send(client, instance -> {
            if (SUSPENDED.equals(instance.ext())) {
                turns.add(takeTurn(runtime));
            }
            return SUSPENDED.equals(instance.ext()) ? Optional.empty() : Optional.of(SUSPENDED);
        });

        assertThat(isSent).isTrue();
        assertThat(turns).hasSize(1);
        assertThat(turns.get(0).item().messages()).hasSize(2);
    }

    @Test
    void a_store_that_does_not_answer_is_a_failure_that_may_be_repeated() {
        begin();
        CosmosProvider hasty =
                fixture.provider(CosmosProvider.builder().reconciler(false).enqueueTimeout(Duration.ofMillis(300)));
        emulator.faults().refuse(StoreFixture::isBatch, ALL, 429, 3200);

        assertThatThrownBy(() -> send(hasty, instance -> Optional.of(SUSPENDED)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue());

        assertThat(ext()).isEqualTo(PENDING);
    }

    private static boolean send(CosmosProvider sender, Function<InstanceSummary, Optional<InstanceExt>> change) {
        return sender.earlyMessages().send(MESSAGE, change);
    }

    private void begin() {
        client.starts()
                .startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order-1"))
                        .withExt(PENDING));
    }

    private @Nullable InstanceExt ext() {
        return client.queries().get("order-1").orElseThrow().ext();
    }
}
