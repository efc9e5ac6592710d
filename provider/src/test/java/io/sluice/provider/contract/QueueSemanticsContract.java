package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.activity;
import static io.sluice.provider.contract.ContractItems.activityOf;
import static io.sluice.provider.contract.ContractItems.completion;
import static io.sluice.provider.contract.ContractItems.message;
import static io.sluice.provider.contract.ContractItems.timer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedWorkItem;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Both queues deliver in order, hide what is taken, and hold back what is delayed. */
public abstract class QueueSemanticsContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected QueueSemanticsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_worker_queue_fifo_ordering() {
        for (long id = 0; id < 5; id++) {
            steps.act("x", id);
        }

        for (long id = 0; id < 5; id++) {
            assertThat(steps.fetchWork().item()).isEqualTo(activity("x", id));
        }
        steps.fetchNoWork();
    }

    @Test
    void test_worker_peek_lock_semantics() {
        steps.act("x", 1);
        LockedWorkItem work = steps.fetchWork();
        steps.fetchNoWork();

        steps.done(work);

        steps.fetchNoWork();
    }

    @Test
    void test_worker_ack_atomicity() {
        steps.create("x");
        steps.act("x", 2);

        steps.done(steps.fetchWork());

        steps.fetchNoWork();
        assertThat(steps.fetch().item().messages()).containsExactly(completion("x", 2));
    }

    @Test
    void test_timer_delayed_visibility() {
        steps.create("x");
        steps.enqueue(timer("x", 2, 0), Duration.ofSeconds(5));
        steps.fetchNothing();

        steps.passMillis(5_100);

        assertThat(steps.fetch().item().messages()).containsExactly(timer("x", 2, 0));
    }

    @Test
    void test_lost_lock_token_handling() {
        steps.act("x", 1);
        steps.fetchWork(lockTimeout());
        steps.fetchNoWork();

        passLockTimeout();

        assertThat(steps.fetchWork().item()).isEqualTo(activity("x", 1));
    }

    @Test
    void test_worker_item_immediate_visibility() {
        steps.act(activity("x", 1, "Immediate"));

        LockedWorkItem work = steps.fetchWork(lockTimeout());

        assertThat(activityOf(work).name()).isEqualTo("Immediate");
        steps.done(work);
    }

    @Test
    void test_worker_delayed_visibility_skips_future_items() {
        steps.act(activity("x", 1), activity("x", 2));
        LockedWorkItem delayed = steps.fetchWork();
        provider().abandonWorkItem(delayed.lockToken(), Duration.ofMillis(500), false);

        LockedWorkItem second = steps.fetchWork();
        steps.fetchNoWork();
        steps.passMillis(600);
        LockedWorkItem first = steps.fetchWork();

        assertThat(activityOf(delayed).id()).isEqualTo(1);
        assertThat(activityOf(second).id()).isEqualTo(2);
        assertThat(activityOf(first).id()).isEqualTo(1);
        steps.done(first);
        steps.done(second);
    }

    @Test
    void test_orphan_queue_messages_dropped() {
        steps.enqueue(message("nobody", "orders", "1"));
        steps.enqueue(message("nobody", "orders", "2"));
        steps.fetchNothing();
        steps.fetchNothing();
        steps.create("other");

        steps.enqueue(message("other", "orders", "3"));

        assertThat(steps.fetchOf("other").item().messages()).containsExactly(message("other", "orders", "3"));
        steps.start("nobody");
        assertThat(steps.fetchOf("nobody").item().messages())
                .as("the orphans are gone permanently")
                .hasSize(1);
    }
}
