package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which property names may follow a dot; every other needs brackets. */
final class Names {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final Set<String> RESERVED = Set.of(
            "and",
            "array",
            "as",
            "asc",
            "between",
            "by",
            "desc",
            "distinct",
            "escape",
            "exists",
            "false",
            "from",
            "group",
            "in",
            "join",
            "left",
            "like",
            "limit",
            "not",
            "null",
            "offset",
            "or",
            "order",
            "right",
            "select",
            "top",
            "true",
            "udf",
            "undefined",
            "value",
            "where");

    private Names() {}

    static boolean isPlain(JsonNode name) {
        return name.isTextual()
                && PLAIN.matcher(name.textValue()).matches()
                && !RESERVED.contains(name.textValue().toLowerCase(Locale.ROOT));
    }
}
