/** Leases: a document that one party at a time may hold ({@link io.sluice.provider.lease.LeaseContext}). */
@NullMarked
package io.sluice.provider.lease;

import org.jspecify.annotations.NullMarked;
