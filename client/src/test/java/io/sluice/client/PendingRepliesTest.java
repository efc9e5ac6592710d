package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PendingRepliesTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final PendingReplies pending = new PendingReplies();

    private CompletableFuture<Reply> waiting(String id, String instance) {
        return pending.await(id, instance, LONG, () -> new CommandException.NoReply(id, LONG, "", null));
    }

    private static Reply get(CompletableFuture<Reply> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    @Test
    void a_reply_goes_to_all_who_wait_for_its_command() throws Exception {
        var first = waiting("c-1", "o-1");
        var again = waiting("c-1", "o-1");
        var reply = new Reply.Accepted("c-1", "o-1", null);

        pending.settle("o-1", reply);

        assertThat(get(first)).isEqualTo(reply);
        assertThat(get(again)).isEqualTo(reply);
        assertThat(pending.isAwaited("c-1")).isFalse();
    }

    @Test
    void the_same_id_at_another_instance_is_another_command() {
        var other = waiting("c-1", "o-2");

        pending.settle("o-1", new Reply.Accepted("c-1", "o-1", null));

        assertThat(other).isNotDone();
        assertThat(pending.isAwaited("c-1")).isTrue();
    }

    @Test
    void who_waits_in_vain_is_told_that_it_may_still_happen_and_what_kept_replies_away() {
        var problem = new IllegalStateException("not authorized");
        var late = pending.await(
                "c-1",
                "o-1",
                Duration.ofMillis(1),
                () -> new CommandException.NoReply(
                        "c-1", Duration.ofMillis(1), ", and replies can't be read: not authorized", problem));

        assertThatThrownBy(() -> get(late))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(CommandException.NoReply.class)
                .hasMessage("command c-1 had no reply within PT0.001S, and replies can't be read: not authorized; "
                        + "it may still be applied, and can be repeated with the same id")
                .hasCause(problem)
                .satisfies(failure -> {
                    assertThat(((CommandException) failure).commandId()).isEqualTo("c-1");
                    assertThat(((CommandException) failure).mayBeApplied()).isTrue();
                });
        assertThat(pending.isAwaited("c-1")).isFalse();
    }

    @Test
    void who_gives_up_waiting_leaves_nothing_behind() {
        waiting("c-1", "o-1").cancel(false);

        await().atMost(Duration.ofSeconds(60)).until(() -> !pending.isAwaited("c-1"));
    }

    @Test
    void the_end_ends_all() {
        var left = waiting("c-1", "o-1");

        pending.endAll();

        assertThatThrownBy(() -> get(left))
                .cause()
                .isInstanceOf(CommandException.Closed.class)
                .hasMessage("command c-1 lost its client before the reply; it may still be applied, and can be "
                        + "repeated with the same id");
    }
}
