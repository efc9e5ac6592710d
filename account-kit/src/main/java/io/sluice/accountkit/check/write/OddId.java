package io.sluice.accountkit.check.write;

import com.azure.cosmos.models.SqlParameter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Answer;
import io.sluice.accountkit.site.Documents;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;

/**
 * What becomes of a document with an id that a URL says otherwise.
 *
 * @param what is odd about it
 * @param id of the document
 * @param isReadable whether a point read finds it
 * @param source of the assumption
 */
public record OddId(String what, String id, boolean isReadable, String source) implements Assumption {
    private static final String KEY = "odd-id";
    private static final String LIMITS = "docs/limits.md, names";

    /** Of an instance's child. */
    public static OddId ofChild() {
        return new OddId("of a child, a::sub::2", "order-1::sub::2", true, LIMITS);
    }

    /** With an accent of its own, which Unicode's normalization form C composes with the letter. */
    public static OddId composed() {
        return new OddId("that normalization form C changes", "cafe\u0301", false, LIMITS);
    }

    /** With one of the characters that have a meaning in URLs. */
    public static OddId with(char character) {
        return new OddId("with " + character, "a" + character + "b", false, LIMITS);
    }

    @Override
    public String name() {
        return "an id " + what;
    }

    @Override
    public String expected() {
        return "can be created and queried, and "
                + (isReadable ? "read by its id" : "is not found by its id, so the provider refuses or queries it");
    }

    @Override
    public Outcome run(Site site) {
        Documents documents = site.documents();
        ObjectNode document = Documents.small(KEY, id);
        Answer created = documents.create(document);
        String read;
        boolean found;
        try {
            Answer answer = documents.read(KEY, id);
            found = answer.isDone();
            read = answer.status();
        } catch (IllegalArgumentException e) {
            found = false;
            read = "not sent by the client library";
        }
        Page queried = documents.query(KEY, "SELECT * FROM c WHERE c.id = @id", new SqlParameter("@id", id));
        return Outcome.of(
                created.isDone() && found == isReadable && queried.rows().size() == 1,
                "creation " + created.status() + ", point read " + read + ", query "
                        + queried.rows().size() + " documents");
    }
}
