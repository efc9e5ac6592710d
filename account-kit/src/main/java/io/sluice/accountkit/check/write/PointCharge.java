package io.sluice.accountkit.check.write;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Answer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;
import java.util.function.Function;

/**
 * What a request costs for a document of 1 KB under the indexing policy of stores.
 *
 * @param what the request is
 * @param units expected for it
 * @param request sends it, and what it needs before
 */
public record PointCharge(String what, double units, Function<Documents, Answer> request) implements Assumption {
    private static final String KEY = "charges";
    private static final int BYTES = 1_000;
    private static final double CREATION = 4.95;
    private static final double REPLACEMENT = 9.9;
    private static final int OPERATIONS = 10;

    /** Of a point read. */
    public static PointCharge ofRead() {
        return new PointCharge("a point read", 1, documents -> {
            documents.create(Documents.sized(KEY, "read", BYTES));
            return documents.read(KEY, "read");
        });
    }

    /** Of a creation. */
    public static PointCharge ofCreation() {
        return new PointCharge(
                "a creation", CREATION, documents -> documents.create(Documents.sized(KEY, "created", BYTES)));
    }

    /** Of a replacement. */
    public static PointCharge ofReplacement() {
        return new PointCharge("a replacement", REPLACEMENT, documents -> {
            documents.create(Documents.sized(KEY, "replaced", BYTES));
            return documents.replace(Documents.sized(KEY, "replaced", BYTES));
        });
    }

    /** Of a deletion. */
    public static PointCharge ofDeletion() {
        return new PointCharge("a deletion", CREATION, documents -> {
            documents.create(Documents.sized(KEY, "deleted", BYTES));
            return documents.delete(KEY, "deleted");
        });
    }

    /** Of a batch of creations. */
    public static PointCharge ofBatch() {
        return new PointCharge("a batch of " + OPERATIONS + " creations", OPERATIONS * CREATION, documents -> {
            CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey(KEY));
            for (int i = 0; i < OPERATIONS; i++) {
                batch.createItemOperation(Documents.sized(KEY, "batched-" + i, BYTES));
            }
            return documents.batch(batch).answer();
        });
    }

    @Override
    public String name() {
        return "charge of " + what;
    }

    @Override
    public String expected() {
        return Figures.units(units) + " for documents of 1 KB, within a fifth";
    }

    @Override
    public String source() {
        return "docs/performance.md; \"Understand request unit consumption\"";
    }

    @Override
    public Outcome run(Site site) {
        Answer answer = request.apply(site.documents());
        return Outcome.of(
                answer.isDone() && Figures.isWithinAFifth(answer.charge(), units),
                answer.status() + " for " + Figures.units(answer.charge()));
    }
}
