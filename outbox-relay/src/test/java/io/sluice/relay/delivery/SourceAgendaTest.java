package io.sluice.relay.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SourceAgendaTest {
    private static final long NOW = 1_000;

    private final SourceAgenda agenda = new SourceAgenda(InstantSource.fixed(Instant.ofEpochMilli(NOW)));

    private SourceAgenda.Look take() throws InterruptedException {
        return Objects.requireNonNull(agenda.take());
    }

    @Test
    void sources_are_taken_by_their_time() throws InterruptedException {
        agenda.add("second", NOW - 1, null);
        agenda.add("first", NOW - 2, null);

        assertThat(take().source()).isEqualTo("first");
        assertThat(take().source()).isEqualTo("second");
    }

    @Test
    void asking_twice_makes_one_look() throws InterruptedException {
        agenda.add("source", NOW, null);
        agenda.add("source", NOW - 1, null);

        take();
        agenda.giveBack("source", SourceAgenda.NEVER, false);

        assertThat(agenda.size()).isZero();
    }

    @Test
    void asking_while_a_source_is_in_hand_makes_another_look() throws InterruptedException {
        agenda.add("source", NOW, null);
        take();

        agenda.add("source", NOW, null);
        agenda.giveBack("source", SourceAgenda.NEVER, false);

        assertThat(take().source())
                .as("the intent may have come after the query")
                .isEqualTo("source");
    }

    @Test
    void a_source_is_in_one_pair_of_hands() throws InterruptedException {
        agenda.add("source", NOW, null);
        take();
        agenda.add("source", NOW, null);
        agenda.add("other", NOW, null);

        assertThat(take().source()).isEqualTo("other");
    }

    @Test
    void failures_are_counted_until_a_look_meets_no_trouble() throws InterruptedException {
        agenda.add("source", NOW, null);
        assertThat(take().failures()).isZero();
        agenda.giveBack("source", NOW, true);
        assertThat(take().failures()).isEqualTo(1);
        agenda.giveBack("source", NOW, true);
        assertThat(take().failures()).isEqualTo(2);
        agenda.giveBack("source", NOW, false);

        assertThat(take().failures()).isZero();
    }

    @Test
    void who_waits_gets_the_look_that_began_after_asking() throws InterruptedException {
        var early = new CompletableFuture<Void>();
        var late = new CompletableFuture<Void>();
        agenda.add("source", NOW, early);
        var first = take();
        agenda.add("source", NOW, late);

        assertThat(first.waiting()).containsExactly(early);
        agenda.giveBack("source", SourceAgenda.NEVER, false);
        assertThat(take().waiting()).containsExactly(late);
    }

    @Test
    void a_closed_agenda_hands_out_nothing_and_tells_who_waits() throws InterruptedException {
        var waiting = new CompletableFuture<Void>();
        agenda.add("source", NOW, waiting);

        agenda.close();

        assertThat(agenda.take()).isNull();
        assertThat(waiting).isCancelled();
    }
}
