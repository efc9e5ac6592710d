package io.sluice.provider.cosmos.turn;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.candidate.SlotLooks;
import io.sluice.provider.cosmos.candidate.SlotScope;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkSearch;
import io.sluice.provider.request.Call;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Searches the store for turns: first in the slots of this process, of all where that is wanted. Thread-safe.
 */
final class TurnSearch implements WorkSearch {
    private final TurnQuery query;
    private final TurnScreening screening;
    private final SlotShare slots;
    private final SlotLooks looks;
    private final Clocks clocks;
    private final AtomicLong filters = new AtomicLong(-1);

    TurnSearch(TurnQuery query, TurnScreening screening, SlotShare slots, Clocks clocks) {
        this.query = query;
        this.screening = screening;
        this.slots = slots;
        this.looks = new SlotLooks(clocks.clock(), clocks.nanoTime());
        this.clocks = clocks;
    }

    @Override
    public WorkFound find(Call call, Request request) {
        if (filters.getAndSet(request.filters()) != request.filters()) {
            screening.restart();
        }
        long sentAtNanos = clocks.nanoTime().getAsLong();
        SlotScope scope = looks.next(slots.range(call), request.isWhole());
        TurnFound.Page page = query.find(call, request.limit(), request.hidden(), scope);
        boolean isEmpty = page.found().isEmpty();
        looks.answered(scope, isEmpty, sentAtNanos);
        if (!isEmpty) {
            slots.workFound();
        }
        List<KnownWork> works = page.found().stream().map(TurnSearch::work).toList();
        return new WorkFound(works, new WorkFound.Extent(page.isExhaustive(), scope.isAll(), looks.isAnotherDue()));
    }

    private static KnownWork work(TurnFound found) {
        List<AnnouncedDocument> documents =
                found.rows().stream().map(TurnRow::toAnnounced).toList();
        return new KnownWork(
                found.instanceId(),
                found.instanceId(),
                documents,
                WorkNeeds.UNKNOWN,
                0,
                found.isExhaustive() ? Long.MAX_VALUE : 0,
                "",
                found.rows().stream().anyMatch(TurnRow::isStart),
                false);
    }
}
