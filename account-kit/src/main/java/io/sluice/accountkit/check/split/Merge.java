package io.sluice.accountkit.check.split;

import com.azure.cosmos.CosmosException;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Wait;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;
import java.time.Duration;
import java.time.Instant;

/** The same over a merge, which the account's owner starts while this waits. */
public final class Merge implements Assumption {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration REST = Duration.ofMinutes(10);

    private final Duration patience;

    /**
     * Waits for the merge for so long.
     *
     * @param patience zero where there will be none
     */
    public Merge(Duration patience) {
        this.patience = patience;
    }

    @Override
    public String name() {
        return "log sequence numbers, session and change feed over a merge";
    }

    @Override
    public String expected() {
        return "as over a split, and the feed can be read from a point in time";
    }

    @Override
    public String source() {
        return "docs/protocols/positions.md; Azure/azure-cosmos-dotnet-v3#5931";
    }

    @Override
    public Duration limit() {
        return patience.plus(REST);
    }

    @Override
    public Outcome run(Site site) throws InterruptedException {
        if (patience.isZero()) {
            return Outcome.notTried(
                    "a merge needs a preview feature of the account, and is waited for with --merge-minutes");
        }
        if (!site.hasCreated(Split.CONTAINER)) {
            return Outcome.notTried("there is no container that was split");
        }
        Documents documents = site.container(Split.CONTAINER);
        Feed feed = new Feed(documents.container());
        int before = feed.partitions();
        if (before == 1) {
            return Outcome.notTried("nothing was split that could be merged");
        }
        FeedOver over = new FeedOver(documents, "merge");
        if (!Wait.until(() -> feed.partitions() < before, patience, PAUSE)) {
            return Outcome.notTried("nobody merged within " + patience.toMinutes() + " min");
        }
        Outcome outcome = over.after();
        String fromTime = fromTime(feed);
        return Outcome.of(
                outcome.result() == Outcome.Result.HOLDS && fromTime.isEmpty(),
                outcome.detail() + (fromTime.isEmpty() ? "" : "; from a point in time: " + fromTime));
    }

    /** What speaks against it; empty for nothing. */
    private static String fromTime(Feed feed) {
        try {
            Page page = feed.from(Instant.now().minus(Duration.ofDays(1)), Feed.whole());
            return feed.rest(page).isEmpty() ? "no documents" : "";
        } catch (CosmosException e) {
            return "refused with " + e.getStatusCode();
        }
    }
}
