package io.sluice.accountkit.check.feed;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;

/** What it costs to learn that nothing was written. */
public final class EmptyFeedRead implements Assumption {
    private static final double UNITS = 1;

    @Override
    public String name() {
        return "empty read of the change feed";
    }

    @Override
    public String expected() {
        return "no document, for 1 RU and at most 1.2";
    }

    @Override
    public String source() {
        return "docs/performance.md, idle relay";
    }

    @Override
    public Outcome run(Site site) {
        Feed feed = site.feed();
        Page page = feed.next(feed.fromNow(Feed.whole()));
        double perPartition = page.charge() / feed.partitions();
        return Outcome.of(
                page.rows().isEmpty()
                        && perPartition > 0
                        && (perPartition < UNITS || Figures.isWithinAFifth(perPartition, UNITS)),
                page.rows().size() + " documents for " + Figures.units(page.charge()) + " in " + feed.partitions()
                        + " partitions");
    }
}
