package io.sluice.accountkit.check.feed;

import com.azure.cosmos.models.FeedRange;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;
import java.util.stream.IntStream;

/**
 * What a page costs of a range that is a part of a physical partition, where the rest of the partition was written to:
 * several ranges of a relay share one, and each reads past what is another's.
 */
public final class FilteredFeedRead implements Assumption {
    private static final int DOCUMENTS = 100;
    private static final int BYTES = 1_000;
    private static final double LEAST_SHARE = 0.5;

    private final String what;
    private final FeedRange range;

    private FilteredFeedRead(String what, FeedRange range) {
        this.what = what;
        this.range = range;
    }

    /** Of half of the keys' hashes. */
    public static FilteredFeedRead ofHalf() {
        return new FilteredFeedRead("half of the keys", Feed.half(true));
    }

    /** Of one key, to which nothing was written. */
    public static FilteredFeedRead ofKey() {
        return new FilteredFeedRead("one key", Feed.of("filtered-feed-silent"));
    }

    @Override
    public String name() {
        return "read of the change feed of " + what;
    }

    @Override
    public String expected() {
        return "charged like the whole partition, at least half of it, for the service reads past what others wrote";
    }

    @Override
    public String source() {
        return "Azure/azure-cosmos-dotnet-v3#3017";
    }

    @Override
    public Outcome run(Site site) {
        Feed feed = site.feed();
        Page wholeNow = feed.fromNow(Feed.whole());
        Page partNow = feed.fromNow(range);
        String prefix = "filtered-feed-" + what.replace(' ', '-') + "-";
        site.documents()
                .createAll(IntStream.range(0, DOCUMENTS)
                        .mapToObj(i -> Documents.sized(prefix + i, "filtered", BYTES))
                        .toList());
        Page whole = feed.next(wholeNow);
        Page part = feed.next(partNow);
        return Outcome.of(
                part.charge() >= LEAST_SHARE * whole.charge(),
                Figures.units(part.charge()) + " for " + part.rows().size() + " documents of " + what + ", "
                        + Figures.units(whole.charge()) + " for all "
                        + whole.rows().size());
    }
}
