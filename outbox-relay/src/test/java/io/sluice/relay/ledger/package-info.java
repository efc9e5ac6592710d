/**
 * The ledger: a load whose truth is known, relays that are killed, paused and cut off while they carry it, and an audit
 * with plain clients of what arrived. Read {@link io.sluice.relay.ledger.LedgerRun} first.
 */
@NullMarked
package io.sluice.relay.ledger;

import org.jspecify.annotations.NullMarked;
