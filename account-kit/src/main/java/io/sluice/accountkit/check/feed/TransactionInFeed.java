package io.sluice.accountkit.check.feed;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Feed;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;

/** How a batch arrives in the feed. */
public final class TransactionInFeed implements Assumption {
    private static final String KEY = "transaction-in-feed";
    private static final int OPERATIONS = 5;

    @Override
    public String name() {
        return "a transactional batch in the change feed";
    }

    @Override
    public String expected() {
        return "all " + OPERATIONS + " documents in one page, though 1 was asked for, under one _lsn";
    }

    @Override
    public String source() {
        return "docs/configuration.md, SLUICE_FEED_PAGE_SIZE; \"Change feed modes in Azure Cosmos DB\"";
    }

    @Override
    public Outcome run(Site site) {
        Feed feed = site.feed();
        Page now = feed.fromNow(Feed.of(KEY));
        CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(KEY));
        for (int i = 0; i < OPERATIONS; i++) {
            batch.createItemOperation(Documents.small(KEY, "operation-" + i));
        }
        String answered = site.documents().batch(batch).answer().status();
        Page page = feed.next(now, 1);
        long numbers = page.rows().stream()
                .map((JsonNode row) -> row.path("_lsn").asLong())
                .distinct()
                .count();
        return Outcome.of(
                page.rows().size() == OPERATIONS && numbers == 1,
                "a batch answered " + answered + ", a page of " + page.rows().size() + " documents under " + numbers
                        + " numbers");
    }
}
