package io.sluice.relay.delivery;

/**
 * The delivery of intents as this replica sees it.
 *
 * @param delivered target documents this replica created
 * @param retried deliveries that met trouble and are tried again
 * @param parked deliveries the store refused, put off
 * @param failed intents given up for good
 * @param sources sources being worked on or waiting for their time
 * @param malformed documents that claim to be undelivered intents and can't be parsed
 * @param sent deliveries under way
 * @param circuit whether requests go to the store
 * @param latestLatencyMillis from the newest delivered intent's creation to its delivery
 */
public record DeliveryStatus(
        long delivered,
        long retried,
        long parked,
        long failed,
        int sources,
        int malformed,
        int sent,
        CircuitState circuit,
        long latestLatencyMillis) {}
