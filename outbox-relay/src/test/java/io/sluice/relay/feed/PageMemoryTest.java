package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.control.RelayMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many ranges that share too little memory, each on a thread of its own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PageMemoryTest {
    private static final int PAGE_SIZE = 100;
    private static final int KILO = 1_000;
    private static final int MEGA = 1_000_000;

    /** Documents of one range, some in batches that are not cut. */
    private static final class Backlog {
        private final SplittableRandom random;
        private int left = 60;

        private Backlog(long seed) {
            this.random = new SplittableRandom(seed);
        }

        private FeedPage read(ReadLimit limit) {
            var page = new ArrayList<JsonNode>();
            var copy = new SplittableRandom(left);
            int size = copy.nextInt(3) == 0 ? MEGA : 10 * KILO;
            int batch = copy.nextInt(4) == 0 ? 8 : limit.documents();
            page.addAll(RangePagesTest.documents(Math.min(left, Math.max(limit.documents(), batch)), size));
            if (random.nextInt(20) == 0) {
                throw new LateAnswerException(Duration.ofSeconds(1), "for a page");
            }
            return new FeedPage(page, String.valueOf(left));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void many_ranges_of_all_sizes_stay_within_the_budgets_and_all_come_to_their_end(long seed) {
        var small = RelayMemory.of(64L * 1024 * 1024);
        var shared = PageMemory.published(small);
        var held = new AtomicLong();
        var peak = new AtomicLong();
        var threads = Executors.newFixedThreadPool(12);
        var all = new ArrayList<CompletableFuture<Void>>();
        for (int range = 0; range < 12; range++) {
            var backlog = new Backlog(12 * seed + range);
            var ofRange = shared.range(PAGE_SIZE);
            all.add(CompletableFuture.runAsync(() -> drain(backlog, ofRange, held, peak), threads));
        }

        assertThat(CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])))
                .as("seed %s", seed)
                .succeedsWithin(60, TimeUnit.SECONDS);
        threads.shutdown();
        assertThat(peak.get())
                .isLessThanOrEqualTo(small.pages().bytes() + small.slowPages().bytes() + 4 * 8L * MEGA);
        assertThat(small.pages().freeBytes()).isEqualTo(small.pages().bytes());
        assertThat(small.slowPages().freeBytes()).isEqualTo(small.slowPages().bytes());
    }

    private static void drain(Backlog backlog, RangePages pages, AtomicLong held, AtomicLong peak) {
        Function<ReadLimit, FeedPage> read = backlog::read;
        while (backlog.left > 0) {
            try {
                backlog.left -= pages.next(read, () -> {}, (page, isCut) -> {
                    long bytes = page.sizeBytes() <= RangePages.SMALL_BYTES ? 0 : page.sizeBytes() * PageMemory.COPIES;
                    peak.accumulateAndGet(held.addAndGet(bytes), Math::max);
                    held.addAndGet(-bytes);
                    return page.documents().size();
                });
            } catch (LateAnswerException e) {
                assertThat(e).hasMessage("not now");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Pages that hang, as while a partition of Kafka does, until they fail. */
    private static final class Hanging {
        private final RangePages pages;
        private final CountDownLatch failing = new CountDownLatch(1);
        private final CountDownLatch arrived = new CountDownLatch(1);

        private Hanging(RangePages pages) {
            this.pages = pages;
        }

        private Void hang() throws InterruptedException {
            return pages.next(PageMemoryTest::large, () -> {}, (page, isCut) -> {
                arrived.countDown();
                failing.await();
                throw new IllegalStateException("aborted");
            });
        }
    }

    private static FeedPage large(ReadLimit limit) {
        return new FeedPage(RangePagesTest.documents(limit.documents(), MEGA), "next");
    }

    @Test
    void ranges_whose_pages_hang_leave_room_for_the_others() throws Exception {
        var memory = RelayMemory.of(256L * 1024 * 1024);
        var shared = PageMemory.published(memory);
        var ranges = Stream.generate(() -> shared.range(PAGE_SIZE)).limit(3).toList();
        var threads = Executors.newCachedThreadPool();
        try {
            var first = hangAll(ranges, threads);
            int ofOther = shared.range(PAGE_SIZE)
                    .next(
                            PageMemoryTest::large,
                            () -> {},
                            (page, isCut) -> page.documents().size());
            failAll(first);

            var again = hangAll(ranges.subList(0, 2), threads);
            long free = memory.pages().freeBytes();
            failAll(again);

            assertThat(ofOther).isPositive();
            assertThat(free)
                    .as("they hang in a budget of their own")
                    .isEqualTo(memory.pages().bytes());
        } finally {
            threads.shutdownNow();
        }
    }

    private static Map<Hanging, Future<Void>> hangAll(List<RangePages> ranges, ExecutorService threads)
            throws InterruptedException {
        Map<Hanging, Future<Void>> all = new HashMap<>();
        for (var range : ranges) {
            var hanging = new Hanging(range);
            all.put(hanging, threads.submit(hanging::hang));
            hanging.arrived.await();
        }
        return all;
    }

    private static void failAll(Map<Hanging, Future<Void>> hanging) {
        hanging.forEach((range, ended) -> {
            range.failing.countDown();
            assertThatThrownBy(ended::get).hasRootCauseMessage("aborted");
        });
    }
}
