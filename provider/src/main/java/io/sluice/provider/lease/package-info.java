/**
 * Leases: a document that one party at a time may hold ({@link io.sluice.provider.lease.LeaseContext}), and the 256 dispatch slots shared out among
 * the dispatchers of one process or of many ({@link io.sluice.provider.lease.LeaseProvider}). Nothing correct rests on a slot: the instance's lock
 * does the excluding.
 */
@NullMarked
package io.sluice.provider.lease;

import org.jspecify.annotations.NullMarked;
