package io.sluice.provider;

/**
 * Size of an instance's current execution.
 *
 * @param historyEventCount events of the current execution
 * @param historySizeBytes UTF-8 bytes of the stored JSON of these events
 * @param queuePendingCount messages carried forward into this execution
 * @param kvUserKeyCount keys as the running execution sees them
 * @param kvTotalValueBytes UTF-8 bytes of their values
 */
public record InstanceStats(
        long historyEventCount,
        long historySizeBytes,
        long queuePendingCount,
        long kvUserKeyCount,
        long kvTotalValueBytes) {}
