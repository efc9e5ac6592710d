package io.sluice.provider;

/**
 * Counts over the whole store. Instances that continued as new count in the total alone.
 *
 * @param totalExecutions that still have a record, over all instances
 * @param totalEvents history events over all instances
 */
public record SystemMetrics(
        long totalInstances,
        long totalExecutions,
        long runningInstances,
        long completedInstances,
        long failedInstances,
        long totalEvents) {}
