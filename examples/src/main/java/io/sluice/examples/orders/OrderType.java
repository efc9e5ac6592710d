package io.sluice.examples.orders;

import java.util.Locale;

/** Kinds of orders; each takes a different way through the fulfilment. */
public enum OrderType {
    /** Ships after the usual settlement period. */
    STANDARD,
    /** Ships after a shorter settlement period. */
    EXPRESS,
    /** Out of stock at first: waits on a durable timer for the restock. */
    BACKORDER,
    /** Nothing to pack: goes out by mail. */
    GIFTCARD,
    /** Large enough that somebody has to approve it. */
    WHOLESALE;

    /** The word used in the order book. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
