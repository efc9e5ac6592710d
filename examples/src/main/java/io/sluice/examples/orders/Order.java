package io.sluice.examples.orders;

import java.math.BigDecimal;
import java.util.Objects;

/**
 * One line of the order book.
 *
 * @param orderId names the order, and its orchestration instance; letters, digits, dot, dash and underscore
 * @param quantity pieces, from 1
 * @param amount price of all pieces, in {@code currency}, above zero
 * @param currency ISO 4217 code
 * @param country ISO 3166 alpha-2 code of the address
 * @param cancel whether the customer calls the order off while it waits for its approval
 */
public record Order(
        String orderId,
        String customer,
        OrderType type,
        String item,
        int quantity,
        BigDecimal amount,
        String currency,
        String country,
        Card card,
        Approval approval,
        boolean cancel) {
    public Order {
        Objects.requireNonNull(orderId, "orderId");
        if (quantity < 1) {
            throw new IllegalArgumentException("quantity must be at least 1, was " + quantity);
        }
    }

    /** How the order must end if nothing goes wrong with the pipeline. */
    public Outcome expectedOutcome() {
        if (cancel) {
            return Outcome.CANCELLED;
        }
        return approval == Approval.DENIED || card == Card.DECLINED ? Outcome.REJECTED : Outcome.COMPLETED;
    }
}
