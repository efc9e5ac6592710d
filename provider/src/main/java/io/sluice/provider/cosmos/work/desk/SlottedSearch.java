package io.sluice.provider.cosmos.work.desk;

import io.sluice.provider.cosmos.search.SlotLooks;
import io.sluice.provider.cosmos.search.SlotScope;
import io.sluice.provider.cosmos.slot.SlotRange;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkSearch;
import io.sluice.provider.request.Call;
import io.sluice.provider.work.DispatchSlot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/** Searches first in the slots of this process, in all of them where that is wanted. Thread-safe. */
public final class SlottedSearch implements WorkSearch {
    private final Query query;
    private final SlotShare slots;
    private final SlotLooks looks;
    private final LongSupplier nanoTime;

    /**
     * Searches by this query; no request is made.
     *
     * @param clock that locks and visibility go by
     * @param nanoTime the monotonic clock
     */
    public SlottedSearch(Query query, SlotShare slots, InstantSource clock, LongSupplier nanoTime) {
        this.query = query;
        this.slots = slots;
        this.looks = new SlotLooks(clock, nanoTime);
        this.nanoTime = nanoTime;
    }

    /** Asks the store. */
    @FunctionalInterface
    public interface Query {
        /** Sends the requests. */
        Page find(Call call, Request request, SlotScope scope);
    }

    /**
     * What a query found.
     *
     * @param works oldest first
     * @param isExhaustive whether these are all
     * @param requests how many it took, one a physical partition
     * @param isPartial whether some physical partitions did not answer
     */
    public record Page(List<KnownWork> works, boolean isExhaustive, int requests, boolean isPartial) {
        public Page {
            works = List.copyOf(works);
        }
    }

    /**
     * Begun at another place by each of the processes that share the slots: processes that run out of work at the same
     * time would else race for the same candidates.
     */
    private static List<KnownWork> turned(List<KnownWork> works, SlotRange own) {
        List<KnownWork> turned = new ArrayList<>(works);
        Collections.rotate(turned, -(works.size() * own.from() / DispatchSlot.COUNT));
        return turned;
    }

    @Override
    public WorkFound find(Call call, Request request) {
        long sentAtNanos = nanoTime.getAsLong();
        SlotRange own = request.isAnnounced() ? SlotRange.ALL : slots.range(call);
        SlotScope scope = looks.next(own, request.isWhole());
        Page page = query.find(call, request, scope);
        looks.answered(scope, page.works().isEmpty(), sentAtNanos);
        if (!page.works().isEmpty()) {
            slots.workFound();
        }
        var extent = new WorkFound.Extent(
                page.isExhaustive(), scope.isAll(), looks.isAnotherDue(), page.requests(), page.isPartial());
        return scope.isAll() && !own.isAll()
                ? new WorkFound(turned(page.works(), own), extent, true)
                : new WorkFound(page.works(), extent);
    }
}
