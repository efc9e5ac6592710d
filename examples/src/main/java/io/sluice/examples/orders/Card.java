package io.sluice.examples.orders;

/** How the customer's card behaves when it is charged. */
public enum Card {
    /** Pays at the first try. */
    OK,
    /** The payment service fails for the first tries, then pays. */
    FLAKY,
    /** Refused permanently. */
    DECLINED
}
