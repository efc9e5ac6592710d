package io.sluice.accountkit.check.query;

import com.azure.cosmos.models.SqlParameter;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.check.Figures;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Page;
import io.sluice.accountkit.site.Site;
import java.util.List;

/** Why we write IN, and not ARRAY_CONTAINS, where a query names what it looks for. */
public final class ArrayContainsCharge implements Assumption {
    private static final double LEAST_RATIO = 1.5;
    private static final List<String> NAMES = List.of("session-1", "session-2");

    @Override
    public String name() {
        return "charge of a query with ARRAY_CONTAINS(@list, c.field)";
    }

    @Override
    public String expected() {
        return "no index serves it: at least 1.5 times what IN costs where 2 of " + QueriedDocuments.ALL
                + " documents fit";
    }

    @Override
    public String source() {
        return "SqlQuery of the provider; cosmos-emulator/README.md, what requests cost";
    }

    @Override
    public Outcome run(Site site) {
        String key = QueriedDocuments.written(site.documents());
        Page list = site.documents()
                .query(
                        key,
                        "SELECT c.id FROM c WHERE c.type = 'queried' AND ARRAY_CONTAINS(@list, c.sessionId)",
                        new SqlParameter("@list", NAMES));
        Page in = site.documents()
                .query(
                        key,
                        "SELECT c.id FROM c WHERE c.type = 'queried' AND c.sessionId IN (@one, @other)",
                        new SqlParameter("@one", NAMES.get(0)),
                        new SqlParameter("@other", NAMES.get(1)));
        return Outcome.of(
                list.rows().size() == NAMES.size()
                        && in.rows().size() == NAMES.size()
                        && list.charge() >= LEAST_RATIO * in.charge(),
                Figures.units(list.charge()) + ", with IN " + Figures.units(in.charge()));
    }
}
