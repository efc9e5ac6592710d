package io.sluice.emulator.store.item;

/** Something a change feed tells. */
public interface FeedEntry {
    /** The log sequence number of the transaction that changed the item. */
    long lsn();

    /** When, in seconds since 1970. */
    long timestampSeconds();

    /** The item as the entry tells it. */
    StoredItem item();
}
