package io.sluice.accountkit.check.write;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Answer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Site;

/**
 * How long an id may be.
 *
 * @param bytes of the id in UTF-8
 * @param isTaken whether it can be created and read
 */
public record LongId(int bytes, boolean isTaken) implements Assumption {
    private static final String KEY = "long-id";
    private static final int BAD_REQUEST = 400;

    @Override
    public String name() {
        return "an id of " + bytes + " bytes";
    }

    @Override
    public String expected() {
        return isTaken ? "can be created and read" : "is refused with 400";
    }

    @Override
    public String source() {
        return "docs/limits.md, DocumentIds.MAX_ID_BYTES; \"Azure Cosmos DB service quotas\"";
    }

    @Override
    public Outcome run(Site site) {
        String id = "l".repeat(bytes);
        Answer created = site.documents().create(Documents.small(KEY, id));
        if (!created.isDone()) {
            return Outcome.of(!isTaken && created.code() == BAD_REQUEST, "creation " + created.status());
        }
        Answer read = site.documents().read(KEY, id);
        return Outcome.of(isTaken && read.isDone(), "creation " + created.status() + ", point read " + read.status());
    }
}
