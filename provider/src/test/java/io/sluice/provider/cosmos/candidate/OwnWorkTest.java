package io.sluice.provider.cosmos.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a process keeps of its own work does not keep others waiting. */
class OwnWorkTest {
    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final Exclusions<Named> exclusions = new Exclusions<>();
    private final OwnWork<Named> own = new OwnWork<>(exclusions, () -> Instant.ofEpochMilli(millis.get()));

    private record Named(String key) implements Candidate {
        @Override
        public long queriedAtNanos() {
            return 0;
        }
    }

    private static CandidateWait<Named> newWait() {
        var polled = new WorkSource<Named>(
                null,
                WorkQueue.ACTIVITIES,
                "",
                any -> true,
                (key, documents, knowledge, atNanos) -> new Named(key),
                () -> 1);
        return CandidateFeed.open(
                        (call, limit, hidden, slots, sentAtNanos) -> new Found<Named>(List.of(), true),
                        SlotShare.ALL,
                        polled,
                        Instant::now,
                        new SearchTiming(System::nanoTime, SearchRests.DEFAULT))
                .begin(Call.onContainer("fetch", Duration.ZERO), Duration.ZERO);
    }

    private void keep(int from, int to) {
        IntStream.range(from, to).forEach(number -> own.keep(new Named("own-" + number)));
    }

    @Test
    void the_oldest_is_handed_out_first() {
        keep(0, 3);

        assertThat(own.takeFirst(newWait())).contains(new Named("own-0"));
        assertThat(own.takeFirst(newWait())).contains(new Named("own-1"));
        assertThat(own.size()).isEqualTo(1);
    }

    @Test
    void after_a_hundred_in_a_row_it_is_the_turn_of_what_was_announced_for_a_quarter_of_a_second() {
        keep(0, 150);
        IntStream.range(0, 100)
                .forEach(number -> assertThat(own.takeFirst(newWait())).isPresent());

        assertThat(own.takeFirst(newWait())).isEmpty();
        assertThat(own.size()).as("workers are free for what is announced").isZero();
        assertThat(own.nextDue()).isEqualTo(1_000_250);

        millis.addAndGet(250);
        assertThat(own.nextDue()).isNull();
        assertThat(own.takeFirst(newWait())).contains(new Named("own-100"));
    }

    @Test
    void its_turn_comes_again_once_something_announced_was_taken() {
        keep(0, 150);
        IntStream.range(0, 100)
                .forEach(number -> assertThat(own.takeFirst(newWait())).isPresent());

        own.tookAnnounced(new Named("own-100"));

        assertThat(own.takeFirst(newWait()))
                .as("the one after what was taken as announced")
                .contains(new Named("own-101"));
    }

    @Test
    void no_more_than_a_thousand_are_kept_and_none_when_another_process_is_faster() {
        keep(0, 1_500);
        assertThat(own.size()).isEqualTo(1_000);

        own.drop();

        assertThat(own.takeFirst(newWait())).isEmpty();
    }
}
