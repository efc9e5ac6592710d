package io.sluice.emulator.store.item;

/** An entry of a change feed. */
public interface FeedEntry {
    /** The log sequence number of the transaction that changed the item. */
    long lsn();

    /** When, in seconds since 1970. */
    long timestampSeconds();

    /** The item in the version of this entry. */
    StoredItem item();
}
