package io.sluice.program.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
    void what_a_program_can_do_without_is_a_warning_when_it_fails() throws Exception {
        Checks checks = new Checks(AMPLE);
        checks.advise("Kafka", "start it", () -> {
            throw new PrerequisiteException("topic a is missing", null);
        });
        checks.advise("another Kafka", "start it", () -> {
            throw new UnsupportedOperationException("a slip");
        });

        assertThat(checks.await())
                .containsExactly(
                        "Kafka: topic a is missing",
                        "another Kafka could not be checked: java.lang.UnsupportedOperationException: a slip");
    }

    @Test
    void what_nobody_foresaw_hides_no_fault() {
        Checks checks = new Checks(AMPLE);
        checks.need("Kafka", "wait", () -> {
            throw new PrerequisiteException("topic a is missing", null);
        });
        checks.need("the store at x", "wait", () -> {
            throw new UnsupportedOperationException("a slip");
        });
        checks.need("the store at y", "wait", () -> {
            throw new NoClassDefFoundError("io/Lost");
        });
        checks.need("the store at z", "wait", () -> {
            throw new IOException("broken pipe");
        });
        checks.need("another store", "wait", () -> {
            throw ProviderException.permanent("openStore", "the key is wrong");
        });

        assertThatThrownBy(checks::await)
                .isInstanceOf(PrerequisiteException.class)
                .hasMessage("topic a is missing;"
                        + " the store at x could not be checked: java.lang.UnsupportedOperationException: a slip;"
                        + " the store at y could not be checked: java.lang.NoClassDefFoundError: io/Lost;"
                        + " the store at z could not be checked: java.io.IOException: broken pipe;"
                        + " the key is wrong");
    }

    @Test
    void what_one_found_of_a_thing_is_told_though_others_of_it_hang() {
        Checks checks = new Checks(Duration.ofSeconds(2));
        checks.need(
                "Kafka",
                "check its brokers",
                () -> List.of(),
                List.of(
                        this::hang,
                        () -> {
                            throw new PrerequisiteException("allow WRITE", null);
                        },
                        this::hang));

        assertThatThrownBy(checks::await)
                .isInstanceOf(PrerequisiteException.class)
                .hasMessage("Kafka did not answer within 2 s; check its brokers; allow WRITE");
    }

    @Test
    void further_checks_of_a_thing_run_at_the_same_time_and_after_its_first() throws Exception {
        Checks checks = new Checks(AMPLE);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch last = new CountDownLatch(1);
        checks.need(
                "Kafka",
                "wait",
                () -> {
                    first.countDown();
                    return List.of("a");
                },
                List.of(
                        () -> {
                            last.await();
                            return List.of("b");
                        },
                        () -> {
                            assertThat(first.getCount()).isZero();
                            last.countDown();
                            return List.of("c");
                        }));

        assertThat(checks.await()).containsExactly("a", "b", "c");
    }

    @Test
    void a_thing_that_fails_or_hangs_at_first_is_asked_no_more() {
        Checks checks = new Checks(Duration.ofSeconds(2));
        AtomicInteger further = new AtomicInteger();
        List<Callable<List<String>>> counted = List.of(() -> List.of("asked " + further.incrementAndGet()));
        checks.need(
                "Kafka",
                "wait",
                () -> {
                    throw new PrerequisiteException("no broker answers", null);
                },
                counted);
        checks.need("another Kafka", "wait", this::hang, counted);

        assertThatThrownBy(checks::await)
                .hasMessage("no broker answers; another Kafka did not answer within 2 s; wait");
        assertThat(further).hasValue(0);
    }
}
