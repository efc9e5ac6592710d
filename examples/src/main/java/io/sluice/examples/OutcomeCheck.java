package io.sluice.examples;

import io.sluice.examples.orders.Order;
import io.sluice.examples.orders.Outcome;
import io.sluice.examples.orders.Warehouse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether every order ended as the order book foresees, in the events and in the world: stock, payments, shipments. */
final class OutcomeCheck {
    private final OrderBoard board;
    private final Set<String> mustComplete;
    private final Warehouse warehouse;

    OutcomeCheck(OrderBoard board, List<Order> orders, Warehouse warehouse) {
        this.board = board;
        this.mustComplete = orders.stream()
                .filter(order -> order.expectedOutcome() == Outcome.COMPLETED)
                .map(Order::orderId)
                .collect(Collectors.toUnmodifiableSet());
        this.warehouse = warehouse;
    }

    /** Everything that is otherwise than foreseen. */
    List<String> surprises() {
        List<String> surprises = new ArrayList<>(board.surprises());
        compare("stock is reserved for", warehouse.reserved(), surprises);
        compare("payments were taken for", warehouse.charged(), surprises);
        compare("shipments went out for", warehouse.shipped(), surprises);
        return surprises;
    }

    private void compare(String what, Set<String> actual, List<String> surprises) {
        if (!actual.equals(mustComplete)) {
            surprises.add(what + " " + actual.size() + " orders, expected " + mustComplete.size());
        }
    }
}
