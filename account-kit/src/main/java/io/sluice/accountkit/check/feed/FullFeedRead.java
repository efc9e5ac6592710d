package io.sluice.accountkit.check.feed;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;

/** What a page costs that is full. */
public final class FullFeedRead implements Assumption {
    private static final String KEY = "full-feed";
    private static final int DOCUMENTS = 50;
    private static final int BYTES = 1_000;
    /** Of a document, with what the service adds to it. */
    private static final double STORED_KB = 1.2;

    private static final double FACTOR = 2;

    @Override
    public String name() {
        return "full read of the change feed";
    }

    @Override
    public String expected() {
        return "1 RU, and about 1 for each KB of " + DOCUMENTS + " documents of 1 KB, within a factor of 2";
    }

    @Override
    public String source() {
        return "cosmos-emulator/README.md, what requests cost; an estimate";
    }

    @Override
    public Outcome run(Site site) {
        Feed feed = site.feed();
        Page now = feed.fromNow(Feed.whole());
        site.documents().createNumbered(KEY, "full-", DOCUMENTS, BYTES);
        Page page = feed.next(now);
        double expected = 1 + page.rows().size() * STORED_KB;
        return Outcome.of(
                page.rows().size() == DOCUMENTS
                        && page.charge() < expected * FACTOR
                        && page.charge() > expected / FACTOR,
                page.rows().size() + " documents for " + Figures.units(page.charge()));
    }
}
