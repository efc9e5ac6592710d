/**
 * Leases: a document that one party at a time may hold ({@link io.sluice.provider.lease.LeaseContext}), and the 256
 * dispatch slots divided among the dispatchers of one process or of many
 * ({@link io.sluice.provider.lease.LeaseProvider}). Correctness does not depend on slots: the instance's lock excludes
 * other dispatchers.
 */
@NullMarked
package io.sluice.provider.lease;

import org.jspecify.annotations.NullMarked;
