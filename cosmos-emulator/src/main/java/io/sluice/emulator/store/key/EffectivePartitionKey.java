package io.sluice.emulator.store.key;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.emulator.document.StatusException;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The place of a partition key in the key space, as upper-case hexadecimal text that sorts as the service sorts it.
 * Source: the SDK's {@code PartitionKeyInternalHelper}, against which the tests compare it.
 */
public final class EffectivePartitionKey {
    private static final int UNDEFINED = 0;
    private static final int NULL = 1;
    private static final int FALSE = 2;
    private static final int TRUE = 3;
    private static final int NUMBER = 5;
    private static final int STRING = 8;
    private static final int MAX_VERSION_1_CHARS = 100;
    private static final int MAX_VERSION_1_BYTES = 100;
    private static final int HASH_DIGITS = 32;
    private static final long HASHES_VERSION_1 = 1L << 32;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private EffectivePartitionKey() {}

    /** The effective key of a complete key of a container partitioned so. */
    public static String of(PartitionKeyDefinition definition, PartitionKey key) {
        if (definition.hierarchical()) {
            var all = new StringBuilder();
            for (var component : key.components()) {
                all.append(hashVersion2(component));
            }
            return all.toString();
        }
        var component = key.components().get(0);
        return definition.version() == 1 ? hashVersion1(component) : hashVersion2(component);
    }

    /**
     * The middle of a range of the key space.
     *
     * @throws StatusException 400 when it is too short to split
     */
    public static String middle(PartitionKeyDefinition definition, EpkRange range) {
        var middle = definition.version() == 1 ? middleVersion1(range) : middleVersion2(range);
        if (middle.compareTo(range.min()) <= 0 || middle.compareTo(range.max()) >= 0) {
            throw StatusException.badRequest("The range " + range + " is too short to be cut.");
        }
        return middle;
    }

    private static String middleVersion2(EpkRange range) {
        var sum = version2Number(range.min()).add(version2Number(range.max()));
        return "%032X".formatted(sum.shiftRight(1));
    }

    /** The upper end of everything is not {@code FF…} but where the top two bits, which hashes do not have, begin. */
    private static BigInteger version2Number(String key) {
        if (key.equals(EpkRange.FULL.max())) {
            return BigInteger.ONE.shiftLeft(HASH_DIGITS * 4 - 2);
        }
        var digits = (key + "0".repeat(HASH_DIGITS)).substring(0, HASH_DIGITS);
        return new BigInteger(digits, 16);
    }

    private static String middleVersion1(EpkRange range) {
        return version1Key((firstHashFrom(range.min()) + firstHashFrom(range.max())) / 2);
    }

    /** The least hash whose keys sort at or behind a key, by bisection. */
    private static long firstHashFrom(String key) {
        long low = 0;
        long high = HASHES_VERSION_1;
        while (low < high) {
            long middle = (low + high) / 2;
            if (version1Key(middle).compareTo(key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static String version1Key(long hash) {
        var out = new ByteArrayOutputStream();
        writeNumberSorted(out, (double) hash);
        return HEX.formatHex(out.toByteArray());
    }

    /** Where the {@code index}-th of {@code count} equal parts of the key space begins. */
    static String boundary(PartitionKeyDefinition definition, int index, int count) {
        if (definition.version() == 1) {
            return version1Key(HASHES_VERSION_1 * index / count);
        }
        var part = version2Number(EpkRange.FULL.max()).divide(BigInteger.valueOf(count));
        return "%032X".formatted(part.multiply(BigInteger.valueOf(index)));
    }

    private static String hashVersion2(JsonNode component) {
        var out = new ByteArrayOutputStream();
        writeForHashing(out, component, 0xFF);
        var hash = MurmurHash3.hash128(out.toByteArray());
        hash[0] &= 0x3F;
        return HEX.formatHex(hash);
    }

    private static String hashVersion1(JsonNode component) {
        var truncated = truncate(component);
        var hashed = new ByteArrayOutputStream();
        writeForHashing(hashed, truncated, 0);
        double hash = Integer.toUnsignedLong(MurmurHash3.hash32(hashed.toByteArray()));
        var out = new ByteArrayOutputStream();
        writeNumberSorted(out, hash);
        writeSorted(out, truncated);
        return HEX.formatHex(out.toByteArray());
    }

    private static JsonNode truncate(JsonNode component) {
        if (component.isTextual() && component.textValue().length() > MAX_VERSION_1_CHARS) {
            return JsonNodeFactory.instance.textNode(component.textValue().substring(0, MAX_VERSION_1_CHARS));
        }
        return component;
    }

    private static void writeForHashing(ByteArrayOutputStream out, JsonNode component, int stringEnd) {
        out.write(typeOf(component));
        if (component.isNumber()) {
            long bits = Double.doubleToLongBits(component.doubleValue());
            for (int i = 0; i < 8; i++) {
                out.write((int) (bits >>> (8 * i)));
            }
        } else if (component.isTextual()) {
            out.writeBytes(component.textValue().getBytes(StandardCharsets.UTF_8));
            out.write(stringEnd);
        }
    }

    private static void writeSorted(ByteArrayOutputStream out, JsonNode component) {
        if (component.isNumber()) {
            writeNumberSorted(out, component.doubleValue());
            return;
        }
        out.write(typeOf(component));
        if (component.isTextual()) {
            var bytes = component.textValue().getBytes(StandardCharsets.UTF_8);
            boolean fits = bytes.length <= MAX_VERSION_1_BYTES;
            for (int i = 0; i < (fits ? bytes.length : MAX_VERSION_1_BYTES + 1); i++) {
                out.write(bytes[i] + 1);
            }
            if (fits) {
                out.write(0);
            }
        }
    }

    /** A number in an encoding that sorts by value: eight bits, then chunks of seven with a continuation bit. */
    private static void writeNumberSorted(ByteArrayOutputStream out, double value) {
        out.write(NUMBER);
        long bits = Double.doubleToRawLongBits(value);
        long payload = bits >= 0 ? bits ^ Long.MIN_VALUE : -bits;
        out.write((int) (payload >>> 56));
        payload <<= 8;
        int chunk = (int) (payload >>> 56) | 1;
        payload <<= 7;
        while (payload != 0) {
            out.write(chunk);
            chunk = (int) (payload >>> 56) | 1;
            payload <<= 7;
        }
        out.write(chunk & 0xFE);
    }

    private static int typeOf(JsonNode component) {
        return switch (component.getNodeType()) {
            case NULL -> NULL;
            case BOOLEAN -> component.booleanValue() ? TRUE : FALSE;
            case NUMBER -> NUMBER;
            case STRING -> STRING;
            case MISSING -> UNDEFINED;
            case ARRAY, BINARY, OBJECT, POJO ->
                throw StatusException.badRequest("A partition key can't hold " + component.getNodeType());
        };
    }
}
