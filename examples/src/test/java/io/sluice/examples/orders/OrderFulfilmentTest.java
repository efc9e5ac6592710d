package io.sluice.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.runtime.Simulation;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OrderFulfilmentTest {
    private final Warehouse warehouse;
    private final Simulation run;

    OrderFulfilmentTest(@TempDir Path folder) {
        this.warehouse = new Warehouse(folder);
        this.run = new Simulation(warehouse.registry());
    }

    @Test
    void a_plain_order_ships_in_a_sub_orchestration_and_completes() {
        Order order = order(OrderType.STANDARD, Card.OK, Approval.NONE);

        start(order).runToEnd();

        assertThat(outcome(order)).isEqualTo(Outcome.COMPLETED);
        assertThat(run.types("A-1"))
                .containsExactly(
                        "OrchestrationStarted",
                        "ActivityScheduled",
                        "ActivityCompleted",
                        "ActivityScheduled",
                        "ActivityCompleted",
                        "TimerCreated",
                        "TimerFired",
                        "SubOrchestrationScheduled",
                        "SubOrchestrationCompleted",
                        "OrchestrationCompleted");
        assertThat(run.types("A-1::sub::8")).hasSize(6);
        assertThat(warehouse.shipped()).containsExactly("A-1");
    }

    @Test
    void a_flaky_card_is_tried_again_after_durable_timers() {
        Order order = order(OrderType.EXPRESS, Card.FLAKY, Approval.NONE);

        start(order).runToEnd();

        assertThat(outcome(order)).isEqualTo(Outcome.COMPLETED);
        assertThat(run.types("A-1")).filteredOn("ActivityFailed"::equals).hasSize(2);
        assertThat(run.elapsed()).isEqualTo(Duration.ofMillis(250 + 500 + 1_000));
        assertThat(warehouse.charged()).containsExactly("A-1");
    }

    @Test
    void a_declined_card_gives_the_stock_back() {
        Order order = order(OrderType.STANDARD, Card.DECLINED, Approval.NONE);

        start(order).runToEnd();

        assertThat(outcome(order)).isEqualTo(Outcome.REJECTED).isEqualTo(order.expectedOutcome());
        assertThat(warehouse.reserved()).isEmpty();
        assertThat(warehouse.shipped()).isEmpty();
    }

    @Test
    void a_backorder_waits_for_the_restock() {
        Order order = order(OrderType.BACKORDER, Card.OK, Approval.NONE);

        start(order).runToEnd();

        assertThat(outcome(order)).isEqualTo(Outcome.COMPLETED);
        assertThat(run.elapsed()).isEqualTo(Duration.ofMillis(2_000 + 1_500));
    }

    @Test
    void a_gift_card_needs_no_parcel() {
        Order order = order(OrderType.GIFTCARD, Card.OK, Approval.NONE);

        start(order).runToEnd();

        assertThat(run.types("A-1::sub::8")).hasSize(4);
        assertThat(warehouse.shipped()).containsExactly("A-1");
    }

    @Test
    void an_order_waits_for_its_approval_and_goes_on() {
        Order order = order(OrderType.WHOLESALE, Card.OK, Approval.GRANTED);
        start(order).runToEnd();
        assertThat(outcome(order)).isEqualTo(Outcome.RUNNING);

        run.raise("A-1", OrderFulfilment.APPROVAL_EVENT, OrderFulfilment.GRANTED)
                .runToEnd();

        assertThat(outcome(order)).isEqualTo(Outcome.COMPLETED);
    }

    @Test
    void a_denied_order_gives_the_stock_back_and_charges_nothing() {
        Order order = order(OrderType.WHOLESALE, Card.OK, Approval.DENIED);
        start(order).runToEnd();

        run.raise("A-1", OrderFulfilment.APPROVAL_EVENT, "denied").runToEnd();

        assertThat(outcome(order)).isEqualTo(Outcome.REJECTED).isEqualTo(order.expectedOutcome());
        assertThat(warehouse.reserved()).isEmpty();
        assertThat(warehouse.charged()).isEmpty();
    }

    @Test
    void a_cancelled_order_gives_the_stock_back() {
        Order order = order(OrderType.WHOLESALE, Card.OK, Approval.PENDING);
        start(order).runToEnd();

        run.cancel("A-1", "customer changed their mind").runToEnd();

        assertThat(outcome(order)).isEqualTo(Outcome.CANCELLED).isEqualTo(order.expectedOutcome());
        assertThat(warehouse.reserved()).isEmpty();
    }

    @Test
    void every_order_of_the_shipped_book_ends_as_expected() {
        OrderBook book = OrderBook.shipped();
        for (Order order : book.orders()) {
            run.start(order.orderId(), OrderFulfilment.NAME, OrderJson.encode(order));
        }
        run.runToEnd();

        for (Order order : book.orders()) {
            if (order.cancel()) {
                run.cancel(order.orderId(), "customer");
            } else if (order.approval() != Approval.NONE) {
                run.raise(
                        order.orderId(),
                        OrderFulfilment.APPROVAL_EVENT,
                        order.approval() == Approval.GRANTED ? OrderFulfilment.GRANTED : "denied");
            }
        }
        run.runToEnd();

        assertThat(book.orders()).allSatisfy(order -> assertThat(outcome(order)).isEqualTo(order.expectedOutcome()));
    }

    private Simulation start(Order order) {
        return run.start(order.orderId(), OrderFulfilment.NAME, OrderJson.encode(order));
    }

    private Outcome outcome(Order order) {
        return OrderFulfilment.outcome(run.ending(order.orderId()));
    }

    private static Order order(OrderType type, Card card, Approval approval) {
        return new Order(
                "A-1",
                "Ada",
                type,
                "Kettle",
                2,
                new BigDecimal("118.00"),
                "SEK",
                "SE",
                card,
                approval,
                approval == Approval.PENDING);
    }
}
