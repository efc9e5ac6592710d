package io.sluice.emulator.query;

import io.sluice.emulator.query.tree.SelectQuery;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The trees of the texts used last, for programs send few texts and many parameters. Safe for use by many threads. */
final class ParsedQueries {
    private static final int MOST_TEXTS = 256;
    /** Longer texts are likely made by a program and will not come again. */
    private static final int LONGEST_TEXT = 8_192;

    private final Map<String, SelectQuery> byText = new LinkedHashMap<>(MOST_TEXTS, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SelectQuery> eldest) {
            return size() > MOST_TEXTS;
        }
    };

    SelectQuery parse(String sql) {
        SelectQuery known = find(sql);
        if (known != null) {
            return known;
        }
        SelectQuery parsed = QueryParser.parse(sql);
        if (sql.length() <= LONGEST_TEXT) {
            synchronized (byText) {
                byText.put(sql, parsed);
            }
        }
        return parsed;
    }

    private @Nullable SelectQuery find(String sql) {
        synchronized (byText) {
            return byText.get(sql);
        }
    }
}
