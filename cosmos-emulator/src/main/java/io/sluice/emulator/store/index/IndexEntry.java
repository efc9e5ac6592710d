package io.sluice.emulator.store.index;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One item under one value. Values sort as in the query language, but some different values are equal here: long
 * strings with the same beginning, numbers with the same double, arrays, objects. So a reader checks the item itself.
 *
 * @param rank of the value's type
 * @param number the value of a number, 0 or 1 for a boolean, else 0
 * @param text the beginning of a string, else empty
 * @param item its number
 */
record IndexEntry(byte rank, double number, String text, long item) implements Comparable<IndexEntry> {
    /** Long enough to distinguish most strings, short enough to bound the index's memory. */
    private static final int TEXT_LENGTH = 64;

    private static final String LAST_TEXT = "\uffff".repeat(TEXT_LENGTH);
    private static final byte UNDEFINED = 0;
    private static final byte NULL = 1;
    private static final byte BOOLEAN = 2;
    private static final byte NUMBER = 3;
    private static final byte STRING = 4;
    private static final byte ARRAY = 5;
    private static final byte OBJECT = 6;

    static IndexEntry of(JsonNode value, long item) {
        return switch (value.getNodeType()) {
            case MISSING -> plain(UNDEFINED, item);
            case NULL -> plain(NULL, item);
            case BOOLEAN -> new IndexEntry(BOOLEAN, value.booleanValue() ? 1 : 0, "", item);
            // Zero and minus zero are one number.
            case NUMBER -> new IndexEntry(NUMBER, value.doubleValue() + 0.0, "", item);
            case STRING, BINARY -> new IndexEntry(STRING, 0, beginning(value.asText()), item);
            case ARRAY -> plain(ARRAY, item);
            case OBJECT, POJO -> plain(OBJECT, item);
        };
    }

    /** Before all values of a value's type. */
    static IndexEntry beforeTypeOf(JsonNode value) {
        return new IndexEntry(of(value, 0).rank, Double.NEGATIVE_INFINITY, "", Long.MIN_VALUE);
    }

    /** Behind all values of a value's type. */
    static IndexEntry behindTypeOf(JsonNode value) {
        return new IndexEntry(of(value, 0).rank, Double.POSITIVE_INFINITY, "", Long.MAX_VALUE);
    }

    /** Before all strings that begin so. */
    static IndexEntry beforePrefix(String prefix) {
        return new IndexEntry(STRING, 0, beginning(prefix), Long.MIN_VALUE);
    }

    /** Behind all strings that begin so. */
    static IndexEntry behindPrefix(String prefix) {
        return new IndexEntry(STRING, 0, beginning(prefix + LAST_TEXT), Long.MAX_VALUE);
    }

    /** The same value and another item. */
    IndexEntry at(long other) {
        return new IndexEntry(rank, number, text, other);
    }

    boolean hasValueOf(IndexEntry other) {
        return rank == other.rank && Double.compare(number, other.number) == 0 && text.equals(other.text);
    }

    @Override
    public int compareTo(IndexEntry other) {
        int order = Byte.compare(rank, other.rank);
        if (order == 0) {
            order = Double.compare(number, other.number);
        }
        if (order == 0) {
            order = text.compareTo(other.text);
        }
        return order == 0 ? Long.compare(item, other.item) : order;
    }

    /** What the entry takes of the memory, in bytes: a guess. */
    int memory() {
        return 64 + 2 * text.length();
    }

    private static IndexEntry plain(byte rank, long item) {
        return new IndexEntry(rank, 0, "", item);
    }

    private static String beginning(String text) {
        return text.length() <= TEXT_LENGTH ? text : text.substring(0, TEXT_LENGTH);
    }
}
