package io.sluice.accountkit.check.feed;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How a feed begins that is read from a point in time. */
public final class FeedFromTime implements Assumption {
    /** Longer than any two clocks differ here. */
    private static final Duration BEFORE = Duration.ofHours(1);

    private static final String KEY = "feed-from-time";

    @Override
    public String name() {
        return "change feed from a point in time";
    }

    @Override
    public String expected() {
        return "the first page is empty and continues, the pages behind it have what was written since";
    }

    @Override
    public String source() {
        return "FeedPage of the relay; Azure/azure-cosmos-dotnet-v3#755";
    }

    @Override
    public Outcome run(Site site) {
        site.documents().createAll(List.of(Documents.small(KEY, "one"), Documents.small(KEY, "two")));
        Feed feed = site.feed();
        Page first = feed.from(Instant.now().minus(BEFORE), Feed.of(KEY));
        List<String> later =
                feed.rest(first).stream().flatMap(page -> page.ids().stream()).toList();
        return Outcome.of(
                first.rows().isEmpty() && later.equals(List.of("one", "two")),
                "a first page of " + first.rows().size() + " documents, then " + later.size() + " of 2");
    }
}
