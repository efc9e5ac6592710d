package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkCandidate;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkSearch;

/** What the {@link WorkIndex} wants done. The caller does it in this order, outside of any lock. */
public sealed interface WorkDecision {
    /** The fetch tries this, and concludes it. */
    record Try(long fetch, WorkCandidate candidate) implements WorkDecision {}

    /** The fetch waits: it asks again when it is woken, when its time is over, and at {@link WorkIndex#next}. */
    record Wait(long fetch) implements WorkDecision {}

    /** The fetch returns nothing. */
    record Nothing(long fetch) implements WorkDecision {}

    /** A fetch that waits asks again now. */
    record Wake(long fetch) implements WorkDecision {}

    /** The announcement is handled. */
    record Settle(WorkFeed.Receipt receipt) implements WorkDecision {}

    /** Another process may have what was announced. */
    record Release(WorkFeed.Receipt receipt) implements WorkDecision {}

    /** Other processes are asked for help with this, which stays here. */
    record AskForHelp(KnownWork work) implements WorkDecision {}

    /**
     * The fetch searches the store, says what came of it by {@link WorkIndex#found} or {@link WorkIndex#searchFailed},
     * and asks again.
     */
    record Search(long fetch, WorkSearch.Request request) implements WorkDecision {}

    /**
     * Dispatchers with this filter are free for so many announcements that may go to another process,
     * {@link WorkIndex#demanded}: another number than was said before, or the feed took one off.
     */
    record Demand(WorkFilter filter, int announcements) implements WorkDecision {}
}
