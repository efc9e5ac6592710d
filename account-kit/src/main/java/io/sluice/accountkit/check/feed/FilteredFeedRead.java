package io.sluice.accountkit.check.feed;

import com.azure.cosmos.models.FeedRange;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;
import java.util.List;

/**
 * What a page costs of a range that is a part of a physical partition, where the rest of the partition was written to:
 * several ranges of a relay share one, and each reads past what is another's.
 */
public final class FilteredFeedRead implements Assumption {
    private static final int DOCUMENTS = 100;
    private static final int BYTES = 1_000;
    private static final double LEAST_SHARE = 0.5;

    private final String what;
    private final List<FeedRange> parts;

    private FilteredFeedRead(String what, List<FeedRange> parts) {
        this.what = what;
        this.parts = parts;
    }

    /** Of that half of the keys' hashes to which nothing was written. */
    public static FilteredFeedRead ofHalf() {
        return new FilteredFeedRead("half of the keys", List.of(Feed.half(false), Feed.half(true)));
    }

    /** Of one key, to which nothing was written. */
    public static FilteredFeedRead ofKey() {
        return new FilteredFeedRead("one key", List.of(Feed.of("filtered-feed-silent")));
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
        List<Page> partsNow = parts.stream().map(feed::fromNow).toList();
        String key = "filtered-feed-" + what.replace(' ', '-');
        site.documents().createNumbered(key, "filtered-", DOCUMENTS, BYTES);
        Page whole = feed.next(wholeNow);
        Page part = partsNow.stream()
                .map(feed::next)
                .filter(page -> page.rows().isEmpty())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("each part has documents, of one key"));
        return Outcome.of(
                part.charge() >= LEAST_SHARE * whole.charge(),
                Figures.units(part.charge()) + " for no document of " + what + ", " + Figures.units(whole.charge())
                        + " for all " + whole.rows().size());
    }
}
