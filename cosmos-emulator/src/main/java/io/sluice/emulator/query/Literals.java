package io.sluice.emulator.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import org.antlr.v4.runtime.Token;

/** The values of literal tokens. */
final class Literals {
    private static final int HEX = 16;
    private static final int HEX_DIGITS = 4;

    private Literals() {}

    /** A whole number that fits into 64 bits stays one; any other is a double. */
    static JsonNode number(Token token) {
        String text = token.getText();
        try {
            return JsonValues.of(Long.parseLong(text));
        } catch (NumberFormatException notWhole) {
            JsonNode number = JsonValues.of(Double.parseDouble(text));
            if (JsonValues.isUndefined(number)) {
                throw QuerySyntaxException.at(
                        token, QuerySyntaxException.SYNTAX, "Syntax error, the number " + text + " is out of range.");
            }
            return number;
        }
    }

    /** The string between the quotes, its escapes resolved. */
    static String text(Token token) {
        String quoted = token.getText();
        StringBuilder text = new StringBuilder(quoted.length());
        int at = 1;
        while (at < quoted.length() - 1) {
            char character = quoted.charAt(at++);
            if (character != '\\') {
                text.append(character);
                continue;
            }
            char escape = quoted.charAt(at++);
            if (escape == 'u') {
                text.append((char) Integer.parseInt(quoted.substring(at, at + HEX_DIGITS), HEX));
                at += HEX_DIGITS;
            } else {
                text.append(unescaped(escape));
            }
        }
        return text.toString();
    }

    private static char unescaped(char escape) {
        return switch (escape) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> escape;
        };
    }
}
