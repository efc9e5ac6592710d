package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.EvaluationException;
import io.sluice.emulator.query.value.JsonValues;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** REGEXMATCH: modifiers m, s, i and x; a pattern that does not compile is undefined. */
final class RegexMatch {
    /** Reads of the text that one match may make: a pattern that goes back and forth for ever is ended by an error. */
    private static final int MOST_STEPS = 5_000_000;

    private RegexMatch() {}

    static JsonNode apply(Arguments arguments) {
        if (!arguments.areAllText()) {
            return JsonValues.UNDEFINED;
        }
        int flags = 0;
        String modifiers = arguments.isGiven(2) ? arguments.text(2) : "";
        for (int i = 0; i < modifiers.length(); i++) {
            int flag = flag(modifiers.charAt(i));
            if (flag == 0) {
                return JsonValues.UNDEFINED;
            }
            flags |= flag;
        }
        try {
            Pattern pattern = Pattern.compile(arguments.text(1), flags);
            return JsonValues.of(pattern.matcher(new Metered(arguments.text(0))).find());
        } catch (PatternSyntaxException malformed) {
            return JsonValues.UNDEFINED;
        } catch (StackOverflowError tooDeep) {
            throw tooExpensive();
        }
    }

    private static int flag(char modifier) {
        return switch (modifier) {
            case 'm' -> Pattern.MULTILINE;
            case 's' -> Pattern.DOTALL;
            case 'i' -> Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
            case 'x' -> Pattern.COMMENTS;
            default -> 0;
        };
    }

    private static EvaluationException tooExpensive() {
        return new EvaluationException(
                EvaluationException.UNSUPPORTED, "The pattern of REGEXMATCH takes too long on this text.");
    }

    /** The text, counting how often it is read. */
    private static final class Metered implements CharSequence {
        private final String text;
        private int steps;

        Metered(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++steps > MOST_STEPS) {
                throw tooExpensive();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
