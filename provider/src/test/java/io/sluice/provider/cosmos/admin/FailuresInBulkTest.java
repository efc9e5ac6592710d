package io.sluice.provider.cosmos.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ProviderException;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailuresInBulkTest {
    private static final Duration FIRST = Duration.ofHours(2);
    private static final Duration AFTER = Duration.ofHours(1);

    private final List<Duration> patience = new ArrayList<>();

    @Test
    void what_always_fails_is_passed_over_and_told_in_the_log_alone() {
        FailuresInBulk failures = failures(Duration.ofHours(1));

        assertThat(failures.run("a", failing(false), 0, 7)).isZero();

        failures.throwIfAny(7);
    }

    @Test
    void an_instance_after_one_that_failed_for_now_is_tried_for_a_shorter_time() {
        FailuresInBulk failures = failures(Duration.ofHours(1));
        failures.run("a", failing(true), 0, 0);
        failures.run("b", this::succeed, 0, 0);
        failures.run("c", this::succeed, 0, 1);

        assertThat(patience.get(0)).isBetween(AFTER, FIRST);
        assertThat(patience.get(1)).isLessThanOrEqualTo(AFTER);
        assertThat(patience.get(2)).isBetween(AFTER, FIRST);
        assertToldOf(() -> failures.throwIfAny(2), "failed for 1 of the instances", "done: 2", "instance 'a': for now");
    }

    @Test
    void where_nothing_succeeds_for_long_it_stops() {
        FailuresInBulk failures = failures(Duration.ZERO);
        failures.run("a", failing(true), 0, 0);

        assertToldOf(
                () -> failures.run("b", failing(true), 0, 5),
                "failed for 2 of the instances",
                "stopped",
                "done: 5",
                "instance 'a'");
    }

    @Test
    void a_success_between_lets_it_go_on() {
        FailuresInBulk failures = failures(Duration.ZERO);
        failures.run("a", failing(true), 0, 0);
        failures.run("b", this::succeed, 0, 0);

        assertThat(failures.run("c", failing(true), 0, 1)).isZero();
    }

    @Test
    void an_interruption_ends_it() {
        FailuresInBulk failures = failures(Duration.ofHours(1));

        Thread.currentThread().interrupt();
        try {
            assertToldOf(() -> failures.run("a", failing(true), 0, 0), "interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static FailuresInBulk failures(Duration inARow) {
        return new FailuresInBulk("deleteInstanceBulk", new FailuresInBulk.Patience(FIRST, AFTER, inARow));
    }

    private int succeed(Call call) {
        patience.add(call.deadline().remaining());
        return 1;
    }

    private Function<Call, Integer> failing(boolean retryable) {
        return call -> {
            patience.add(call.deadline().remaining());
            throw new ProviderException(call.operation(), call.subject() + ": for now", retryable, null);
        };
    }

    private static void assertToldOf(Runnable step, String... texts) {
        assertThatThrownBy(step::run)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContainingAll(texts);
    }
}
