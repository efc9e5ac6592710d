package io.sluice.accountkit.check.write;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.BatchAnswer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;

/** How many bytes a batch may have. */
public final class BatchBytes implements Assumption {
    /** As {@code BatchWrite.MAX_BYTES} has it. */
    private static final int MOST = 1_800_000;

    private static final int TOO_MANY = 2_400_000;
    private static final int DOCUMENTS = 4;
    private static final int TOO_LARGE_CODE = 413;

    @Override
    public String name() {
        return "bytes of a batch";
    }

    @Override
    public String expected() {
        return MOST + " are taken, " + TOO_MANY + " refused with 413 and nothing written";
    }

    @Override
    public String source() {
        return "docs/limits.md, BatchWrite.MAX_BYTES; \"Transactional batch operations in Azure Cosmos DB\"";
    }

    @Override
    public Outcome run(Site site) {
        BatchAnswer taken = site.documents().batch(creations("batch-bytes", MOST));
        BatchAnswer refused = site.documents().batch(creations("batch-bytes-too-many", TOO_MANY));
        int written = site.documents()
                .query("batch-bytes-too-many", "SELECT c.id FROM c")
                .rows()
                .size();
        return Outcome.of(
                taken.answer().isDone() && refused.answer().code() == TOO_LARGE_CODE && written == 0,
                taken.answer().status() + " for " + Figures.units(taken.answer().charge()) + ", then "
                        + refused.answer().status() + " with " + written + " documents written");
    }

    private static CosmosBatch creations(String key, int bytes) {
        CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(key));
        for (int i = 0; i < DOCUMENTS; i++) {
            batch.createItemOperation(Documents.sized(key, "part-" + i, bytes / DOCUMENTS));
        }
        return batch;
    }
}
