package io.sluice.provider;

/**
 * Items waiting in the queues, those under a live lock not counted.
 *
 * @param timerQueue always 0: timers are messages of the orchestrator queue
 */
public record QueueDepths(long orchestratorQueue, long workerQueue, long timerQueue) {}
