package io.sluice.examples.orders;

import io.sluice.examples.runtime.Orchestration;
import io.sluice.examples.runtime.OrchestrationCancelledException;
import io.sluice.examples.runtime.OrchestrationContext;
import io.sluice.examples.runtime.OrchestrationFailedException;
import io.sluice.examples.runtime.StepFailedException;
import io.sluice.examples.servers.Pause;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An order from reservation to shipment. Whatever ends it early, stock that was reserved goes back:
 *
 * <pre>
 * reserve ─▶ approval? ─▶ charge ─▶ settle ─▶ ship (sub-orchestration) ─▶ completed
 *    ▲ └ out of stock: timer │  │  └ fails: timer, again
 *    └──────┘                │  └ declined ──▶ release ─▶ rejected
 *                            ├ denied ───────▶ release ─▶ rejected
 *                            └ cancelled ────▶ release ─▶ cancelled
 * </pre>
 */
public final class OrderFulfilment implements Orchestration {
    /** Name under which the orchestration is registered. */
    public static final String NAME = "order-fulfilment";
    /** The external event that brings the approver's answer, {@link #GRANTED} or anything else. */
    public static final String APPROVAL_EVENT = "approval";
    /** The answer that lets an order go on. */
    public static final String GRANTED = "granted";

    private static final String REJECTED = "rejected: ";
    private static final int MAX_TRIES = 4;
    private static final Duration RESTOCK = Duration.ofSeconds(2);
    private static final Duration FIRST_CHARGE_PAUSE = Duration.ofMillis(250);

    /** Creates the code; it has no state. */
    public OrderFulfilment() {}

    @Override
    public String run(OrchestrationContext context, String input) {
        Order order = OrderJson.decode(input, Order.class);
        tryRepeatedly(context, Warehouse.RESERVE_STOCK, order, attempt -> RESTOCK);
        try {
            awaitApproval(context, order);
            charge(context, order);
            context.timer(settlement(order.type())).await();
        } catch (OrchestrationCancelledException | OrchestrationFailedException e) {
            context.activity(Warehouse.RELEASE_STOCK, OrderJson.encode(OrderTask.first(order)))
                    .await();
            throw e;
        }
        return context.subOrchestration(Shipping.NAME, input).await();
    }

    /** How an order ended, by the event that ended it; {@link Outcome#RUNNING} while there is none. */
    public static Outcome outcome(@Nullable EventKind ending) {
        if (ending instanceof EventKind.OrchestrationCompleted) {
            return Outcome.COMPLETED;
        } else if (!(ending instanceof EventKind.OrchestrationFailed failed)) {
            return Outcome.RUNNING;
        } else if (failed.details() instanceof ErrorDetails.Application error) {
            if (error.kind() instanceof ErrorDetails.ApplicationKind.Cancelled) {
                return Outcome.CANCELLED;
            }
            return error.message().startsWith(REJECTED) ? Outcome.REJECTED : Outcome.FAILED;
        }
        return Outcome.FAILED;
    }

    private static void awaitApproval(OrchestrationContext context, Order order) {
        if (order.approval() == Approval.NONE) {
            return;
        }
        String answer = context.externalEvent(APPROVAL_EVENT).await();
        if (!answer.equals(GRANTED)) {
            throw new OrchestrationFailedException(REJECTED + "approval " + answer);
        }
    }

    private static void charge(OrchestrationContext context, Order order) {
        try {
            tryRepeatedly(
                    context,
                    Warehouse.CHARGE_CARD,
                    order,
                    attempt -> FIRST_CHARGE_PAUSE.multipliedBy(1L << (attempt - 1)));
        } catch (StepFailedException e) {
            throw new OrchestrationFailedException(REJECTED + e.getMessage(), e);
        }
    }

    private static void tryRepeatedly(OrchestrationContext context, String activity, Order order, Pause pause) {
        OrderTask task = OrderTask.first(order);
        while (true) {
            try {
                context.activity(activity, OrderJson.encode(task)).await();
                return;
            } catch (StepFailedException e) {
                if (!e.retryable() || task.attempt() == MAX_TRIES) {
                    throw e;
                }
            }
            context.timer(pause.after(task.attempt())).await();
            task = task.next();
        }
    }

    private static Duration settlement(OrderType type) {
        return switch (type) {
            case STANDARD -> Duration.ofSeconds(2);
            case EXPRESS, GIFTCARD -> Duration.ofSeconds(1);
            case BACKORDER, WHOLESALE -> Duration.ofMillis(1_500);
        };
    }

    /** How long to wait after a failed attempt, counted from 1. */
    @FunctionalInterface
    private interface Pause {
        Duration after(int attempt);
    }
}
