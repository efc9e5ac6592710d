package io.sluice.provider.cosmos.search;

import java.time.Duration;

/**
 * How long a process rests between two queries for work.
 *
 * @param first after work was found; after each query that finds none the rest is doubled
 * @param longest while there is no work
 */
public record SearchRests(Duration first, Duration longest) {
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofMinutes(1);

    /** Work of other processes is found within a second. */
    public static final SearchRests DEFAULT = new SearchRests(Duration.ofMillis(32), Duration.ofSeconds(1));

    public SearchRests {
        if (first.compareTo(LEAST) < 0 || first.compareTo(longest) > 0 || longest.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("searchRests must be from PT0.001S to PT1M, the first no longer than the"
                    + " longest, were " + first + " and " + longest);
        }
    }
}
