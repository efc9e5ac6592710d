package io.sluice.provider.lease;

/**
 * A document under a lease of the party that received it.
 *
 * @param id within its collection
 * @param state the item waits in
 * @param content the caller's own text
 * @param lease under which it was read
 * @param etag the version that was read; every change names it
 */
public record LeasedItem(String id, String state, String content, Lease lease, String etag) {}
