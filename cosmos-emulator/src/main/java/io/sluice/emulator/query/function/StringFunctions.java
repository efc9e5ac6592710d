package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/** Functions on strings; an argument that is no string is undefined. Comparison is by code unit, never by language. */
final class StringFunctions {
    /** The service refuses to make a longer string of copies. */
    private static final int LONGEST_REPLICA = 10_000;

    static final List<BuiltIn> ALL = List.of(
            new BuiltIn("CONCAT", 2, Integer.MAX_VALUE, StringFunctions::concat),
            comparison("CONTAINS", String::contains),
            containsMany("CONTAINS_ALL_CI", true, true),
            containsMany("CONTAINS_ALL_CS", true, false),
            containsMany("CONTAINS_ANY_CI", false, true),
            containsMany("CONTAINS_ANY_CS", false, false),
            comparison("ENDSWITH", String::endsWith),
            new BuiltIn("INDEX_OF", 2, 3, StringFunctions::indexOf),
            new BuiltIn("LASTINDEXOF", 2, 3, StringFunctions::lastIndexOf),
            BuiltIn.of("LEFT", 2, StringFunctions::left),
            BuiltIn.of("LENGTH", 1, StringFunctions::length),
            of("LOWER", text -> text.toLowerCase(Locale.ROOT)),
            new BuiltIn("LTRIM", 1, 2, arguments -> trim(arguments, true, false)),
            new BuiltIn("REGEXMATCH", 2, 3, RegexMatch::apply),
            BuiltIn.of("REPLACE", 3, StringFunctions::replace),
            BuiltIn.of("REPLICATE", 2, StringFunctions::replicate),
            of("REVERSE", text -> new StringBuilder(text).reverse().toString()),
            BuiltIn.of("RIGHT", 2, StringFunctions::right),
            new BuiltIn("RTRIM", 1, 2, arguments -> trim(arguments, false, true)),
            comparison("STARTSWITH", String::startsWith),
            comparison("STRINGEQUALS", String::equals),
            BuiltIn.of("STRINGJOIN", 2, StringFunctions::join),
            BuiltIn.of("STRINGSPLIT", 2, StringFunctions::split),
            BuiltIn.of("SUBSTRING", 3, StringFunctions::substring),
            new BuiltIn("TRIM", 1, 2, arguments -> trim(arguments, true, true)),
            of("UPPER", text -> text.toUpperCase(Locale.ROOT)));

    private StringFunctions() {}

    private static BuiltIn of(String name, UnaryOperator<String> operation) {
        return BuiltIn.of(
                name,
                1,
                arguments ->
                        arguments.isText(0) ? JsonValues.of(operation.apply(arguments.text(0))) : JsonValues.UNDEFINED);
    }

    /** A test of two strings with an optional third argument: true = whatever the case. */
    private static BuiltIn comparison(String name, BiPredicate<String, String> test) {
        return new BuiltIn(name, 2, 3, arguments -> {
            boolean isTyped = !arguments.isGiven(2) || arguments.at(2).isBoolean();
            if (!arguments.areText(0, 1) || !isTyped) {
                return JsonValues.UNDEFINED;
            }
            return JsonValues.of(
                    JsonValues.isTrue(arguments.at(2))
                            ? test.test(folded(arguments.text(0)), folded(arguments.text(1)))
                            : test.test(arguments.text(0), arguments.text(1)));
        });
    }

    /** Whether a string holds all, or any, of the others: what CONTAINS says of each, joined by AND or by OR. */
    private static BuiltIn containsMany(String name, boolean all, boolean ignoringCase) {
        return new BuiltIn(name, 2, Integer.MAX_VALUE, arguments -> {
            boolean isTyped = arguments.areAllText();
            for (int i = 1; i < arguments.size(); i++) {
                if (arguments.areText(0, i) && holds(arguments.text(0), arguments.text(i), ignoringCase) != all) {
                    return JsonValues.of(!all);
                }
            }
            return isTyped ? JsonValues.of(all) : JsonValues.UNDEFINED;
        });
    }

    private static boolean holds(String text, String part, boolean ignoringCase) {
        return ignoringCase ? folded(text).contains(folded(part)) : text.contains(part);
    }

    private static String folded(String text) {
        return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }

    private static JsonNode concat(Arguments arguments) {
        if (!arguments.areAllText()) {
            return JsonValues.UNDEFINED;
        }
        StringBuilder whole = new StringBuilder();
        arguments.values().forEach(part -> whole.append(part.textValue()));
        return JsonValues.of(whole.toString());
    }

    private static JsonNode indexOf(Arguments arguments) {
        if (!arguments.areText(0, 1) || (arguments.isGiven(2) && !arguments.isWhole(2))) {
            return JsonValues.UNDEFINED;
        }
        long from = arguments.isGiven(2) ? arguments.whole(2) : 0;
        if (from < 0 || from > arguments.text(0).length()) {
            return JsonValues.of(-1L);
        }
        return JsonValues.of((long) arguments.text(0).indexOf(arguments.text(1), (int) from));
    }

