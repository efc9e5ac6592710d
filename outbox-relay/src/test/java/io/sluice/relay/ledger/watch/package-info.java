/** What processes of a long run need, measured at a steady pace, and whether that grows. */
@NullMarked
package io.sluice.relay.ledger.watch;

import org.jspecify.annotations.NullMarked;
