package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of any number of starts of one instance one takes effect, and every caller learns which. */
public abstract class InstanceStartsContract extends ProviderContract {
    private static final InstanceExt PENDING = new InstanceExt("{\"status\":\"PENDING\"}");

    /** Runs the category on stores from there. */
    protected InstanceStartsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_start_creates_the_instance_and_its_first_message() {
        assertThat(start(wish("x"))).isInstanceOf(InstanceStarts.Started.class);

        LockedTurn turn = steps.fetch();
        assertThat(turn.item().instance()).isEqualTo("x");
        assertThat(turn.item().orchestrationName()).isEqualTo("TestOrch");
        assertThat(turn.item().version()).isEqualTo("1.0.0");
        assertThat(turn.item().executionId()).isEqualTo(1);
        assertThat(turn.item().history()).isEmpty();
        assertThat(turn.item().messages()).containsExactly(item("x"));
        assertThat(turn.attemptCount()).isEqualTo(1);
        steps.ack(turn, ContractItems.started("x"));
        assertThat(provider().read("x")).hasSize(1);
        steps.fetchNothing();
    }

    @Test
    void test_started_instance_is_shown_before_its_first_turn() {
        var started = (InstanceStarts.Started) start(wish("x").withExt(PENDING));

        InstanceSummary shown = find("x").orElseThrow();
        assertThat(shown.orchestrationName()).isEqualTo("TestOrch");
        assertThat(shown.orchestrationVersion()).isEqualTo("1.0.0");
        assertThat(shown.status()).isEqualTo("Running");
        assertThat(shown.executionId()).isEqualTo(1);
        assertThat(shown.createdAt()).isEqualTo(started.createdAt());
        assertThat(shown.ext()).isEqualTo(PENDING);
        assertThat(steps.fetch().ext()).isEqualTo(PENDING);
    }

    @Test
    void test_ext_of_the_start_stays_through_the_first_ack() {
        start(wish("x").withExt(PENDING));

        steps.ack(ProviderSteps.ackOf(steps.fetch(), ContractItems.started("x")).withMetadata(ProviderSteps.META));

        assertThat(find("x").orElseThrow().ext()).isEqualTo(PENDING);
    }

    @Test
    void test_second_start_finds_the_first() {
        start(wish("x").withExt(PENDING));

        InstanceSummary existing = existing(start(wish("x")));

        assertThat(existing.status()).isEqualTo("Running");
        assertThat(existing.ext()).isEqualTo(PENDING);
        assertThat(steps.fetch().item().messages()).hasSize(1);
    }

    @Test
    void test_start_of_a_finished_instance_tells_how_it_ended() {
        steps.completed("x");

        InstanceSummary existing = existing(start(wish("x")));

        assertThat(existing.status()).isEqualTo("Completed");
        assertThat(existing.texts()).isNotNull();
        steps.fetchNothing();
    }

    @Test
    void test_start_of_an_instance_that_is_in_its_first_turn() {
        steps.start("x");
        LockedTurn first = steps.fetch();

        existing(start(wish("x")));

        steps.ack(first, ContractItems.started("x"));
        steps.fetchNothing();
    }

    @Test
    void test_same_start_repeated_is_recognised() {
        InstanceStart wish = wish("x");
        var first = start(wish);

        assertThat(start(wish)).isEqualTo(first);
        assertThat(steps.fetch().item().messages()).hasSize(1);
    }

    @Test
    void test_same_start_is_recognised_after_the_instance_went_on() {
        InstanceStart wish = wish("x");
        var first = start(wish);
        steps.ack(ProviderSteps.ackOf(steps.fetch(), ContractItems.started("x"))
                .withMetadata(ProviderSteps.META.withStatus("Completed", "done")));

        assertThat(start(wish)).isEqualTo(first);
        steps.fetchNothing();
    }

    @Test
    void test_same_start_does_not_bring_a_deleted_instance_back() {
        InstanceStart wish = wish("x");
        var first = start(wish);
        steps.ack(ProviderSteps.ackOf(steps.fetch(), ContractItems.started("x"))
                .withMetadata(ProviderSteps.META.withStatus("Completed", "done")));
        admin().deleteInstance("x", false);

        assertThat(start(wish)).isEqualTo(first);

        assertThat(find("x")).isEmpty();
        steps.fetchNothing();
    }

