package io.sluice.examples;

import io.sluice.examples.orders.Approval;
import io.sluice.examples.orders.Order;
import io.sluice.examples.orders.OrderFulfilment;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * People who answer to what they see on Kafka: when an order waits for its approval, somebody approves, refuses or
 * cancels it.
 */
final class Customers {
    private final Map<String, Order> orders;
    private final Commands commands;

    Customers(List<Order> orders, Commands commands) {
        this.orders = orders.stream().collect(Collectors.toUnmodifiableMap(Order::orderId, Function.identity()));
        this.commands = commands;
    }

    void take(HistoryEvent event) {
        Order order = orders.get(event.instanceId());
        if (order == null || !(event.kind() instanceof EventKind.ExternalSubscribed)) {
            return;
        }
        if (order.cancel()) {
            commands.cancel(order.orderId(), "the customer changed their mind");
        } else {
            String answer = order.approval() == Approval.GRANTED ? OrderFulfilment.GRANTED : "denied";
            commands.raise(order.orderId(), OrderFulfilment.APPROVAL_EVENT, answer);
        }
    }
}
