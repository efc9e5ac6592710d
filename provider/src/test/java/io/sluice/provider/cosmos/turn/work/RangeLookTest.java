package io.sluice.provider.cosmos.turn.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RangeLookTest {
    private static final int FIRST_PAGE = 16;
    private static final long MOMENT = 1_740_000_000_000L;

    private final List<TurnRow> queue = new ArrayList<>();
    private long nanos;

    @Test
    void more_messages_of_one_millisecond_than_a_look_reads_are_passed_after_some_looks() {
        queue(MOMENT, 100_000);
        queue(MOMENT + 1, 1);

        assertThat(looksUntilTheLastIsShown()).isLessThanOrEqualTo(3);
    }

    @Test
    void a_look_that_is_past_them_begins_with_a_short_page_again() {
        queue(MOMENT, 40_000);
        queue(MOMENT + 1, 1);
        Horizon horizon = Horizon.none(nanos);
        for (int look = 0; look < 10; look++) {
            horizon = look(horizon, new ArrayList<>());
        }
        assertThat(horizon.before()).as("all were looked at").isEqualTo(Long.MAX_VALUE);

        RangeLook next = new RangeLook(horizon, now(), List.of(), FIRST_PAGE);

        assertThat(next.length()).isEqualTo(FIRST_PAGE);
    }

    private int looksUntilTheLastIsShown() {
        TurnRow last = queue.get(queue.size() - 1);
        Horizon horizon = Horizon.none(nanos);
        List<TurnRow> shown = new ArrayList<>();
        int looks = 0;
        while (!shown.contains(last) && looks < 10) {
            horizon = look(horizon, shown);
            looks++;
        }
        return looks;
    }

    /** As many pages as one look has; of none of them anything is worth showing again. */
    private Horizon look(Horizon start, List<TurnRow> shown) {
        RangeLook look = new RangeLook(start, now(), List.of(), FIRST_PAGE);
        for (int page = 0; page < TurnScreening.MOST_PAGES && !look.isDone(); page++) {
            long from = Math.max(start.before(), look.shownUntil());
            List<TurnRow> answer = queue.stream()
                    .filter(row -> row.message().enqueuedAt() >= from)
                    .limit(look.length())
                    .toList();
            look.answered(answer, answer.size(), Set.of());
            shown.clear();
            shown.addAll(answer);
        }
        return look.reached();
    }

    private Horizon.Moment now() {
        return new Horizon.Moment(MOMENT + 1_000, MOMENT / 1_000 + 1, nanos++);
    }

    private void queue(long enqueuedAt, int count) {
        LongStream.range(0, count).forEach(i -> queue.add(new TurnRow(message(enqueuedAt, i), 10)));
    }

    private static QueueDocument message(long enqueuedAt, long number) {
        return new QueueDocument(
                "m-" + enqueuedAt + "-" + number,
                "other-" + number,
                DocumentType.ORCHESTRATOR_QUEUE,
                "{}",
                0,
                enqueuedAt,
                enqueuedAt,
                null,
                null,
                0,
                null,
                null,
                null,
                null,
                null);
    }
}
