package io.sluice.emulator.document;

import java.util.ArrayList;
import java.util.List;

/** Paths such as {@code /a/b}, {@code /"a b"/c} and {@code /'a b'/c} of partition keys and index policies. */
public final class JsonPaths {
    private JsonPaths() {}

    /**
     * The names along a path.
     *
     * @throws StatusException 400 when it does not begin with a slash, or a name is empty or its quote is not closed
     */
    public static List<String> parse(String path) {
        var names = new ArrayList<String>();
        int at = 0;
        while (at < path.length()) {
            if (path.charAt(at) != '/' || at + 1 == path.length()) {
                throw invalid(path);
            }
            char first = path.charAt(at + 1);
            boolean quoted = first == '"' || first == '\'';
            int from = quoted ? at + 2 : at + 1;
            int end = path.indexOf(quoted ? first : '/', from);
            if (end < 0) {
                if (quoted) {
                    throw invalid(path);
                }
                end = path.length();
            }
            if (end == from) {
                throw invalid(path);
            }
            names.add(path.substring(from, end));
            at = quoted ? end + 1 : end;
        }
        if (names.isEmpty()) {
            throw invalid(path);
        }
        return names;
    }

    private static StatusException invalid(String path) {
        return StatusException.badRequest("The path '" + path + "' is invalid: it must be /name or /name/name");
    }
}
