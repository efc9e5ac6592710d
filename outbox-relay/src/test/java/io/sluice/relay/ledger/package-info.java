/**
 * The ledger: a load whose truth is known; relays, runtimes and brokers as processes that are killed, frozen and cut
 * off while they carry it; and an audit with plain clients of what arrived. Here are the runs and what they break, in
 * the rooms below what plays ({@code load}), what runs ({@code process}) and what judges ({@code audit}, {@code
 * watch}). Read {@link io.sluice.relay.ledger.LedgerRun} first; {@link io.sluice.relay.ledger.Runs} names the long
 * runs.
 */
@NullMarked
package io.sluice.relay.ledger;

import org.jspecify.annotations.NullMarked;
