package io.sluice.provider.cosmos.activity;

import io.sluice.provider.TagFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.search.RangeSearch;
import io.sluice.provider.cosmos.search.SlotScope;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkSearch;
import io.sluice.provider.cosmos.work.desk.SlottedSearch;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Searches the store for activities that any of the workers takes. Thread-safe. */
final class WorkerSearch implements SlottedSearch.Query {
    private final ContainerRequests requests;
    private final RangeSearch ranges;
    private final QueueRows rows;
    private final OthersSessions others;
    private final InstantSource clock;

    WorkerSearch(
            ContainerRequests requests,
            QueueRows rows,
            OthersSessions others,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.requests = requests;
        this.ranges = new RangeSearch(requests, nanoTime);
        this.rows = rows;
        this.others = others;
        this.clock = clock;
    }

    @Override
    public SlottedSearch.Page find(Call call, WorkSearch.Request request, SlotScope scope) {
        var search = new WorkerQueueView.Search(ranges, rows, call, clock, scope);
        List<WorkerFilter> workers =
                request.filters().stream().map(WorkerFilter.class::cast).toList();
        // Announced activities are known at once, and searches are rare: what one left out would be found late.
        var sessions = request.isAnnounced() ? List.<OthersSessions.Session>of() : others.leftOut(owners(workers));
        var hidden = new WorkerQueueView.Hidden(request.hidden(), sessions);
        WorkerQueueView.Page found = view(workers).search(search, request.limit(), hidden);
        List<KnownWork> works = found.items().stream()
                .map(candidate -> work(candidate.item(), candidate.missingCharacters()))
                .toList();
        return new SlottedSearch.Page(works, found.isExhaustive(), requests.knownRanges(), found.isPartial());
    }

    private static Set<String> owners(List<WorkerFilter> workers) {
        return workers.stream()
                .map(WorkerFilter::owner)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    /** One that takes all that any of the filters takes. */
    private static WorkerQueueView view(List<WorkerFilter> workers) {
        boolean sessions = workers.stream().anyMatch(worker -> worker.owner() != null);
        return new WorkerQueueView(
                union(workers.stream().map(WorkerFilter::tags).toList()), sessions);
    }

    /** Where it names more tags than a query has room for, it is every tag: what suits nobody is left out here. */
    static TagFilter union(Collection<TagFilter> filters) {
        Set<TagFilter> different = Set.copyOf(filters);
        if (different.size() == 1) {
            return different.iterator().next();
        }
        Set<String> tags = new TreeSet<>();
        different.forEach(filter -> tags.addAll(filter.tags()));
        boolean isAny = different.stream().anyMatch(TagFilter.Any.class::isInstance);
        if (isAny || tags.size() > TagFilter.MAX_MANY_TAGS) {
            return TagFilter.any();
        }
        boolean untagged = different.stream().anyMatch(filter -> filter.matches(null));
        if (tags.isEmpty()) {
            return untagged ? TagFilter.defaultOnly() : TagFilter.any();
        }
        return untagged ? TagFilter.defaultAndMany(tags) : TagFilter.manyTags(tags);
    }

    /** @param characters of its work item; 0 where it is known whole */
    static KnownWork work(Stored<QueueDocument> item, long characters) {
        QueueDocument document = item.document();
        AnnouncedDocument announced = characters == 0
                ? AnnouncedDocument.of(document, item.etag())
                : AnnouncedDocument.of(document, item.etag(), characters);
        return new KnownWork(
                document.id(),
                document.instanceId(),
                List.of(announced),
                WorkerFilter.needs(document),
                document.visibleAt(),
                Long.MAX_VALUE,
                "",
                false);
    }
}
