package io.sluice.accountkit.check.write;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Answer;
import io.sluice.accountkit.site.BatchAnswer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;
import java.util.List;

/** What a batch does on whose condition the document has moved. */
public final class BatchIfMatch implements Assumption {
    private static final String KEY = "batch-if-match";
    private static final String ID = "moved";
    private static final int STALE = 412;
    private static final List<Integer> STALE_CODES = List.of(424, STALE, 424);

    @Override
    public String name() {
        return "If-Match in a batch";
    }

    @Override
    public String expected() {
        return "with an old ETag: 412 for that operation, 424 for the others, nothing written; "
                + "with the right one: done";
    }

    @Override
    public String source() {
        return "docs/concepts.md, how a turn commits; cosmos-emulator/README.md";
    }

    @Override
    public Outcome run(Site site) {
        Documents documents = site.documents();
        Answer first = documents.create(Documents.small(KEY, ID));
        Answer second = documents.upsert(Documents.small(KEY, ID).put("version", 2));
        BatchAnswer stale = documents.batch(replacement("stale", String.valueOf(first.etag())));
        long written = count(documents, "stale");
        BatchAnswer right = documents.batch(replacement("right", String.valueOf(second.etag())));
        boolean refused = stale.answer().code() == STALE && stale.codes().equals(STALE_CODES) && written == 0;
        boolean done = right.answer().isDone() && count(documents, "right") == 2;
        return Outcome.of(
                refused && done,
                "old ETag: " + stale.answer().status() + " with " + stale.codes() + " and " + written
                        + " documents written; right one: " + right.answer().status());
    }

    private static CosmosBatch replacement(String name, String etag) {
        CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(KEY));
        batch.createItemOperation(Documents.small(KEY, name + "-before").put("name", name));
        batch.replaceItemOperation(
                ID,
                Documents.small(KEY, ID).put("version", 3),
                new CosmosBatchItemRequestOptions().setIfMatchETag(etag));
        batch.createItemOperation(Documents.small(KEY, name + "-after").put("name", name));
        return batch;
    }

    private static long count(Documents documents, String name) {
        return documents
                .query(KEY, "SELECT c.id FROM c WHERE STARTSWITH(c.id, '" + name + "-')")
                .rows()
                .size();
    }
}
