package io.sluice.emulator.document.binary;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** Reads strings of binary JSON in all their forms. Used by one thread. */
final class StringReader {
    private static final String LOWER_CASE_HEX = "0123456789abcdef";
    private static final String UPPER_CASE_HEX = "0123456789ABCDEF";
    private static final String DATE_TIME = " 0123456789:-.TZ";
    private static final int LENGTH_BITS = 0x3F;
    private static final int GUID_BYTES = 16;
    /** How many characters references may stand for in all: as many as a request may have bytes. */
    private static final int MAX_REFERRED = 5 * 1024 * 1024;
    /** Where the dashes of a GUID stand, in its text. */
    private static final int[] DASHES = {8, 13, 18, 23};
    /** In which order the bytes of a GUID that is a value come in its text. */
    private static final int[] VALUE_ORDER = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

    private final ByteBuffer in;
    /** The strings that others refer to, by their places: each is kept once. */
    private final Map<Integer, String> referred = new HashMap<>();

    private int referredLength;

    StringReader(ByteBuffer in) {
        this.in = in;
    }

    static boolean isString(int marker) {
        return marker >= Markers.SYSTEM_STRINGS && marker < Markers.NUMBER_UINT64;
    }

    private static boolean isReference(int marker) {
        return marker >= Markers.REFERENCE_1 && marker < Markers.NUMBER_UINT64;
    }

    /** The string behind a marker. */
    String read(int marker) {
        if (marker < Markers.USER_STRINGS) {
            return Markers.SYSTEM.get(marker - Markers.SYSTEM_STRINGS);
        }
        if (marker < Markers.COMPRESSED_STRINGS) {
            throw BinaryJson.invalid(in.position() - 1, "a string refers to a dictionary that was not sent");
        }
        if (marker < Markers.SHORT_STRINGS) {
            return compressed(marker);
        }
        if (marker < Markers.STRING_1) {
            return text(marker & LENGTH_BITS);
        }
        return switch (marker) {
            case Markers.STRING_1 -> text(length(1));
            case Markers.STRING_2 -> text(length(2));
            case Markers.STRING_4 -> text(length(4));
            case Markers.REFERENCE_1 -> referred(length(1));
            case Markers.REFERENCE_2 -> referred(length(2));
            case Markers.REFERENCE_3 -> referred(length(3));
            default -> referred(length(4));
        };
    }

    /** A length or place of so many bytes. */
    int length(int lengthBytes) {
        long length = 0;
        for (int i = 0; i < lengthBytes; i++) {
            length |= (in.get() & 0xFFL) << (8 * i);
        }
        if (length > in.limit()) {
            throw BinaryJson.invalid(in.position(), "a length of " + length + " goes beyond the end of the body");
        }
        return (int) length;
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[Math.min(length, in.remaining() + 1)];
        in.get(bytes);
        return bytes;
    }

    private String text(int length) {
        int at = in.position();
        byte[] utf8 = bytes(length);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw BinaryJson.invalid(at, "a string is no UTF-8");
        }
    }

    /** The string that stands at an earlier place; it can't refer to another one in turn. */
    private String referred(int place) {
        var text = referred.computeIfAbsent(place, this::textAt);
        referredLength += text.length();
        if (referredLength > MAX_REFERRED) {
            throw BinaryJson.invalid(
                    in.position(), "strings by reference are longer than " + MAX_REFERRED + " characters in all");
        }
        return text;
    }

    private String textAt(int place) {
        int at = in.position();
        int marker = place > 0 && place < in.limit() ? in.get(place) & 0xFF : 0;
        if (!isString(marker) || isReference(marker)) {
            throw BinaryJson.invalid(at, "there is no string at byte " + place + ", to which a string refers");
        }
        in.position(place + 1);
        String text = read(marker);
        in.position(at);
        return text;
    }

    private String compressed(int marker) {
        return switch (marker) {
            case Markers.BASE64 -> base64(1, Base64.getEncoder());
            case Markers.BASE64_LONG -> base64(2, Base64.getEncoder());
            case Markers.BASE64_URL -> base64(1, Base64.getUrlEncoder());
            case Markers.BASE64_URL_LONG -> base64(2, Base64.getUrlEncoder());
            case Markers.GUID_LOWER_CASE -> guid(HexFormat.of());
            case Markers.GUID_UPPER_CASE -> guid(HexFormat.of().withUpperCase());
            case Markers.GUID_QUOTED -> '"' + guid(HexFormat.of()) + '"';
            case Markers.HEX_LOWER_CASE -> fourBits(LOWER_CASE_HEX);
            case Markers.HEX_UPPER_CASE -> fourBits(UPPER_CASE_HEX);
            case Markers.DATE_TIME -> fourBits(DATE_TIME);
            case Markers.PACKED_4_BITS -> packed(length(1), 4, in.get() & 0xFF);
            case Markers.PACKED_5_BITS -> packed(length(1), 5, in.get() & 0xFF);
            case Markers.PACKED_6_BITS -> packed(length(1), 6, in.get() & 0xFF);
            case Markers.PACKED_7_BITS -> packed(length(1), 7, 0);
            case Markers.PACKED_7_BITS_LONG -> packed(length(2), 7, 0);
            default -> throw BinaryJson.invalid(in.position() - 1, "no string begins with %02X".formatted(marker));
        };
    }

    /**
     * Bytes that base 64 gives back. Behind the number of groups of four characters stands how many of them are
     * padding; its complement when the padding was left out.
     */
    private String base64(int lengthBytes, Base64.Encoder encoder) {
        int characters = 4 * length(lengthBytes);
        int at = in.position();
        int given = in.get();
        boolean isLeftOut = given < 0;
        int padding = isLeftOut ? ~given : given;
        if (padding > 2 || padding > characters) {
            throw BinaryJson.invalid(at, "base 64 has at most two characters of padding");
        }
        String text = encoder.encodeToString(bytes((characters - padding) * 3 / 4));
        return isLeftOut ? text.substring(0, text.length() - padding) : text;
    }

    private String guid(HexFormat hex) {
        return dashed(hex.formatHex(bytes(GUID_BYTES)));
    }

    /** A GUID that is a value rather than a string: its first three numbers are little-endian. */
    String guidValue() {
        byte[] given = bytes(GUID_BYTES);
        byte[] inOrder = new byte[GUID_BYTES];
        for (int i = 0; i < GUID_BYTES; i++) {
            inOrder[i] = given[VALUE_ORDER[i]];
        }
        return dashed(HexFormat.of().formatHex(inOrder));
    }

    private static String dashed(String digits) {
        StringBuilder text = new StringBuilder(digits);
        for (int dash : DASHES) {
            text.insert(dash, '-');
        }
        return text.toString();
    }

    private String fourBits(String characters) {
        int length = length(1);
        byte[] packed = bytes((length + 1) / 2);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(characters.charAt((packed[i / 2] >> (4 * (i % 2))) & 0xF));
        }
        return text.toString();
    }

    /**
     * Characters of few bits, the lowest bits first.
     *
     * @param base the character that zero stands for
     */
    private String packed(int length, int bits, int base) {
        byte[] packed = bytes((length * bits + 7) / 8);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int from = i * bits / 8;
            int low = packed[from] & 0xFF;
            int high = from + 1 < packed.length ? packed[from + 1] & 0xFF : 0;
            int character = ((low | (high << 8)) >> (i * bits % 8)) & ((1 << bits) - 1);
            text.append((char) ((character + base) & 0xFF));
        }
        return text.toString();
    }
}
