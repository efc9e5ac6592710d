package io.sluice.provider.cosmos.work;

import java.util.List;

/**
 * What a search found.
 *
 * @param isTurned whether the works are to be tried in the order of the list, else oldest first
 */
public record WorkFound(List<KnownWork> works, Extent extent, boolean isTurned) {
    public WorkFound {
        works = List.copyOf(works);
    }

    /** To be tried oldest first. */
    public WorkFound(List<KnownWork> works, Extent extent) {
        this(works, extent, false);
    }

    /**
     * What it searched.
     *
     * @param isExhaustive whether it found all there is in what it searched
     * @param isWhole whether it searched the whole queue
     * @param isAnotherDue whether another search is worth its while, at once
     * @param requests how many requests it was
     * @param isPartial whether some physical partitions did not answer
     */
    public record Extent(boolean isExhaustive, boolean isWhole, boolean isAnotherDue, int requests, boolean isPartial) {
        /** All partitions answered. */
        public Extent(boolean isExhaustive, boolean isWhole, boolean isAnotherDue, int requests) {
            this(isExhaustive, isWhole, isAnotherDue, requests, false);
        }
    }
}
