package io.sluice.program.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SharedReadsTest {
    private static final int OK = 200;

    private final Queue<Runnable> begun = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private long now = Long.MAX_VALUE - 1_000;
    private int status = OK;
    private String body = "";
    private final SharedReads reads = new SharedReads(Schedulers.fromExecutor(begun::add), () -> now);

    private List<Answer> call(String id) {
        return call(id, false);
    }

    /** The answer, once it is there. */
    private List<Answer> call(String id, boolean trusted) {
        var answers = new ArrayList<Answer>();
        reads.answer(new Endpoint.Call(Map.of("id", id), Map.of()), trusted, () -> {
                    asked.add(id);
                    return new Answer(status, "text/plain", id + body, Map.of());
                })
                .subscribe(answers::add);
        return answers;
    }

    private void runAll() {
        while (!begun.isEmpty()) {
            begun.remove().run();
        }
    }

    private void later(Duration time) {
        now += time.toNanos();
    }

    private static void assertRefused(List<Answer> answers) {
        assertThat(answers).singleElement().satisfies(answer -> {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.headers()).containsKey("Retry-After");
        });
    }

    @Test
    void equal_calls_share_a_read_and_its_answer_for_some_seconds() {
        var first = call("a");
        var second = call("a");
        runAll();
        later(SharedReads.FRESH.minusNanos(1));
        var third = call("a");

        assertThat(asked).containsExactly("a");
        assertThat(first).isEqualTo(second).singleElement().returns("a", Answer::body);
        assertThat(third).singleElement().returns("a", Answer::body).returns(Map.of("Age", "4"), Answer::headers);

        later(Duration.ofNanos(1));
        call("a");
        runAll();

        assertThat(asked).containsExactly("a", "a");
    }

    @Test
    void a_failure_serves_for_a_shorter_time() {
        status = 503;
        call("a");
        runAll();
        later(SharedReads.FAILURE_FRESH.minusNanos(1));
        call("a");
        assertThat(begun).isEmpty();

        later(Duration.ofNanos(1));
        call("a");

        assertThat(begun).hasSize(1);
    }

    @Test
    void different_calls_begin_some_reads_and_then_one_in_each_pace() {
        for (int i = 0; i < SharedReads.BURST; i++) {
            call("first-" + i);
            runAll();
        }
        assertRefused(call("one-more"));

        later(SharedReads.PACE);
        call("later");
        runAll();
        assertRefused(call("again"));
        assertThat(call("later")).as("what was read is told").hasSize(1);

        assertThat(asked).hasSize(SharedReads.BURST + 1);
    }

    @Test
    void the_pace_is_not_saved_up() {
        later(Duration.ofDays(1));

        for (int i = 0; i < 3 * SharedReads.BURST; i++) {
            call("call-" + i);
            runAll();
        }

        assertThat(asked).hasSize(SharedReads.BURST);
    }

    @Test
    void who_has_the_token_reads_at_any_pace_but_no_more_than_can_be_remembered_at_a_time() {
        for (int i = 0; i < 100; i++) {
            call("run-" + i, true);
            runAll();
        }
        assertThat(asked).hasSize(100);

        for (int i = 0; i < 100; i++) {
            call("waits-" + i, true);
        }

        assertThat(begun).hasSize(16);
        assertRefused(call("one-more", true));
    }

    @Test
    void reads_that_wait_for_callers_without_the_token_leave_room_for_those_with_it() {
        for (int i = 0; i < SharedReads.BURST; i++) {
            call("waits-" + i);
        }
        assertThat(begun).hasSize(4);

        var trusted = call("trusted", true);
        runAll();

        assertThat(trusted).singleElement().returns(OK, Answer::status);
    }

    @Test
    void large_answers_are_kept_only_as_far_as_memory_is_for_them() {
        body = "x".repeat(3 * 1024 * 1024);
        call("a");
        runAll();
        call("b");
        runAll();

        call("a");
        assertThat(begun).as("a is read again").hasSize(1);
        call("b");
        assertThat(begun).as("b is known").hasSize(1);
    }

    @Test
    void after_a_change_what_was_read_before_is_not_told_any_more() {
        var before = call("a");
        reads.forget();
        var after = call("a");
        runAll();

        assertThat(asked).containsExactly("a", "a");
        assertThat(before).hasSize(1);
        assertThat(after).hasSize(1);
    }
}
