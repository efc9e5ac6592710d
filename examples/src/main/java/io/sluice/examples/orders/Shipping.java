package io.sluice.examples.orders;

import io.sluice.examples.runtime.Orchestration;
import io.sluice.examples.runtime.OrchestrationContext;

/** Gets a paid order to its customer; runs as a sub-orchestration, so as an instance with a partition of its own. */
public final class Shipping implements Orchestration {
    /** Name under which the orchestration is registered. */
    public static final String NAME = "shipping";

    /** Creates the code; it has no state. */
    public Shipping() {}

    @Override
    public String run(OrchestrationContext context, String input) {
        Order order = OrderJson.decode(input, Order.class);
        String task = OrderJson.encode(OrderTask.first(order));
        if (order.type() == OrderType.GIFTCARD) {
            return context.activity(Warehouse.MAIL_GIFT_CARD, task).await();
        }
        context.activity(Warehouse.PACK_PARCEL, task).await();
        return context.activity(Warehouse.HAND_TO_CARRIER, task).await();
    }
}
