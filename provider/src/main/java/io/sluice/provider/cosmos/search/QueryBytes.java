package io.sluice.provider.cosmos.search;

import io.sluice.provider.document.DocumentJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Limits how many ids a query names. The service refuses a query of more than 512 KB, text and parameters together; a
 * much smaller one is slow and expensive already.
 */
public final class QueryBytes {
    /** Limit for all ids that one query names for one purpose, in bytes of JSON. */
    public static final int MOST = 64 * 1024;

    private QueryBytes() {}

    /** Size of the id in a list, in bytes of JSON. */
    public static int of(String id) {
        return DocumentJson.quoted(id).getBytes(StandardCharsets.UTF_8).length + 1;
    }

    /** The first of the ids, as many as fit. */
    public static List<String> fitting(Collection<String> ids) {
        List<String> fitting = new ArrayList<>();
        int left = MOST;
        for (String id : ids) {
            left -= of(id);
            if (left < 0) {
                break;
            }
            fitting.add(id);
        }
        return fitting;
    }

    /** Whether all of them fit. */
    public static boolean fit(Collection<String> ids) {
        return fitting(ids).size() == ids.size();
    }

    /** The ids in portions that fit. */
    public static List<List<String>> portions(List<String> ids) {
        List<List<String>> portions = new ArrayList<>();
        int from = 0;
        while (from < ids.size()) {
            int size = Math.max(1, fitting(ids.subList(from, ids.size())).size());
            portions.add(ids.subList(from, from + size));
            from += size;
        }
        return portions;
    }
}
