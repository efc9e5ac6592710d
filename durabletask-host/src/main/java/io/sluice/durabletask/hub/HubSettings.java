package io.sluice.durabletask.hub;

import io.sluice.durabletask.dispatch.Dispatch;
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
        DispatchTiming timing, Dispatch.Dispatchers dispatchers, boolean startReplacesEnded, boolean canBeEmptied) {
    /** Nothing set. */
    public static final HubSettings USUAL =
            new HubSettings(DispatchTiming.USUAL, Dispatch.Dispatchers.USUAL, false, false);
}
