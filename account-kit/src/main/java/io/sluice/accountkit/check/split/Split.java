package io.sluice.accountkit.check.split;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Wait;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Site;
import io.sluice.provider.cosmos.Throughput;
import java.time.Duration;

/** Whether numbers, sessions and positions go on over a split, which is provoked by more throughput. */
public final class Split implements Assumption {
    /** The container that splits. */
    public static final String CONTAINER = "split";

    /** More than one physical partition may have. */
    public static final int REQUEST_UNITS = 11_000;

    private static final int REQUEST_UNITS_BEFORE = 400;
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration REST = Duration.ofMinutes(10);

    private final Duration patience;

    /**
     * Waits for the split for so long.
     *
     * @param patience zero where it is not to be tried
     */
    public Split(Duration patience) {
        this.patience = patience;
    }

    @Override
    public String name() {
        return "log sequence numbers, session and change feed over a split";
    }

    @Override
    public String expected() {
        return "numbers go on rising, a reader continues with each document once, a session stays readable";
    }

    @Override
    public String source() {
        return "docs/protocols/positions.md";
    }

    @Override
    public Duration limit() {
        return patience.plus(REST);
    }

    @Override
    public Outcome run(Site site) throws InterruptedException {
        if (patience.isZero()) {
            return Outcome.notTried("it costs more, and is tried with --split");
        }
        if (!site.isOwn()) {
            return Outcome.notTried("only a key may buy the throughput that provokes a split");
        }
        Documents documents = site.create(CONTAINER, Throughput.manual(REQUEST_UNITS_BEFORE));
        // The last that needs them, and a split may take hours.
        site.remove(Site.DOCUMENTS);
        site.remove(Site.STORE);
        Feed feed = new Feed(documents.container());
        int before = feed.partitions();
        FeedOver over = new FeedOver(documents, CONTAINER);
        site.buy(documents, REQUEST_UNITS);
        if (!Wait.until(() -> feed.partitions() > before, patience, PAUSE)) {
            return Outcome.notTried("the service did not split within " + patience.toMinutes() + " min");
        }
        Outcome outcome = over.after();
        site.buy(documents, REQUEST_UNITS_BEFORE);
        return outcome;
    }
}
