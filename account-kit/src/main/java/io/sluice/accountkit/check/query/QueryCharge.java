package io.sluice.accountkit.check.query;

import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;

/**
 * What a page of a query costs that an index serves.
 *
 * @param what the query is
 * @param text of the query
 * @param rows that it finds
 */
public record QueryCharge(String what, String text, int rows) implements Assumption {
    private static final int TOP = 20;
    private static final double PAGE = 2.8;
    private static final double PER_ROW = 0.05;
    private static final double PER_KB = 0.4;
    private static final double BYTES_PER_KB = 1024;
    private static final double FACTOR = 1.5;

    /** That finds nothing. */
    public static QueryCharge ofNothing() {
        return new QueryCharge("that finds nothing", "SELECT c.id FROM c WHERE c.type = 'absent'", 0);
    }

    /** That the service sorts. */
    public static QueryCharge ofOrder() {
        return new QueryCharge(
                "with ORDER BY",
                "SELECT TOP " + TOP + " c.id FROM c WHERE c.type = 'queried' AND c.dispatchSlot = 1 ORDER BY c.type,"
                        + " c.dispatchSlot, c.visibleAt, c.enqueuedAt",
                TOP);
    }

    /** That names what it looks for. */
    public static QueryCharge ofList() {
        return new QueryCharge(
                "with IN",
                "SELECT c.id FROM c WHERE c.type = 'queried' AND c.sessionId IN ('session-1', 'session-2')",
                2);
    }

    @Override
    public String name() {
        return "charge of a query " + what;
    }

    @Override
    public String expected() {
        return "2.8 RU a page, 0.05 a document and 0.4 a KB returned, within a factor of 1.5";
    }

    @Override
    public String source() {
        return "cosmos-emulator/README.md, what requests cost; an estimate";
    }

    @Override
    public Outcome run(Site site) {
        String key = QueriedDocuments.written(site.documents());
        Page page = site.documents().query(key, text);
        int bytes =
                page.rows().stream().mapToInt(row -> row.toString().length()).sum();
        double expected = PAGE + PER_ROW * page.rows().size() + PER_KB * bytes / BYTES_PER_KB;
        return Outcome.of(
                page.rows().size() == rows && page.charge() < expected * FACTOR && page.charge() > expected / FACTOR,
                Figures.units(page.charge()) + " for " + page.rows().size() + " documents, computed "
                        + Figures.units(expected));
    }
}
