package io.sluice.provider.contract;

import static io.sluice.provider.contract.ProviderSteps.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.provider.TagFilter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How long a fetch waits on an empty store. A store that polls long must still answer at once when it is not allowed to
 * wait, so it runs the two short-poll scenarios with a poll timeout of zero instead of 500 ms; one that always answers
 * at once skips the two long-poll scenarios.
 */
public abstract class LongPollingContract extends ProviderContract {
    /**
     * An upper bound is about the store, not about a machine that is busy with other tests: the best of so many tries
     * counts.
     */
    private static final int TRIES = 5;

    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    /** Runs the category on stores from there. */
    protected LongPollingContract(ContractStores stores) {
        super(stores);
    }

    /** First calls open connections. */
    @BeforeEach
    void warmUp() {
        turn(Duration.ZERO);
        work(Duration.ZERO);
        forgetInputs();
    }

    @Test
    void test_short_poll_returns_immediately() {
        assertThat(fastest(this::turn, shortPoll())).isLessThan(stores().pollThreshold());
    }

    @Test
    void test_short_poll_work_item_returns_immediately() {
        assertThat(fastest(this::work, shortPoll())).isLessThan(stores().pollThreshold());
    }

    private Duration shortPoll() {
        return stores().pollsLong() ? Duration.ZERO : HALF_A_SECOND;
    }

    @Test
    void test_long_poll_waits_for_timeout() {
        assumeTrue(stores().pollsLong(), "this store always answers at once");

        assertThat(time(this::turn, HALF_A_SECOND)).isGreaterThanOrEqualTo(HALF_A_SECOND);
    }

    @Test
    void test_long_poll_work_item_waits_for_timeout() {
        assumeTrue(stores().pollsLong(), "this store always answers at once");

        assertThat(time(this::work, HALF_A_SECOND)).isGreaterThanOrEqualTo(HALF_A_SECOND);
    }

    @Test
    void test_fetch_respects_timeout_upper_bound() {
        assertThat(fastest(this::turn, Duration.ofMillis(300))).isLessThan(HALF_A_SECOND);
        assertThat(fastest(this::work, Duration.ofMillis(300))).isLessThan(HALF_A_SECOND);
    }

    private Optional<?> turn(Duration poll) {
        return provider().fetchOrchestrationItem(LONG, poll, null);
    }

    private Optional<?> work(Duration poll) {
        return provider().fetchWorkItem(LONG, poll, null, TagFilter.defaultOnly());
    }

    private static Duration fastest(Function<Duration, Optional<?>> fetch, Duration poll) {
        Duration fastest = time(fetch, poll);
        for (int i = 1; i < TRIES; i++) {
            Duration took = time(fetch, poll);
            fastest = took.compareTo(fastest) < 0 ? took : fastest;
        }
        return fastest;
    }

    private static Duration time(Function<Duration, Optional<?>> fetch, Duration poll) {
        long startedNanos = System.nanoTime();
        assertThat(fetch.apply(poll)).isEmpty();
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }
}
