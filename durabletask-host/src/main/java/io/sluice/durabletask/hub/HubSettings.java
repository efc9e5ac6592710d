package io.sluice.durabletask.hub;

import io.sluice.durabletask.dispatch.Dispatch;
import io.sluice.durabletask.dispatch.DispatchLimits;
import io.sluice.durabletask.dispatch.DispatchTiming;
import io.sluice.durabletask.worker.WorkerOffer;
import java.time.Duration;

/**
 * How task hubs work.
 *
 * @param defaultCredits how many turns, and how many activities, a worker holds at most that names no limit
 * @param dispatchers how many turns and activities are fetched at the same time
 * @param startReplacesEnded whether a start replaces an instance of its id that has ended, unless the client says which
 *     states may be replaced
 * @param canBeEmptied whether clients may delete a hub's contents: for tests
 * @param waitingInterval how often it is read what waits in a hub; zero for never
 */
public record HubSettings(
        DispatchTiming timing,
        DispatchLimits limits,
        Dispatch.Dispatchers dispatchers,
        int defaultCredits,
        boolean startReplacesEnded,
        boolean canBeEmptied,
        Duration waitingInterval) {
    private static final Duration WAITING_INTERVAL = Duration.ofMinutes(1);

    /** Nothing set. */
    public static final HubSettings USUAL = new HubSettings(
            DispatchTiming.USUAL,
            DispatchLimits.USUAL,
            Dispatch.Dispatchers.USUAL,
            WorkerOffer.LIMIT,
            false,
            false,
            WAITING_INTERVAL);

    public HubSettings {
        if (defaultCredits < 1) {
            throw new IllegalArgumentException("defaultCredits must be at least 1, was " + defaultCredits);
        }
        if (waitingInterval.isNegative()) {
            throw new IllegalArgumentException("waitingInterval must not be negative, was " + waitingInterval);
        }
    }

    /** The same; starts replace what has ended. */
    public HubSettings withStartReplacesEnded(boolean replaces) {
        return new HubSettings(timing, limits, dispatchers, defaultCredits, replaces, canBeEmptied, waitingInterval);
    }

    /** The same; clients may delete a hub's contents. */
    public HubSettings withCanBeEmptied(boolean can) {
        return new HubSettings(timing, limits, dispatchers, defaultCredits, startReplacesEnded, can, waitingInterval);
    }

    /** The same with these times. */
    public HubSettings withTiming(DispatchTiming times) {
        return new HubSettings(
                times, limits, dispatchers, defaultCredits, startReplacesEnded, canBeEmptied, waitingInterval);
    }

    /** The same with these sizes. */
    public HubSettings withLimits(DispatchLimits sizes) {
        return new HubSettings(
                timing, sizes, dispatchers, defaultCredits, startReplacesEnded, canBeEmptied, waitingInterval);
    }

    /** The same with so many dispatchers. */
    public HubSettings withDispatchers(Dispatch.Dispatchers numbers) {
        return new HubSettings(
                timing, limits, numbers, defaultCredits, startReplacesEnded, canBeEmptied, waitingInterval);
    }

    /** The same with so many credits for workers that name no limit. */
    public HubSettings withDefaultCredits(int credits) {
        return new HubSettings(timing, limits, dispatchers, credits, startReplacesEnded, canBeEmptied, waitingInterval);
    }

    /** The same; what waits is read this often, never for zero. */
    public HubSettings withWaitingInterval(Duration interval) {
        return new HubSettings(timing, limits, dispatchers, defaultCredits, startReplacesEnded, canBeEmptied, interval);
    }
}
