package io.sluice.emulator.store.item;

import java.util.Comparator;

/**
 * The key of an item in the store; items of one logical partition are neighbours.
 *
 * @param effectiveKey its place in the key space
 * @param partitionKey the text of its partition key, since two keys may share a hash
 * @param id the item's id, unique within its partition key
 */
public record ItemKey(String effectiveKey, String partitionKey, String id) implements Comparable<ItemKey> {
    private static final Comparator<ItemKey> ORDER = Comparator.comparing(ItemKey::effectiveKey)
            .thenComparing(ItemKey::partitionKey)
            .thenComparing(ItemKey::id);

    @Override
    public int compareTo(ItemKey other) {
        return ORDER.compare(this, other);
    }
}
