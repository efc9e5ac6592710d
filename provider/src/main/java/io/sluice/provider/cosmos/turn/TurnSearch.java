package io.sluice.provider.cosmos.turn;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.candidate.SlotScope;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.SlottedSearch;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkSearch;
import io.sluice.provider.request.Call;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Searches the store for turns that suit any of the dispatchers. Thread-safe. */
final class TurnSearch implements SlottedSearch.Query {
    private final TurnQuery query;
    private final TurnScreening screening;
    private final AtomicReference<Set<WorkFilter>> filters = new AtomicReference<>(Set.of());

    TurnSearch(TurnQuery query, TurnScreening screening) {
        this.query = query;
        this.screening = screening;
    }

    @Override
    public SlottedSearch.Page find(Call call, WorkSearch.Request request, SlotScope scope) {
        if (!filters.getAndSet(request.filters()).containsAll(request.filters())) {
            screening.restart();
        }
        TurnFound.Page page = query.find(call, request.limit(), request.hidden(), scope);
        List<KnownWork> works = page.found().stream().map(TurnSearch::work).toList();
        return new SlottedSearch.Page(works, page.isExhaustive());
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