    @Test
    void test_request_id_of_another_start_is_refused() {
        start(wish("x").withRequestId("mine"));

        assertThatThrownBy(() -> start(wish("x").withRequestId("mine").withExt(PENDING)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("requestId");
        assertThat(start(wish("y").withRequestId("mine"))).isInstanceOf(InstanceStarts.Started.class);
    }

    @Test
    void test_start_after_a_deletion_begins_anew() {
        start(wish("x").withExt(PENDING));
        steps.ack(ProviderSteps.ackOf(steps.fetch(), ContractItems.started("x"))
                .withMetadata(ProviderSteps.META.withStatus("Failed", "no")));
        admin().deleteInstance("x", false);

        assertThat(start(wish("x"))).isInstanceOf(InstanceStarts.Started.class);

        LockedTurn turn = steps.fetch();
        assertThat(turn.item().history()).isEmpty();
        assertThat(turn.ext()).isNull();
    }

    @Test
    void test_delayed_start_is_shown_at_once_and_fetched_later() {
        steps.fetchNothing();
        start(wish("x").withDelay(Duration.ofSeconds(20)));

        assertThat(find("x")).isPresent();
        existing(start(wish("x")));
        steps.fetchNothing();
        steps.pass(Duration.ofSeconds(21));

        assertThat(steps.fetch().item().messages()).containsExactly(item("x"));
    }

    @Test
    void test_signals_before_the_start_come_with_it() {
        steps.poke("x");

        start(wish("x"));

        assertThat(steps.fetch().item().messages())
                .containsExactlyInAnyOrder(ContractItems.signal("x", "poke"), item("x"));
    }

    @Test
    void test_signal_waits_for_a_delayed_start() {
        waitsForTheDelayedStart(ContractItems.signal("x", "poke"));
    }

    @Test
    void test_cancellation_waits_for_a_delayed_start() {
        waitsForTheDelayedStart(new WorkItem.CancelInstance("x", "not wanted"));
    }

    @Test
    void test_queue_message_waits_for_a_delayed_start() {
        waitsForTheDelayedStart(new WorkItem.QueueMessage("x", "payments", "100"));
    }

    /** The process that put the start off is the one that sends the message and looks for turns. */
    private void waitsForTheDelayedStart(WorkItem message) {
        steps.fetchNothing();
        start(wish("x").withDelay(Duration.ofSeconds(20)));
        steps.enqueue(message);

        steps.fetchNothing();
        steps.pass(Duration.ofSeconds(21));

        LockedTurn turn = steps.fetch();
        assertThat(turn.item().messages()).containsExactlyInAnyOrder(item("x"), message);
        assertThat(turn.item().history()).isEmpty();
        steps.ack(turn, ContractItems.started("x"));
        steps.fetchNothing();
    }

    @Test
    void test_first_turn_given_back_leaves_the_instance() {
        start(wish("x").withExt(PENDING));

        steps.abandon(steps.fetch());

        assertThat(find("x").orElseThrow().ext()).isEqualTo(PENDING);
        existing(start(wish("x")));
        LockedTurn again = steps.fetch();
        assertThat(again.item().messages()).containsExactly(item("x"));
        assertThat(again.item().history()).isEmpty();
        assertThat(again.ext()).isEqualTo(PENDING);
        assertThat(again.attemptCount()).isEqualTo(2);
    }

    @Test
    void test_first_turn_whose_lock_lapsed_comes_again() {
        start(wish("x").withExt(PENDING));

        steps.fetchForLockTimeout();
        passLockTimeout();

        LockedTurn again = steps.fetch();
        assertThat(again.item().messages()).containsExactly(item("x"));
        assertThat(again.ext()).isEqualTo(PENDING);
    }

    @Test
    void test_another_process_takes_the_first_turn() {
        start(wish("x").withExt(PENDING));
        Provider other = store().anotherProvider();

        LockedTurn turn = other.fetchOrchestrationItem(ProviderSteps.LONG, Duration.ZERO, null)
                .orElseThrow();
        other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(ContractItems.started("x")))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done")));

        assertThat(turn.ext()).isEqualTo(PENDING);
        assertThat(existing(start(wish("x"))).status()).isEqualTo("Completed");
    }

    @Test
    void test_admin_shows_a_started_instance_from_its_first_ack_on() {
        start(wish("x"));
        assertThat(admin().listInstances()).isEmpty();

        steps.ack(steps.fetch(), ContractItems.started("x"));

        assertThat(admin().listInstances()).containsExactly("x");
    }

    @Test
    void test_of_concurrent_starts_one_takes_effect() throws Exception {
        InstanceStarts starts = store().starts(provider());

        List<InstanceStarts.Outcome> outcomes = Racers.race(8, i -> 0, () -> starts.startInstance(wish("x")));

        assertThat(outcomes)
                .filteredOn(InstanceStarts.Started.class::isInstance)
                .hasSize(1);
        assertThat(steps.fetch().item().messages()).hasSize(1);
    }

    private static WorkItem.StartOrchestration item(String instance) {
        return (WorkItem.StartOrchestration) ContractItems.start(instance);
    }

    private static InstanceStart wish(String instance) {
        return InstanceStart.of(item(instance));
    }

    private InstanceStarts.Outcome start(InstanceStart wish) {
        return store().starts(provider()).startInstance(wish);
    }

    private static InstanceSummary existing(InstanceStarts.Outcome outcome) {
        assertThat(outcome).isInstanceOf(InstanceStarts.AlreadyExists.class);
        return ((InstanceStarts.AlreadyExists) outcome).instance();
    }

    private Optional<InstanceSummary> find(String instance) {
        return store().queries(provider()).get(instance);
    }
}
