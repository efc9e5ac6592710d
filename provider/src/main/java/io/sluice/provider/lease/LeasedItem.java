package io.sluice.provider.lease;

/**
 * A document under the lease of whoever got this.
 *
 * @param id within its collection
 * @param state the item waits in
 * @param content the caller's own text
 * @param lease the lease it was read under
 * @param etag the version that was read; every change names it
 */
public record LeasedItem(String id, String state, String content, Lease lease, String etag) {}
