/**
 * The proof: what the store holds against what Kafka's readers see. Read {@link io.sluice.examples.ledger.Ledger}
 * first.
 */
@NullMarked
package io.sluice.examples.ledger;

import org.jspecify.annotations.NullMarked;
