package io.sluice.emulator.query.value;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of LIKE: {@code %} is any text, {@code _} one character, {@code [a-f]} and {@code [^a-f]} one of a set. It
 * is matched by walking, going back at most to the last {@code %}, so that no pattern takes exponential time.
 */
public final class LikePattern {
    private static final Element ANY_TEXT = new Element("", false);

    private final List<Element> elements;

    private LikePattern(List<Element> elements) {
        this.elements = elements;
    }

    /** One character of the text: one of the pairs from-to in {@code ranges}, or none of them when negated. */
    private record Element(String ranges, boolean negated) {
        static final Element ANY_ONE = new Element("", true);

        static Element exactly(char character) {
            return new Element("" + character + character, false);
        }

        boolean matches(char character) {
            for (int i = 0; i < ranges.length(); i += 2) {
                if (character >= ranges.charAt(i) && character <= ranges.charAt(i + 1)) {
                    return !negated;
                }
            }
            return negated;
        }
    }

    /** The pattern of this text; {@code escape} is one character that takes its meaning from the next, or null. */
    public static LikePattern of(String pattern, @Nullable String escape) {
        List<Element> elements = new ArrayList<>();
        int at = 0;
        while (at < pattern.length()) {
            char character = pattern.charAt(at);
            int close = character == '[' ? pattern.indexOf(']', at + 1) : -1;
            if (escape != null && character == escape.charAt(0) && at + 1 < pattern.length()) {
                at++;
                elements.add(Element.exactly(pattern.charAt(at)));
            } else if (close > at + 1) {
                elements.add(set(pattern.substring(at + 1, close)));
                at = close;
            } else {
                elements.add(single(character));
            }
            at++;
        }
        return new LikePattern(elements);
    }

    private static Element single(char character) {
        return switch (character) {
            case '%' -> ANY_TEXT;
            case '_' -> Element.ANY_ONE;
            default -> Element.exactly(character);
        };
    }

    private static Element set(String inside) {
        boolean negated = inside.length() > 1 && inside.startsWith("^");
        String members = negated ? inside.substring(1) : inside;
        StringBuilder ranges = new StringBuilder();
        for (int i = 0; i < members.length(); i++) {
            char from = members.charAt(i);
            boolean isRange = i + 2 < members.length() && members.charAt(i + 1) == '-';
            ranges.append(from).append(isRange ? members.charAt(i + 2) : from);
            i += isRange ? 2 : 0;
        }
        return new Element(ranges.toString(), negated);
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isAnyText(int at) {
        return at < elements.size() && elements.get(at) == ANY_TEXT;
    }

    /** True when the whole text has the form of the pattern. */
    public boolean matches(String text) {
        int inText = 0;
        int inPattern = 0;
        int afterAnyText = -1;
        int resumeAt = 0;
        while (inText < text.length()) {
            if (isAnyText(inPattern)) {
                afterAnyText = ++inPattern;
                resumeAt = inText;
            } else if (inPattern < elements.size() && elements.get(inPattern).matches(text.charAt(inText))) {
                inPattern++;
                inText++;
            } else if (afterAnyText >= 0) {
                inPattern = afterAnyText;
                inText = ++resumeAt;
            } else {
                return false;
            }
        }
        while (isAnyText(inPattern)) {
            inPattern++;
        }
        return inPattern == elements.size();
    }
}
