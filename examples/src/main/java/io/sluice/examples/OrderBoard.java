package io.sluice.examples;

import io.sluice.examples.orders.Order;
import io.sluice.examples.orders.OrderFulfilment;
import io.sluice.examples.orders.OrderType;
import io.sluice.examples.orders.Outcome;
import io.sluice.examples.servers.ExampleException;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where every order stands, by what its events on Kafka say. Thread-safe. */
final class OrderBoard {
    private final Map<String, Order> orders = new LinkedHashMap<>();
    private final Map<String, HistoryEvent> lastEvents = new LinkedHashMap<>();
    private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
    private long events;

    OrderBoard(List<Order> orders) {
        orders.forEach(order -> this.orders.put(order.orderId(), order));
    }

    synchronized void take(HistoryEvent event) {
        events++;
        lastEvents.put(event.instanceId(), event);
        if (orders.containsKey(event.instanceId())) {
            Outcome outcome = OrderFulfilment.outcome(event.kind());
            if (outcome != Outcome.RUNNING) {
                outcomes.put(event.instanceId(), outcome);
                notifyAll();
            }
        }
    }

    synchronized long events() {
        return events;
    }

    synchronized int done() {
        return outcomes.size();
    }

    int total() {
        return orders.size();
    }

    /** Waits until every order has ended, but no longer than this; returns whether they have. */
    synchronized boolean awaitDone(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        while (outcomes.size() < orders.size()) {
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                return false;
            }
            try {
                wait(leftMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ExampleException("interrupted", e);
            }
        }
        return true;
    }

    /** How many orders of each type ended how. */
    synchronized Map<OrderType, Map<Outcome, Integer>> counts() {
        Map<OrderType, Map<Outcome, Integer>> counts = new EnumMap<>(OrderType.class);
        for (Order order : orders.values()) {
            counts.computeIfAbsent(order.type(), type -> new EnumMap<>(Outcome.class))
                    .merge(outcome(order), 1, Integer::sum);
        }
        return counts;
    }

    /** Orders that did not end as the order book foresees. */
    synchronized List<String> surprises() {
        return orders.values().stream()
                .filter(order -> outcome(order) != order.expectedOutcome())
                .map(order -> order.orderId() + " is " + outcome(order).word() + ", expected "
                        + order.expectedOutcome().word())
                .toList();
    }

    /** Orders and sub-orchestrations that have not ended, with the last event seen of each. */
    synchronized List<String> stuck() {
        List<String> stuck = new ArrayList<>();
        for (String orderId : orders.keySet()) {
            if (outcomes.containsKey(orderId)) {
                continue;
            }
            stuck.add(orderId + ": " + lastSeen(orderId));
            lastEvents.keySet().stream()
                    .filter(instance -> instance.startsWith(orderId + "::sub::"))
                    .forEach(child -> stuck.add("  " + child + ": " + lastSeen(child)));
        }
        return stuck;
    }

    private Outcome outcome(Order order) {
        return outcomes.getOrDefault(order.orderId(), Outcome.RUNNING);
    }

    private String lastSeen(String instance) {
        HistoryEvent last = lastEvents.get(instance);
        return last == null ? "no event seen" : "last seen event " + last.eventId() + " " + last.type();
    }
}
