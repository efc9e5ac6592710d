package io.sluice.provider.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.outbox.FailedIntents.GivingUp;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An intent is delivered or given up, never both, and its source learns of it at most once. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailedIntentsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final String PARENT = "parent";
    private static final String CHILD = "parent::sub::2";

    private CosmosStore store;
    private CosmosProvider provider;
    private IntentOutbox outbox;
    private FailedIntents failures;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        provider = CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .immediateDelivery(false)
                .build();
        outbox = new IntentOutbox(store.container(), InstantSource.system());
        failures = new FailedIntents(store.container(), InstantSource.system());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    @Covers("wire 13")
    void the_parent_of_a_child_that_can_not_be_started_is_told() {
        Intent intent = leaveStart();

        assertThat(failures.giveUp(intent, "no room", true)).isEqualTo(new GivingUp.Failed());

        assertThat(take(PARENT).item().messages())
                .containsExactly(new WorkItem.SubOrchFailed(
                        PARENT, 1, 2, new ErrorDetails.Infrastructure("startSubOrchestration", "no room", false)));
        assertThat(outbox.undelivered(PARENT)).isEmpty();
        assertThat(failures.newest(null, 10, null).failed()).singleElement().satisfies(failed -> {
            assertThat(failed.intent().key()).isEqualTo(intent.key());
            assertThat(failed.reason()).isEqualTo("no room");
            assertThat(failed.outcome()).isEqualTo(FailedIntent.REFUSED);
            assertThat(failed.answered()).isTrue();
            assertThat(failed.reported()).isFalse();
        });
    }

    @Test
    void the_parent_is_told_also_of_what_is_no_unicode_text() {
        Intent intent = leaveStart();

        assertThat(failures.giveUp(intent, "no room for 'a\uD83D'", true)).isEqualTo(new GivingUp.Failed());

        assertThat(take(PARENT).item().messages())
                .containsExactly(new WorkItem.SubOrchFailed(
                        PARENT,
                        1,
                        2,
                        new ErrorDetails.Infrastructure("startSubOrchestration", "no room for 'a?'", false)));
    }

    @Test
    void a_delivery_that_was_under_way_meets_the_refusal() {
        Intent intent = leaveStart();
        failures.giveUp(intent, "no room", true);

        assertThat(outbox.deliver(intent)).isEqualTo(new DeliveryOutcome.Refused("no room"));

        assertThat(provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null)
                        .map(turn -> turn.item().instance()))
                .as("only the parent has something to do")
                .contains(PARENT);
    }

    @Test
    void what_had_been_delivered_is_not_given_up() {
        Intent intent = leaveStart();
        outbox.deliver(intent);

        assertThat(failures.giveUp(intent, "too old", true)).isEqualTo(new GivingUp.WasDelivered());

        assertThat(failures.newest(null, 10, null).failed()).isEmpty();
        assertThat(take(CHILD).item().messages()).hasSize(1);
    }

    @Test
    void what_can_not_be_refused_now_is_not_given_up() {
        Intent intent = leaveStart();
        FaultRule away = account.requireEmulator().faults().refuse(FailedIntentsIT::refuses, 1, 503, 0);

        assertThat(failures.giveUp(intent, "no room", true)).isInstanceOf(GivingUp.NotNow.class);

        assertThat(away.hits()).isEqualTo(1);
        assertThat(failures.newest(null, 10, null).failed()).isEmpty();
        assertThat(provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null))
                .as("the parent is told nothing")
                .isEmpty();
        assertThat(outbox.deliver(intent)).isEqualTo(new DeliveryOutcome.Delivered(true));
    }

    @Test
    void giving_up_twice_tells_the_parent_once() {
        Intent intent = leaveStart();
        account.requireEmulator().faults().loseAnswer(FailedIntentsIT::fails, 1);

        assertThat(failures.giveUp(intent, "no room", true)).isInstanceOf(GivingUp.NotNow.class);
        assertThat(failures.giveUp(intent, "no room", true)).isInstanceOf(GivingUp.NotNow.class);

        assertThat(outbox.undelivered(PARENT)).as("the first one went through").isEmpty();
        assertThat(take(PARENT).item().messages()).hasSize(1);
    }

    @Test
    void nobody_is_told_where_nobody_can_know() {
        Intent intent = leaveStart();

        failures.giveUpUnknown(intent, "older than receipts");

        assertThat(provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null)).isEmpty();
        assertThat(failures.newest(null, 10, null).failed()).singleElement().satisfies(failed -> {
            assertThat(failed.outcome()).isEqualTo(FailedIntent.UNKNOWN);
            assertThat(failed.answered()).isFalse();
        });
    }

    @Test
    void one_that_was_answered_can_not_be_retried_but_discarded() {
        failures.giveUp(leaveStart(), "no room", true);
        FailedIntent failed = failures.newest(null, 10, null).failed().get(0);

        assertThatThrownBy(() -> failures.retry(failed))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(failed.intent().key());
        assertThat(failures.discard(failed)).isTrue();
        assertThat(failures.discard(failed)).isFalse();

        assertThat(failures.newest(null, 10, null).failed()).isEmpty();
    }

    @Test
    void a_retry_delivers_in_spite_of_the_refusal_of_the_first_life_and_only_once() {
        Intent first = leaveStart();
        failures.giveUp(first, "no room", false);

        assertThat(failures.retry(failures.find(first.key()).orElseThrow())).isTrue();
        Intent again = outbox.undelivered(PARENT).get(0);

        assertThat(again.retry()).isEqualTo(1);
        assertThat(again.attempts()).isZero();
        assertThat(outbox.deliver(again)).isEqualTo(new DeliveryOutcome.Delivered(true));
        assertThat(outbox.deliver(again)).isEqualTo(new DeliveryOutcome.Delivered(false));
        assertThat(take(CHILD).item().messages()).hasSize(1);
    }

    @Test
    void a_delivery_of_a_retried_life_that_comes_late_is_fenced_by_the_next_refusal() {
        Intent first = leaveStart();
        failures.giveUp(first, "no room", false);
        failures.retry(failures.find(first.key()).orElseThrow());
        Intent second = outbox.undelivered(PARENT).get(0);
        assertThat(failures.giveUp(second, "still no room", true)).isEqualTo(new GivingUp.Failed());

        assertThat(outbox.deliver(second)).isEqualTo(new DeliveryOutcome.Refused("still no room"));

        assertThat(failures.find(first.key())).map(FailedIntent::answered).contains(true);
    }

    @Test
    void what_was_reported_says_so() {
        failures.giveUp(leaveStart(), "no room", true);
        FailedIntent failed = unreported().get(0);

        failures.markReported(failed);
        failures.markReported(failed);

        assertThat(failures.find(failed.intent().key()))
                .map(FailedIntent::reported)
                .contains(true);
        assertThat(unreported()).isEmpty();
        assertThat(failures.newest(null, 10, null).failed()).hasSize(1);
        assertThat(failures.find("nobody")).isEmpty();
    }

    private List<FailedIntent> unreported() {
        return failures.ranges().stream()
                .flatMap(range -> failures.unreported(range, null).failed().stream())
                .toList();
    }

    private Intent leaveStart() {
        provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(PARENT, "go", "{}"), null);
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(PARENT, "Order", "{}", "1.0.0", null, null, null, 1), null);
        LockedTurn turn = take(PARENT);
        var start = new WorkItem.StartOrchestration(CHILD, "Ship", "{}", "1.0.0", PARENT, 2L, 1L, 1);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withOrchestratorItems(List.of(start)));
        return outbox.undelivered(PARENT).get(0);
    }

    private LockedTurn take(String instance) {
        Optional<LockedTurn> turn = provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null);
        assertThat(turn).map(found -> found.item().instance()).contains(instance);
        return turn.orElseThrow();
    }

    private static boolean refuses(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && ("[\"" + CHILD + "\"]").equals(request.partitionKey());
    }

    private static boolean fails(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().startsWith("patch:intent:");
    }
}
