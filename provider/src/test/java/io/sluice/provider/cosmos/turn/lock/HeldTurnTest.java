package io.sluice.provider.cosmos.turn.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.Stored;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** How heavy a turn is to keep, and what of it an ack in doubt needs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeldTurnTest {
    private static final int CHARACTERS = 100_000;

    @Test
    void its_messages_history_and_staged_acks_count() {
        HeldTurn turn = turn("x".repeat(CHARACTERS));
        assertThat(turn.weight()).isBetween(2L * CHARACTERS, 3L * CHARACTERS);

        turn.setHistory(history());
        assertThat(turn.weight()).isBetween(4L * CHARACTERS, 5L * CHARACTERS);

        turn.rememberTry("try", TurnAck.of("token", 1), 2 * CHARACTERS);
        assertThat(turn.weight()).isBetween(6L * CHARACTERS, 7L * CHARACTERS);
    }

    @Test
    void once_an_ack_is_in_doubt_the_history_goes_but_for_that_there_was_one() {
        HeldTurn turn = turn("x");
        turn.setHistory(history());
        assertThat(turn.isInDoubt()).isFalse();

        turn.markAmbiguous();

        assertThat(turn.isInDoubt()).isTrue();
        assertThat(turn.history()).isNull();
        assertThat(turn.isAcked()).isTrue();
        assertThat(turn.weight()).isLessThan(CHARACTERS);
    }

    @Test
    void it_is_in_doubt_while_an_ack_is_under_way() {
        HeldTurn turn = turn("x");
        turn.acking().lock();

        assertThat(turn.isInDoubt()).isTrue();

        turn.acking().unlock();
        assertThat(turn.isInDoubt()).isFalse();
    }

    private static Histories.Decoded history() {
        HistoryEvent event = HistoryEvent.of(1, "order", 1, 1, "0.1.32", new EventKind.ExternalEvent("x", "{}"));
        return new Histories.Decoded(List.of(event), null, CHARACTERS);
    }

    private static HeldTurn turn(String data) {
        var message = QueueDocuments.message("test", "m", new WorkItem.ExternalRaised("order", "x", data), 1, 1);
        InstanceDocument head =
                InstanceDocument.skeleton("order", "Order", "1.0.0", 1).locked("token", 2, 1);
        var contents = new HeldTurn.Contents(List.of(message), KeyValues.NONE, List.of(), false, false);
        return new HeldTurn("token", new Stored<>(head, "etag"), contents);
    }
}
