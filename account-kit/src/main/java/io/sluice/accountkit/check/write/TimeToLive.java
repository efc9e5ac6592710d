package io.sluice.accountkit.check.write;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Wait;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;
import java.time.Duration;
import java.util.List;

/** That documents expire which say so, and no others. */
public final class TimeToLive implements Assumption {
    private static final String KEY = "time-to-live";
    private static final int TTL_SECONDS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int NOT_FOUND = 404;

    @Override
    public String name() {
        return "time to live, with a container's defaultTtl of -1";
    }

    @Override
    public String expected() {
        return "a document with a ttl of " + TTL_SECONDS + " s can't be read any more after it, one without stays";
    }

    @Override
    public String source() {
        return "docs/limits.md, life of a receipt; \"Time to Live (TTL) in Azure Cosmos DB\"";
    }

    @Override
    public Outcome run(Site site) throws InterruptedException {
        Documents documents = site.documents();
        long begin = System.nanoTime();
        documents.createAll(List.of(
                Documents.small(KEY, "stays"), Documents.small(KEY, "goes").put("ttl", TTL_SECONDS)));
        boolean gone = Wait.until(() -> documents.read(KEY, "goes").code() == NOT_FOUND, PATIENCE);
        double seconds = (System.nanoTime() - begin) / 1e9;
        boolean stays = documents.read(KEY, "stays").isDone();
        return Outcome.of(
                gone && stays && seconds >= TTL_SECONDS - 1,
                "with ttl "
                        + (gone
                                ? "gone after %.1f s".formatted(seconds)
                                : "still there after " + PATIENCE.toSeconds() + " s")
                        + ", without " + (stays ? "there" : "gone"));
    }
}
