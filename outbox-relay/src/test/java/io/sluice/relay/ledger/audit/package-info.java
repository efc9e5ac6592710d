/**
 * What judges: readers of what was published, and how late it came. {@link io.sluice.relay.ledger.audit.Audit} compares
 * it with itself and with what the load knows.
 */
@NullMarked
package io.sluice.relay.ledger.audit;

import org.jspecify.annotations.NullMarked;
