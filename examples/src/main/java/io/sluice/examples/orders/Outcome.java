package io.sluice.examples.orders;

import java.util.Locale;

/** How an order ended, or that it has not. */
public enum Outcome {
    /** Shipped. */
    COMPLETED,
    /** Refused by the card or the approver; the stock went back. */
    REJECTED,
    /** Called off by the customer; the stock went back. */
    CANCELLED,
    /** Ended in a way the order book does not foresee. */
    FAILED,
    /** Not at its end yet. */
    RUNNING;

    /** The word used in reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
