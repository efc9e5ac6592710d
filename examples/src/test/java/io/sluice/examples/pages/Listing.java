package io.sluice.examples.pages;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An output that a page shows. It stands for any output with the same pieces in the same order: {@code …} is any text,
 * a time or a number of ten digits and more is any other, and lines may be broken elsewhere.
 */
record Listing(String text) {
    private static final String ANY = "…";
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[\\d.]+";
    private static final String LONG_NUMBER = "\\d{10,}";
    private static final Pattern TOKEN =
            Pattern.compile("(" + TIME + ")|(" + LONG_NUMBER + ")|(\\s+)|.", Pattern.DOTALL);

    /** Whether the output shows all of this. */
    boolean isIn(String output) {
        int from = 0;
        for (Pattern piece : pieces()) {
            Matcher found = piece.matcher(output);
            if (!found.find(from)) {
                return false;
            }
            from = found.end();
        }
        return true;
    }

    private List<Pattern> pieces() {
        return Arrays.stream(text.split(ANY))
                .map(String::strip)
                .filter(piece -> !piece.isEmpty())
                .map(piece -> Pattern.compile(
                        TOKEN.matcher(piece).replaceAll(token -> Matcher.quoteReplacement(expression(token)))))
                .toList();
    }

    private static String expression(MatchResult token) {
        if (token.group(1) != null) {
            return TIME;
        }
        if (token.group(2) != null) {
            return LONG_NUMBER;
        }
        return token.group(3) != null ? "\\s*" : Pattern.quote(token.group());
    }
}
