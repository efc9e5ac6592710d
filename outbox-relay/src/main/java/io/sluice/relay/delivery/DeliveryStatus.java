package io.sluice.relay.delivery;

/**
 * The delivery of intents as this replica sees it.
 *
 * @param delivered target documents this replica created
 * @param retried deliveries that met trouble and are tried again
 * @param parked deliveries the store refused, put off
 * @param failed intents given up for good
 * @param sources sources being worked on or waiting for their time
 * @param latestLatencyMillis from the newest delivered intent's creation to its delivery
 */
public record DeliveryStatus(
        long delivered, long retried, long parked, long failed, int sources, long latestLatencyMillis) {}
