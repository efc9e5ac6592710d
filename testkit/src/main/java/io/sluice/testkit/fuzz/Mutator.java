package io.sluice.testkit.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Damages a text, the same way for the same random numbers: characters go, come twice or change places, numbers grow
 * beyond every type, values are replaced by others, names come twice, brackets go down to any depth, surrogates lose
 * their other half, and texts are crossed with their like. Damage to values keeps JSON well-formed more often than not,
 * so that it reaches beyond the parser. Not thread-safe.
 */
final class Mutator {
    private static final int MOST_STROKES = 4;
    private static final int LONGEST_SPAN = 24;
    private static final int DEEPEST = 20_000;
    private static final int LONGEST_RUN = 5_000;
    private static final String TOKENS =
            "{}[]()<>\",:;\\/ '`@#$%^&*|~!?0123456789.-+_eE=ntrufalsé\t\r\n\0\u001f\u007f\u00a0\u2028\ud83d\ude00\ufeff\uffff";
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "-0",
            "-1",
            "7.0",
            "1e3",
            "2147483648",
            "-2147483649",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615",
            "18446744073709551616",
            "1e999",
            "-1e999",
            "1e-999",
            "1e2147483647",
            "0.1e-2147483648",
            "NaN",
            "-Infinity",
            "\"\"",
            "\" \"",
            "\"x\"",
            "\"\\ud800\"",
            "\"\\udc00x\"",
            "\"\ud800\"",
            "\"\\u0000\"",
            "\"2026-01-01T00:00:00Z\"",
            "\"+999999999-12-31T23:59:59Z\"",
            "\"PT1S\"",
            "{}",
            "[]",
            "[null]",
            "{\"\":{}}",
            "{\"a\":1,\"a\":2}");

    private final SplittableRandom random;
    private final List<String> others;

    /** Its random numbers, and what a text may be crossed with: one at least. */
    Mutator(SplittableRandom random, List<String> others) {
        this.random = random;
        this.others = others;
    }

    String mutate(String text) {
        var mutant = new StringBuilder(text);
        for (int strokes = random.nextInt(1, MOST_STROKES); strokes > 0; strokes--) {
            strike(mutant);
        }
        return mutant.toString();
    }

    private void strike(StringBuilder text) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(1, LONGEST_SPAN));
        switch (random.nextInt(14)) {
            case 0 -> text.delete(from, to);
            case 1 -> text.insert(from, text.substring(from, to));
            case 2 -> text.insert(from, TOKENS.charAt(random.nextInt(TOKENS.length())));
            case 3 -> text.replace(from, to, one(VALUES));
            case 4 -> text.setLength(from);
            case 5, 6, 7 -> replaceValue(text, one(VALUES));
            case 8 -> replaceNumber(text);
            case 9 -> doubleName(text);
            case 10 -> cross(text, from);
            case 11 -> swap(text, from, to);
            case 12 -> rarely(() -> deepen(text, from));
            default -> rarely(() -> stretch(text, from));
        }
    }

    /** Expensive mutations come now and then. */
    private void rarely(Runnable stroke) {
        if (random.nextInt(20) == 0) {
            stroke.run();
        }
    }

    private void replaceValue(StringBuilder text, String value) {
        int colon = text.indexOf(":", random.nextInt(text.length() + 1));
        int end = colon < 0 ? -1 : endOfValue(text, colon + 1);
        if (end > 0) {
            text.replace(colon + 1, end, value);
        }
    }

    /** Of a plain value: at the next comma or bracket outside of a string; -1 when there is none. */
    private static int endOfValue(StringBuilder text, int begin) {
        boolean inString = false;
        for (int i = begin; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' && (i == begin || text.charAt(i - 1) != '\\')) {
                inString = !inString;
            } else if (!inString && (c == ',' || c == '}' || c == ']')) {
                return i;
            }
        }
        return -1;
    }

    private void replaceNumber(StringBuilder text) {
        int begin = random.nextInt(text.length() + 1);
        while (begin < text.length() && !Character.isDigit(text.charAt(begin))) {
            begin++;
        }
        int end = begin;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        if (begin < end) {
            String number = text.substring(begin, end);
            text.replace(
                    begin,
                    end,
                    switch (random.nextInt(4)) {
                        case 0 -> number.repeat(random.nextInt(2, 40));
                        case 1 -> "-" + number;
                        case 2 -> number + "." + number;
                        default -> String.valueOf(random.nextLong());
                    });
        }
    }

    private void doubleName(StringBuilder text) {
        int quote = text.indexOf("\"", random.nextInt(text.length() + 1));
        int colon = quote < 0 ? -1 : text.indexOf("\":", quote + 1);
        if (colon > 0) {
            text.insert(quote, text.substring(quote, colon + 1) + ":" + one(VALUES) + ",");
        }
    }

    private void cross(StringBuilder text, int at) {
        String other = one(others);
        int from = random.nextInt(other.length() + 1);
        text.replace(at, text.length(), other.substring(from));
    }

    private void swap(StringBuilder text, int from, int to) {
        String span = text.substring(from, to);
        text.delete(from, to);
        text.insert(random.nextInt(text.length() + 1), span);
    }

    private void deepen(StringBuilder text, int at) {
        int depth = random.nextInt(1, DEEPEST);
        switch (random.nextInt(4)) {
            case 0 -> text.insert(at, "[".repeat(depth) + "]".repeat(depth));
            case 1 -> text.insert(at, "{\"a\":".repeat(depth) + "1" + "}".repeat(depth));
            case 2 -> text.insert(at, "(".repeat(depth) + "1" + ")".repeat(depth));
            default -> replaceValue(text, "[".repeat(depth) + "]".repeat(depth));
        }
    }

    private void stretch(StringBuilder text, int at) {
        String one = String.valueOf(TOKENS.charAt(random.nextInt(TOKENS.length())));
        text.insert(at, one.repeat(random.nextInt(1, LONGEST_RUN)));
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
