/**
 * What runs: emulator, broker behind a proxy, relays and runtimes, as processes. Read {@link
 * io.sluice.relay.ledger.process.Fleet} first.
 */
@NullMarked
package io.sluice.relay.ledger.process;

import org.jspecify.annotations.NullMarked;
