package io.sluice.relay.verify;

import io.sluice.relay.event.EventId;

/**
 * An event that the store has.
 *
 * @param writtenSecond when it was written, by the store's time in seconds since 1970
 * @param value of the record that it should have; {@link Digest#NONE} if the feed shows another than a query
 */
record StoredEntry(EventId id, long writtenSecond, Digest value) {}
