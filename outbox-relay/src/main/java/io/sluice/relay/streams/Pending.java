package io.sluice.relay.streams;

/**
 * What an execution waits for.
 *
 * @param name the activity, or the child's instance
 * @param sinceMillis when it was scheduled, by the runtime's clock
 */
record Pending(String name, long sinceMillis) {}
