package io.sluice.provider.cosmos.work;

import io.sluice.provider.request.Call;
import java.util.List;
import java.util.Set;

/** Searches the store for work. Thread-safe. */
@FunctionalInterface
public interface WorkSearch {
    /** Sends the requests. */
    WorkFound find(Call call, Request request);

    /**
     * What is searched for.
     *
     * @param number of the search
     * @param limit how many candidates are wanted
     * @param hidden keys that are known, and not wanted now
     * @param filters the filters of the dispatchers that have fetched lately
     * @param isWhole whether the whole queue is to be searched: a fetch whose time is over ends with the answer
     * @param isAnnounced whether work is announced as well, so that no process searches a part of the queue only
     */
    record Request(
            long number,
            int limit,
            List<String> hidden,
            Set<WorkFilter> filters,
            boolean isWhole,
            boolean isAnnounced) {
        public Request {
            hidden = List.copyOf(hidden);
            filters = Set.copyOf(filters);
        }
    }
}
