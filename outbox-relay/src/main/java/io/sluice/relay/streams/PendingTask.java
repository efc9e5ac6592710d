package io.sluice.relay.streams;

/**
 * An activity or child instance that an execution waits for.
 *
 * @param name the activity, or the child's instance
 * @param sinceMillis when it was scheduled, by the runtime's clock
 */
record PendingTask(String name, long sinceMillis) {}
