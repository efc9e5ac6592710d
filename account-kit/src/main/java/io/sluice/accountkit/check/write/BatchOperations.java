package io.sluice.accountkit.check.write;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.BatchAnswer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;

/** How many operations a batch may have. */
public final class BatchOperations implements Assumption {
    private static final int MOST = 100;
    private static final int BAD_REQUEST = 400;

    @Override
    public String name() {
        return "operations of a batch";
    }

    @Override
    public String expected() {
        return MOST + " are done, " + (MOST + 1) + " refused with 400 and nothing written";
    }

    @Override
    public String source() {
        return "docs/limits.md, BatchWrite.MAX_OPERATIONS; Azure/azure-cosmos-dotnet-v3#1057";
    }

    @Override
    public Outcome run(Site site) {
        BatchAnswer taken = site.documents().batch(creations("batch-of-100", MOST));
        BatchAnswer refused = site.documents().batch(creations("batch-of-101", MOST + 1));
        int written = site.documents()
                .query("batch-of-101", "SELECT c.id FROM c")
                .rows()
                .size();
        return Outcome.of(
                taken.answer().isDone() && refused.answer().code() == BAD_REQUEST && written == 0,
                taken.answer().status() + " for " + MOST + ", "
                        + refused.answer().status() + " for " + (MOST + 1) + " with " + written + " documents written");
    }

    private static CosmosBatch creations(String key, int count) {
        CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(key));
        for (int i = 0; i < count; i++) {
            batch.createItemOperation(Documents.small(key, "operation-" + i));
        }
        return batch;
    }
}
