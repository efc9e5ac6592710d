package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.relay.control.RelayMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RangePagesTest {
    private static final int PAGE_SIZE = 100;
    private static final int KILO = 1_000;
    private static final int MEGA = 1_000_000;
    private static final Duration LONG = Duration.ofSeconds(5);

    private static final String NO_ANSWER = "Cosmos DB did not answer within 1 s when asked for a page";

    private final RelayMemory memory = RelayMemory.of(256L * 1024 * 1024);
    private final AtomicLong now = new AtomicLong();
    private final RangePages pages =
            new RangePages(PageMemory.published(memory), PAGE_SIZE, new RangeAnswers(), now::get);
    private final List<ReadLimit> asked = new ArrayList<>();
    /** Bytes reserved during each read. */
    private final List<Long> reserved = new ArrayList<>();

    private int size = KILO;
    private int waiting = Integer.MAX_VALUE;
    private Runnable before = () -> {};

    static List<JsonNode> documents(int count, int chars) {
        return Collections.nCopies(count, JsonNodeFactory.instance.objectNode().put("data", "x".repeat(chars)));
    }

    private FeedPage read(ReadLimit limit) {
        asked.add(limit);
        reserved.add(reservedNow());
        before.run();
        return new FeedPage(documents(Math.min(waiting, limit.documents()), size), "next");
    }

    private long reservedNow() {
        return memory.pages().bytes() - memory.pages().freeBytes();
    }

    private long reservedBySlow() {
        return memory.slowPages().bytes() - memory.slowPages().freeBytes();
    }

    /** Processes the next page and returns its number of documents. */
    private int next() throws InterruptedException {
        return pages.next(
                this::read, () -> {}, (page, isCut) -> page.documents().size());
    }

    private long lastReserved() {
        return reserved.get(reserved.size() - 1);
    }

    private void unanswered() {
        throw new LateAnswerException(Duration.ofSeconds(1), "for a page");
    }

    @Test
    void a_range_without_a_backlog_asks_for_few_documents_and_reserves_nothing() throws Exception {
        waiting = 0;
        next();
        waiting = 3;
        next();
        next();
        waiting = 0;
        next();

        assertThat(asked).extracting(ReadLimit::documents).containsExactly(1, 1, PAGE_SIZE, 10);
        assertThat(reserved).as("only the third follows a full page").element(3).isEqualTo(0L);
    }

    @Test
    void after_a_full_page_memory_is_reserved_for_a_large_one_before_it_is_read() throws Exception {
        size = 20 * KILO;
        next();

        int read = next();

        assertThat(read).as("half of what a range may reserve").isBetween(50, 65);
        assertThat(lastReserved()).isBetween(read * 4L * size, memory.pages().bytes() / 4);
        assertThat(reservedNow()).as("afterwards").isZero();
    }

    @Test
    void a_page_that_is_cut_says_so() throws Exception {
        var cut = new ArrayList<Boolean>();
        for (int i = 0; i < 2; i++) {
            pages.next(this::read, () -> {}, (page, isCut) -> cut.add(isCut));
        }
        waiting = 3;
        pages.next(this::read, () -> {}, (page, isCut) -> cut.add(isCut));

        assertThat(asked).extracting(ReadLimit::documents).containsExactly(1, PAGE_SIZE, PAGE_SIZE);
        assertThat(cut).containsExactly(true, false, false);
    }

    @Test
    void a_read_that_is_not_answered_gives_its_reservation_back_and_is_repeated_without_one() throws Exception {
        next();
        before = () -> {
            before = () -> {};
            unanswered();
        };

        int read = next();

        assertThat(read).isEqualTo(10);
        assertThat(asked)
                .extracting(ReadLimit::patience)
                .containsExactly(RangePages.QUICK, RangePages.QUICK, RangePages.QUICK);
        assertThat(reserved.get(1)).isPositive();
        assertThat(lastReserved()).isZero();
    }

    @Test
    void a_range_that_is_silent_is_read_with_patience_and_then_fails() {
        before = this::unanswered;

        assertThatThrownBy(this::next).hasMessage(NO_ANSWER);
        assertThat(asked)
                .extracting(ReadLimit::patience)
                .containsExactly(RangePages.QUICK, RangePages.QUICK, RangePages.PATIENCE);
        asked.clear();
        assertThatThrownBy(this::next).hasMessage(NO_ANSWER);
        assertThat(asked).extracting(ReadLimit::patience).containsExactly(RangePages.PATIENCE);
        assertThat(reserved).allMatch(bytes -> bytes == 0);
    }

    @Test
    void a_range_that_answers_late_reserves_nothing_until_it_answers_soon() throws Exception {
        next();
        before = () -> now.addAndGet(LONG.toNanos());
        for (int i = 0; i < 4; i++) {
            next();
        }
        long whileLate = lastReserved();
        before = () -> {};
        next();
        next();

        assertThat(whileLate).isZero();
        assertThat(lastReserved()).isPositive();
        assertThat(asked.get(4)).as("late, but not for a few").isEqualTo(new ReadLimit(58, RangePages.PATIENCE));
    }

    @Test
    void ranges_that_fail_wait_for_each_other_and_for_nobody_else() throws Exception {
        var places = memory.reads();
        var first = places.take(true, () -> {});
        var second = places.take(true, () -> {});
        var waits = new AtomicLong();
        before = () -> {
            before = () -> {};
            throw new IllegalStateException("refused");
        };
        assertThatThrownBy(this::next).hasMessage("refused");

        int read = pages.next(
                this::read,
                () -> {
                    waits.incrementAndGet();
                    first.close();
                },
                (page, isCut) -> page.documents().size());
        var other = new RangePages(PageMemory.published(memory), PAGE_SIZE, new RangeAnswers(), now::get);
        var third = places.take(true, () -> {});
        int ofOther = other.next(
                this::read, () -> {}, (page, isCut) -> page.documents().size());

        assertThat(waits).hasValue(1);
        assertThat(read).isEqualTo(1);
        assertThat(ofOther).isEqualTo(1);
        second.close();
        third.close();
    }

    @Test
    void a_second_reader_of_a_range_takes_no_second_place_from_the_others() throws Exception {
        var beside = pages.beside(PageMemory.recent(memory));
        var places = memory.reads();
        var first = places.take(true, () -> {});
        var second = places.take(true, () -> {});
        var waits = new AtomicLong();
        before = () -> {
            before = () -> {};
            try {
                beside.next(
                        this::read,
                        () -> {
                            waits.incrementAndGet();
                            first.close();
                        },
                        (page, isCut) -> 0);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };

        next();
        long waitsWhileFirstReads = waits.get();
        var third = places.take(true, () -> {});
        beside.next(this::read, waits::incrementAndGet, (page, isCut) -> 0);

        assertThat(waitsWhileFirstReads).isEqualTo(1);
        assertThat(waits).as("the place is free again").hasValue(1);
        second.close();
        third.close();
    }

    @Test
    void a_second_reader_of_a_range_knows_what_the_first_one_met() {
        var beside = pages.beside(PageMemory.recent(memory));
        before = this::unanswered;
        assertThatThrownBy(this::next).hasMessage(NO_ANSWER);
        asked.clear();

        assertThatThrownBy(() -> beside.next(this::read, () -> {}, (page, isCut) -> 0))
                .hasMessage(NO_ANSWER);

        assertThat(asked).extracting(ReadLimit::patience).containsExactly(RangePages.PATIENCE);
    }

    @Test
    void a_large_page_for_which_there_is_no_memory_is_dropped_and_read_again_when_there_is() throws Exception {
        size = MEGA;
        var all = memory.pages().reserve(Long.MAX_VALUE, () -> {});
        before = all::close;

        var held = new AtomicLong();
        int read = pages.next(this::read, () -> {}, (page, isCut) -> {
            held.set(reservedNow());
            return page.documents().size();
        });
        assertThat(asked).hasSize(1);
        var again = memory.pages().reserve(Long.MAX_VALUE, () -> {});
        var waits = new AtomicLong();
        pages.next(
                this::read,
                () -> {
                    waits.incrementAndGet();
                    again.close();
                },
                (page, isCut) -> page.documents().size());

        assertThat(read).isEqualTo(1);
        assertThat(held.get()).isBetween(4L * MEGA, 4L * MEGA + KILO);
        assertThat(waits).hasValue(1);
    }

    @Test
    void what_turns_out_too_large_for_the_memory_left_is_read_again_when_there_is_room() throws Exception {
        next();
        waiting = 5;
        next();
        size = 200 * KILO;
        var most = memory.pages().reserve(memory.pages().bytes() - 100 * KILO, () -> {});
        asked.clear();
        reserved.clear();
        before = () -> {
            before = () -> {};
            waiting = 5;
        };

        int read = pages.next(
                this::read, most::close, (page, isCut) -> page.documents().size());

        assertThat(read).isEqualTo(5);
        assertThat(asked).hasSize(2);
        assertThat(reserved.get(0)).isEqualTo(memory.pages().bytes() - 100 * KILO);
        assertThat(reserved.get(1)).isBetween(20L * 200 * KILO, 25L * 200 * KILO);
    }

    @Test
    void one_range_reserves_no_more_than_its_share_and_reads_fewer_documents_if_they_are_large() throws Exception {
        next();
        waiting = 5;
        next();
        waiting = Integer.MAX_VALUE;
        size = MEGA;

        var held = new AtomicLong();
        int read = pages.next(this::read, () -> {}, (page, isCut) -> {
            held.set(reservedNow());
            return page.documents().size();
        });

        assertThat(read).isEqualTo(1);
        assertThat(asked).extracting(ReadLimit::documents).containsExactly(1, PAGE_SIZE, 10, 1);
        assertThat(held.get()).isLessThan(memory.pages().bytes() / 4);
    }

    @Test
    void a_range_that_publishes_slowly_reserves_what_others_do_not_need() throws Exception {
        size = MEGA;
        pages.next(this::read, () -> {}, (page, isCut) -> now.addAndGet(LONG.toNanos()));

        var held = new ArrayList<Long>();
        pages.next(this::read, () -> {}, (page, isCut) -> {
            held.add(reservedNow());
            return held.add(reservedBySlow());
        });
        pages.next(this::read, () -> {}, (page, isCut) -> held.add(reservedBySlow()));

        assertThat(held.get(0)).isZero();
        assertThat(held.get(1)).isBetween(4L * MEGA, 4L * MEGA + KILO);
        assertThat(held.get(2)).as("it was quick").isZero();
    }

    @Test
    void a_range_whose_page_could_not_be_published_counts_as_slow() throws Exception {
        size = MEGA;
        assertThatThrownBy(() -> pages.next(this::read, () -> {}, (page, isCut) -> {
                    throw new IllegalStateException("aborted");
                }))
                .hasMessage("aborted");
        waiting = 0;
        next();
        waiting = 1;

        long held = pages.next(this::read, () -> {}, (page, isCut) -> reservedBySlow());

        assertThat(held).as("an empty page proves nothing").isPositive();
        assertThat(reservedNow()).isZero();
        assertThat(reservedBySlow()).isZero();
    }
}
