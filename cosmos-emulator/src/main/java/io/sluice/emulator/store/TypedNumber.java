package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An item in the index of types.
 *
 * @param type the text of its {@code type} property; empty when it has none, or one that is no text
 * @param number the item's
 */
record TypedNumber(String type, long number) implements Comparable<TypedNumber> {
    static TypedNumber of(StoredItem item) {
        JsonNode type = item.document().path("type");
        return new TypedNumber(type.isTextual() ? type.textValue() : "", item.number());
    }

    @Override
    public int compareTo(TypedNumber other) {
        int byType = type.compareTo(other.type);
        return byType != 0 ? byType : Long.compare(number, other.number);
    }
}
