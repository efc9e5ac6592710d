package io.sluice.durabletask.hub;

import io.sluice.durabletask.dispatch.Dispatch;
import io.sluice.durabletask.dispatch.DispatchLimits;
import io.sluice.durabletask.dispatch.DispatchTiming;

/**
 * How task hubs work.
 *
 * @param dispatchers how many turns and activities are fetched at the same time
 * @param startReplacesEnded whether a start replaces an instance of its id that has ended, unless the client says which
 *     states may be replaced
 * @param canBeEmptied whether clients may delete a hub's contents: for tests
 */
public record HubSettings(
        DispatchTiming timing,
        DispatchLimits limits,
        Dispatch.Dispatchers dispatchers,
        boolean startReplacesEnded,
        boolean canBeEmptied) {
    /** Nothing set. */
    public static final HubSettings USUAL =
            new HubSettings(DispatchTiming.USUAL, DispatchLimits.USUAL, Dispatch.Dispatchers.USUAL, false, false);

    /** The same; starts replace what has ended. */
    public HubSettings withStartReplacesEnded(boolean replaces) {
        return new HubSettings(timing, limits, dispatchers, replaces, canBeEmptied);
    }

    /** The same; clients may delete a hub's contents. */
    public HubSettings withCanBeEmptied(boolean can) {
        return new HubSettings(timing, limits, dispatchers, startReplacesEnded, can);
    }

    /** The same with these times. */
    public HubSettings withTiming(DispatchTiming times) {
        return new HubSettings(times, limits, dispatchers, startReplacesEnded, canBeEmptied);
    }

    /** The same with these sizes. */
    public HubSettings withLimits(DispatchLimits sizes) {
        return new HubSettings(timing, sizes, dispatchers, startReplacesEnded, canBeEmptied);
    }

    /** The same with so many dispatchers. */
    public HubSettings withDispatchers(Dispatch.Dispatchers numbers) {
        return new HubSettings(timing, limits, numbers, startReplacesEnded, canBeEmptied);
    }
}
