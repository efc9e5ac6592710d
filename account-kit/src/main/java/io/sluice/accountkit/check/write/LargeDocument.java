package io.sluice.accountkit.check.write;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Answer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;

/** How large a document may be. */
public final class LargeDocument implements Assumption {
    private static final String KEY = "large-document";
    /** As {@code QueueDocuments.MAX_DOCUMENT_BYTES} has it. */
    private static final int LARGEST = 2_093_056;

    private static final int TOO_LARGE = 2_200_000;
    private static final int TOO_LARGE_CODE = 413;

    @Override
    public String name() {
        return "the largest document";
    }

    @Override
    public String expected() {
        return LARGEST + " bytes are taken, " + TOO_LARGE + " refused with 413";
    }

    @Override
    public String source() {
        return "docs/limits.md, documents and turns";
    }

    @Override
    public Outcome run(Site site) {
        Answer taken = site.documents().create(Documents.sized(KEY, "largest", LARGEST));
        Answer refused = site.documents().create(Documents.sized(KEY, "too-large", TOO_LARGE));
        return Outcome.of(
                taken.isDone() && refused.code() == TOO_LARGE_CODE,
                taken.status() + " for " + Figures.units(taken.charge()) + ", and " + refused.status());
    }
}
