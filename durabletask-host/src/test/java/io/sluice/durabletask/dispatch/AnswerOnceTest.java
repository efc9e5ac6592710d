package io.sluice.durabletask.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnswerOnceTest {
    private final AnswerOnce completions = new AnswerOnce();
    private final AtomicInteger commits = new AtomicInteger();

    @Test
    void a_repeated_answer_is_committed_once() {
        completions.once("t", commits::incrementAndGet);
        completions.once("t", commits::incrementAndGet);

        assertThat(commits).hasValue(1);
    }

    @Test
    void an_answer_that_was_not_committed_may_come_again() {
        assertThatThrownBy(() -> completions.once("t", () -> {
                    throw Status.UNAVAILABLE.asRuntimeException();
                }))
                .isInstanceOf(StatusRuntimeException.class);

        completions.once("t", commits::incrementAndGet);

        assertThat(commits).hasValue(1);
    }

    @Test
    void who_repeats_an_answer_that_is_being_committed_gets_its_outcome() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> completions.once("t", () -> {
            begun.countDown();
            awaitQuietly(goOn);
            throw Status.ABORTED.withDescription("lost").asRuntimeException();
        }));
        begun.await();
        AtomicInteger refused = new AtomicInteger();
        Thread repeating = new Thread(() -> {
            try {
                completions.once("t", commits::incrementAndGet);
            } catch (StatusRuntimeException e) {
                if (e.getStatus().getCode() == Status.Code.ABORTED) {
                    refused.incrementAndGet();
                }
            }
        });
        repeating.start();
        await().until(() -> repeating.getState() == Thread.State.WAITING);

        goOn.countDown();
        repeating.join();

        assertThat(first).failsWithin(Duration.ofSeconds(10));
        assertThat(refused).hasValue(1);
        assertThat(commits).hasValue(0);
    }

    @Test
    void who_repeats_an_answer_whose_commit_ends_in_an_error_waits_no_longer() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> completions.once("t", () -> {
            begun.countDown();
            awaitQuietly(goOn);
            throw new StackOverflowError("while it was committed");
        }));
        begun.await();
        AtomicReference<Throwable> outcome = new AtomicReference<>();
        Thread repeating = new Thread(() -> completions.once("t", commits::incrementAndGet));
        repeating.setUncaughtExceptionHandler((thread, failure) -> outcome.set(failure));
        repeating.start();
        await().until(() -> repeating.getState() == Thread.State.WAITING);

        goOn.countDown();
        await().until(() -> !repeating.isAlive());

        assertThat(first).failsWithin(Duration.ofSeconds(10));
        assertThat(outcome.get()).isInstanceOf(StatusRuntimeException.class).hasMessageStartingWith("UNKNOWN");
        assertThat(commits).hasValue(0);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
