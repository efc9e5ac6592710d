package io.sluice.relay.streams;

/**
 * Which of an instance's events were read.
 *
 * @param event id of the latest, or of a later one of the same execution that was read before
 * @param whole whether nothing of that execution before it was missing
 * @param jumps how often a part of the partition's history had been skipped when the event was read
 */
record ReadProgress(long event, boolean whole, long jumps) {}
