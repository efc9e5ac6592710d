package io.sluice.program.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChecksTest {
    private static final Duration AMPLE = Duration.ofMinutes(1);

    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    private List<String> hang() {
        try {
            never.await();
            return List.of();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw new IllegalStateException("given up", e);
        }
    }

    @Test
    void advice_comes_in_the_order_of_the_checks() throws Exception {
        Checks checks = new Checks(AMPLE);
        CountDownLatch second = new CountDownLatch(1);
        checks.need("a", "wait", () -> {
            second.await();
            return List.of("first");
        });
        checks.advise("b", "wait", () -> {
            second.countDown();
            return List.of("second", "third");
        });

        assertThat(checks.await()).as("and they run at the same time").containsExactly("first", "second", "third");
    }

    @Test
    void every_fault_is_named_although_one_gets_no_answer() throws Exception {
        Checks checks = new Checks(Duration.ofSeconds(2));
        checks.need("the store at x", "see that it is up", this::hang);
        checks.need("Kafka", "wait", () -> {
            throw new PrerequisiteException("topic a is missing", null);
        });
        checks.need("another store", "wait", () -> {
            throw ProviderException.permanent("openStore", "the key is wrong");
        });

        assertThatThrownBy(checks::await)
                .isInstanceOf(PrerequisiteException.class)
                .hasMessage("the store at x did not answer within 2 s; see that it is up; topic a is missing;"
                        + " the key is wrong");
        assertThat(interrupted.await(AMPLE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void what_a_program_can_do_without_is_a_warning_when_it_is_silent() throws Exception {
        Checks checks = new Checks(Duration.ofSeconds(2));
        checks.advise("Kafka", "start it", this::hang);

        assertThat(checks.await()).containsExactly("Kafka did not answer within 2 s; start it");
    }

    @Test
    void what_nobody_foresaw_is_no_fault_of_the_operators() {
        Checks checks = new Checks(AMPLE);
        checks.need("a", "wait", () -> {
            throw new UnsupportedOperationException("a slip");
        });

        assertThatThrownBy(checks::await).isInstanceOf(UnsupportedOperationException.class);
    }
}