    /** The match ends at the given place or before it. */
    private static JsonNode lastIndexOf(Arguments arguments) {
        if (!arguments.areText(0, 1) || (arguments.isGiven(2) && !arguments.isWhole(2))) {
            return JsonValues.UNDEFINED;
        }
        String text = arguments.text(0);
        long last = arguments.isGiven(2) ? Math.min(arguments.whole(2), text.length() - 1L) : text.length() - 1L;
        long from = last - arguments.text(1).length() + 1;
        return JsonValues.of(from < 0 ? -1L : text.lastIndexOf(arguments.text(1), (int) from));
    }

    private static JsonNode left(Arguments arguments) {
        return part(arguments.at(0), JsonValues.of(0L), arguments.at(1));
    }

    private static JsonNode right(Arguments arguments) {
        if (!arguments.isText(0) || !arguments.isWhole(1)) {
            return JsonValues.UNDEFINED;
        }
        long from = Math.max(arguments.text(0).length() - Math.max(arguments.whole(1), 0), 0);
        return part(arguments.at(0), JsonValues.of(from), arguments.at(1));
    }

    private static JsonNode substring(Arguments arguments) {
        return part(arguments.at(0), arguments.at(1), arguments.at(2));
    }

    private static JsonNode part(JsonNode text, JsonNode start, JsonNode length) {
        boolean isTyped = text.isTextual() && isWhole(start) && isWhole(length);
        if (!isTyped) {
            return JsonValues.UNDEFINED;
        }
        String whole = text.textValue();
        long from = start.longValue();
        if (from < 0 || from >= whole.length() || length.longValue() <= 0) {
            return JsonValues.of("");
        }
        long end = Math.min(whole.length(), from + Math.min(length.longValue(), whole.length()));
        return JsonValues.of(whole.substring((int) from, (int) end));
    }

    private static boolean isWhole(JsonNode value) {
        return value.isNumber() && JsonValues.isWhole(value);
    }

    private static JsonNode length(Arguments arguments) {
        return arguments.isText(0) ? JsonValues.of((long) arguments.text(0).length()) : JsonValues.UNDEFINED;
    }

    /** Without a second argument white space goes, with one its characters. */
    private static JsonNode trim(Arguments arguments, boolean atStart, boolean atEnd) {
        if (!arguments.areAllText()) {
            return JsonValues.UNDEFINED;
        }
        String text = arguments.text(0);
        int from = 0;
        int end = text.length();
        while (atStart && from < end && goes(text.charAt(from), arguments)) {
            from++;
        }
        while (atEnd && end > from && goes(text.charAt(end - 1), arguments)) {
            end--;
        }
        return JsonValues.of(text.substring(from, end));
    }

    private static boolean goes(char character, Arguments arguments) {
        return arguments.isGiven(1) ? arguments.text(1).indexOf(character) >= 0 : Character.isWhitespace(character);
    }

    private static JsonNode replace(Arguments arguments) {
        if (!arguments.areAllText() || arguments.text(1).isEmpty()) {
            return JsonValues.UNDEFINED;
        }
        return JsonValues.of(arguments.text(0).replace(arguments.text(1), arguments.text(2)));
    }

    private static JsonNode replicate(Arguments arguments) {
        if (!arguments.isText(0) || !arguments.isWhole(1) || arguments.whole(1) < 0) {
            return JsonValues.UNDEFINED;
        }
        int length = arguments.text(0).length();
        if (length > 0 && arguments.whole(1) > LONGEST_REPLICA / length) {
            return JsonValues.UNDEFINED;
        }
        return JsonValues.of(length == 0 ? "" : arguments.text(0).repeat((int) arguments.whole(1)));
    }

    private static JsonNode join(Arguments arguments) {
        if (!arguments.at(0).isArray() || !arguments.isText(1)) {
            return JsonValues.UNDEFINED;
        }
        List<String> parts = new ArrayList<>();
        for (JsonNode element : arguments.at(0)) {
            if (!element.isTextual()) {
                return JsonValues.UNDEFINED;
            }
            parts.add(element.textValue());
        }
        return JsonValues.of(String.join(arguments.text(1), parts));
    }

    private static JsonNode split(Arguments arguments) {
        if (!arguments.areAllText()) {
            return JsonValues.UNDEFINED;
        }
        ArrayNode parts = JsonValues.array();
        String text = arguments.text(0);
        String delimiter = arguments.text(1);
        int from = 0;
        for (int at = text.indexOf(delimiter); !delimiter.isEmpty() && at >= 0; at = text.indexOf(delimiter, from)) {
            parts.add(text.substring(from, at));
            from = at + delimiter.length();
        }
        return parts.add(text.substring(from));
    }
}
