package io.sluice.provider.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.locks.LockHistory.Kind;
import io.sluice.provider.locks.LockHistory.Operation;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The checker finds what it is for, and nothing else. Locks are held for 100. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LockHistoryTest {
    private final LockHistory history = new LockHistory(Duration.ofNanos(100));

    private void did(Kind kind, String token, long begun, long ended) {
        history.add(new Operation(kind, "order", token, begun, ended, true));
    }

    private void failed(Kind kind, String token, long begun, long ended) {
        history.add(new Operation(kind, "order", token, begun, ended, false));
    }

    @Test
    void one_after_the_other_is_well() {
        did(Kind.FETCH, "a", 0, 10);
        did(Kind.ACK, "a", 50, 60);
        did(Kind.FETCH, "b", 55, 70);
        did(Kind.ABANDON, "b", 80, 90);
        did(Kind.FETCH, "c", 85, 95);

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void a_lock_that_has_lapsed_may_be_taken() {
        did(Kind.FETCH, "a", 0, 10);
        did(Kind.FETCH, "b", 90, 101);

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void a_lock_that_is_held_may_not() {
        did(Kind.FETCH, "a", 0, 10);
        did(Kind.FETCH, "b", 20, 90);

        assertThat(history.violations()).singleElement().asString().startsWith("taken from its holder");
    }

    @Test
    void other_locks_are_no_matter() {
        did(Kind.FETCH, "a", 0, 10);
        history.add(new Operation(Kind.FETCH, "another order", "b", 20, 90, true));

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void a_renewed_lock_is_held_for_longer() {
        did(Kind.FETCH, "a", 0, 10);
        did(Kind.RENEW, "a", 50, 60);
        did(Kind.FETCH, "b", 120, 140);

        assertThat(history.violations()).singleElement().asString().startsWith("taken from its holder");
    }

    @Test
    void a_renewal_that_may_have_come_too_late_proves_nothing() {
        did(Kind.FETCH, "a", 0, 10);
        did(Kind.RENEW, "a", 95, 105);
        did(Kind.FETCH, "b", 120, 140);

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void a_renewal_that_failed_prolongs_nothing() {
        did(Kind.FETCH, "a", 0, 10);
        failed(Kind.RENEW, "a", 50, 60);
        did(Kind.FETCH, "b", 120, 140);

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void an_ack_that_failed_may_have_freed_it() {
        did(Kind.FETCH, "a", 0, 10);
        failed(Kind.ACK, "a", 20, 30);
        did(Kind.FETCH, "b", 22, 40);

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void a_former_holder_must_not_ack() {
        did(Kind.FETCH, "a", 0, 10);
        did(Kind.FETCH, "b", 110, 120);
        did(Kind.ACK, "a", 130, 140);

        assertThat(history.violations()).singleElement().asString().startsWith("acked by a former holder");
    }

    @Test
    void an_ack_that_overlaps_the_next_fetch_may_have_come_first() {
        did(Kind.FETCH, "a", 0, 10);
        did(Kind.ACK, "a", 130, 150);
        did(Kind.FETCH, "b", 120, 140);

        assertThat(history.violations()).isEmpty();
    }
}
