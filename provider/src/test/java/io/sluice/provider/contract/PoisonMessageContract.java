package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.activityOf;
import static io.sluice.provider.contract.ContractItems.completion;
import static io.sluice.provider.contract.ContractItems.message;
import static io.sluice.provider.contract.ContractItems.signal;
import static io.sluice.provider.contract.ContractItems.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Attempts are counted per message, durably, and taken back only where they are told to be. */
public abstract class PoisonMessageContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected PoisonMessageContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void orchestration_attempt_count_starts_at_one() {
        steps.start("x");

        LockedTurn turn = steps.fetchForLockTimeout();

        assertThat(turn.attemptCount()).isEqualTo(1);
        steps.ack(turn);
    }

    @Test
    void orchestration_attempt_count_increments_on_refetch() {
        steps.start("x");

        for (int attempt = 1; attempt <= 3; attempt++) {
            LockedTurn turn = steps.fetch();
            assertThat(turn.attemptCount()).isEqualTo(attempt);
            steps.abandon(turn);
        }
    }

    @Test
    void worker_attempt_count_starts_at_one() {
        steps.act("x", 1);

        assertThat(steps.fetchWork().attemptCount()).isEqualTo(1);
    }

    @Test
    void worker_attempt_count_increments_on_lock_expiry() {
        steps.act("x", 1);
        assertThat(steps.fetchWork(Duration.ofSeconds(1)).attemptCount()).isEqualTo(1);

        steps.passMillis(1_100);

        assertThat(steps.fetchWork().attemptCount()).isEqualTo(2);
    }

    @Test
    void attempt_count_is_per_message() {
        steps.act("x", 1);
        steps.act("y", 2);

        LockedWorkItem first = steps.fetchWork();
        LockedWorkItem second = steps.fetchWork();

        assertThat(first.attemptCount()).isEqualTo(1);
        assertThat(second.attemptCount()).isEqualTo(1);
        assertThat(activityOf(first).id()).isNotEqualTo(activityOf(second).id());
    }

    @Test
    void abandon_work_item_ignore_attempt_decrements() {
        steps.act("x", 1);
        LockedWorkItem first = steps.fetchWork();
        steps.abandon(first);
        LockedWorkItem second = steps.fetchWork();
        steps.abandonIgnoringAttempt(second);

        assertThat(first.attemptCount()).isEqualTo(1);
        assertThat(second.attemptCount()).isEqualTo(2);
        assertThat(steps.fetchWork().attemptCount()).isEqualTo(2);
    }

    @Test
    void abandon_orchestration_item_ignore_attempt_decrements() {
        steps.start("x");
        LockedTurn first = steps.fetch();
        steps.abandon(first);
        LockedTurn second = steps.fetch();
        steps.abandonIgnoringAttempt(second);

        assertThat(first.attemptCount()).isEqualTo(1);
        assertThat(second.attemptCount()).isEqualTo(2);
        assertThat(steps.fetch().attemptCount()).isEqualTo(2);
    }

    @Test
    void ignore_attempt_never_goes_negative() {
        steps.act("x", 1);

        for (int round = 0; round < 2; round++) {
            LockedWorkItem work = steps.fetchWork();
            assertThat(work.attemptCount()).isEqualTo(1);
            steps.abandonIgnoringAttempt(work);
        }
        assertThat(steps.fetchWork().attemptCount()).isEqualTo(1);
    }

    @Test
    void max_attempt_count_across_message_batch() {
        steps.start("x");
        LockedTurn first = steps.fetch();
        assertThat(first.attemptCount()).isEqualTo(1);
        assertThat(first.item().messages()).hasSize(1);
        steps.abandon(first);
        LockedTurn second = steps.fetch();
        assertThat(second.attemptCount()).isEqualTo(2);

        steps.enqueue(completion("x", 1));
        steps.abandon(second);
        LockedTurn third = steps.fetch();

        assertThat(third.item().messages()).hasSize(2);
        assertThat(third.attemptCount()).as("the most tried message counts").isEqualTo(3);
    }

    @Test
    void orchestration_ignore_attempt_preserves_hidden_start() {
        steps.create("x");
        steps.start("x");
        LockedTurn first = steps.fetch();
        assertThat(first.attemptCount()).isEqualTo(1);
        steps.abandon(first);
        LockedTurn second = steps.fetch();
        assertThat(second.attemptCount()).isEqualTo(2);
        provider().abandonOrchestrationItem(second.lockToken(), Duration.ofSeconds(1), false);

        steps.enqueue(message("x", "orders", "1"));
        LockedTurn between = steps.fetch();
        assertThat(between.item().messages()).containsExactly(message("x", "orders", "1"));
        assertThat(between.attemptCount()).isEqualTo(1);
        steps.abandonIgnoringAttempt(between);
        steps.passMillis(1_100);
        LockedTurn last = steps.fetch();

        assertThat(last.item().messages()).containsExactly(start("x"), message("x", "orders", "1"));
        assertThat(last.attemptCount())
                .as("the hidden start kept its two attempts")
                .isEqualTo(3);
    }

    @Test
    void orchestration_delayed_abandon_preserves_unlocked_rows() {
        steps.create("x");
        steps.enqueue(signal("x", "locked"));
        LockedTurn turn = steps.fetch();
        assertThat(turn.item().messages()).hasSize(1);
        steps.enqueue(signal("x", "unlocked"));

        provider().abandonOrchestrationItem(turn.lockToken(), Duration.ofSeconds(5), false);

        assertThat(steps.fetch().item().messages()).containsExactly(signal("x", "unlocked"));
    }
}
