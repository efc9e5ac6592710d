package io.sluice.examples.orders;

/**
 * What an activity gets: the order, and which try this is.
 *
 * @param attempt from 1
 */
record OrderTask(Order order, int attempt) {
    static OrderTask first(Order order) {
        return new OrderTask(order, 1);
    }

    OrderTask next() {
        return new OrderTask(order, attempt + 1);
    }
}
