/**
 * What plays: orders, hubs and their children, who gives orders, and writers of documents. Their truth is known: what
 * an instance sends and receives stands in its history. Read {@link io.sluice.relay.ledger.load.Story} first.
 */
@NullMarked
package io.sluice.relay.ledger.load;

import org.jspecify.annotations.NullMarked;
