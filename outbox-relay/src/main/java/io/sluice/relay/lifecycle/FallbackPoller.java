package io.sluice.relay.lifecycle;

import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.PollInterval;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the newest changes of ranges whose publishers don't show them, because Kafka is away, events are paused, or a
 * publisher has a backlog of changes before it; and only rings the bell: intents keep their pace, whatever events wait
 * for. The change feed processor alone would look once a second, and has the same backlog before it. Not thread-safe.
 */
final class FallbackPoller {
    /**
     * How far before now the first look begins: how old the last page that counted as new may have been, the patience,
     * the rest until it is asked about, and an allowance.
     */
    private static final int LOOK_BACK_RESTS = 5;

    private static final Duration ALLOWANCE = Duration.ofSeconds(8);

    private final Function<Duration, List<Integer>> behind;
    private final IntFunction<PageReader> readers;
    private final ChangeListener changes;
    private final PageMemory memory;
    private final InstantSource clock;
    private final Duration longestRest;
    private final Duration lookBack;
    private final PollInterval pace;
    private final Map<Integer, Look> looks = new HashMap<>();

    private record Look(PageReader reader, String continuation) {}

    /**
     * Looks nowhere yet.
     *
     * @param behind which ranges of this replica have publishers that have not shown what is new for so long
     * @param readers makes a reader of a range's feed
     * @param changes told of everything read
     * @param memory what its pages may take, together with the pages of publishers
     * @param clock the store's time
     * @param shortestRest between looks after activity
     * @param longestRest between looks while nothing happens; a range may go twice as long without one
     */
    FallbackPoller(
            Function<Duration, List<Integer>> behind,
            IntFunction<PageReader> readers,
            ChangeListener changes,
            PageMemory memory,
            InstantSource clock,
            Duration shortestRest,
            Duration longestRest) {
        this.behind = behind;
        this.readers = readers;
        this.changes = changes;
        this.memory = memory;
        this.clock = clock;
        this.longestRest = longestRest;
        this.lookBack = longestRest.multipliedBy(LOOK_BACK_RESTS).plus(ALLOWANCE);
        this.pace = new PollInterval(shortestRest, longestRest);
    }

    /**
     * Looks at each of these ranges once.
     *
     * @return how long to rest before the next round
     * @throws RuntimeException when the store can't be asked; the next round looks again at what this one left out
     */
    Duration step() throws InterruptedException {
        var ranges = behind.apply(longestRest.multipliedBy(2));
        looks.keySet().retainAll(ranges);
        boolean activity = false;
        for (int range : ranges) {
            activity |= look(range);
        }
        if (ranges.isEmpty()) {
            return longestRest;
        }
        return activity ? pace.afterActivity() : pace.afterNothing();
    }

    /** Whether anything was changed. */
    private boolean look(int range) throws InterruptedException {
        var before = looks.get(range);
        var reader = before == null ? readers.apply(range) : before.reader();
        return memory.holding(() -> read(reader, before), () -> {}, page -> {
            changes.onChange(page.documents());
            looks.put(range, new Look(reader, page.continuation()));
            return !page.isEmpty();
        });
    }

    private FeedPage read(PageReader reader, @Nullable Look before) {
        return before == null ? reader.readSince(clock.instant().minus(lookBack)) : reader.read(before.continuation());
    }
}
