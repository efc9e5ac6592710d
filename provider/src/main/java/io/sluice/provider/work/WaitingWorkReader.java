package io.sluice.provider.work;

import java.util.function.Predicate;

/**
 * Tells what waits in a store, for operators: also what nobody looks for, since nobody takes it. All processes that
 * read share one report. Thread-safe.
 */
public interface WaitingWorkReader {
    /**
     * The report, no older than the interval that the reader was made for. What this process takes of it is noted in
     * the report for three intervals, so that the others know.
     *
     * <p>Cost: one point read; a patch when what this process takes of the waiting work has changed, and every second
     * interval while it takes any. Once an interval one of all processes looks anew: two queries of each physical
     * partition, up to three more of those where work waits, and one write.
     *
     * @param takes whether this process takes work of a type, busy or not; not asked of the rest
     * @throws io.sluice.provider.ProviderException retryable when the store can't be read
     */
    WaitingWork read(Predicate<WaitingWork.WaitingType> takes);
}
