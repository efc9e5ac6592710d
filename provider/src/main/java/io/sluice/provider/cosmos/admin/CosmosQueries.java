package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.cosmos.turn.Turns;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Operations;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Queries for instances in one container. Thread-safe. */
public final class CosmosQueries implements InstanceQueries {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Operations operations;
    private final Turns turns;
    private final Heads heads;
    private final InstancePages pages;
    private final PageTexts texts;

    /** Wires the parts; no request is made. */
    CosmosQueries(ContainerRequests requests, Operations operations, Turns turns, Heads heads) {
        this.operations = operations;
        this.turns = turns;
        this.heads = heads;
        this.pages = new InstancePages(requests);
        this.texts = new PageTexts(requests);
    }

    @Override
    public InstancePage query(InstanceQuery query, int pageSize, @Nullable String continuation) {
        Objects.requireNonNull(query, "query");
        if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
            throw new IllegalArgumentException("pageSize must be 1 to " + MAX_PAGE_SIZE + ", was " + pageSize);
        }
        @Nullable PageKey after = continuation == null ? null : PageKey.of(query, continuation);
        return operations.run("queryInstances", () -> {
            Call call = Call.onContainer("queryInstances", PATIENCE);
            HeadQuery sql = new HeadQuery(query);
            InstancePages.Page found = pages.read(call, query, sql, pageSize, after);
            InstancePages.Page page = query.withTexts() ? PageTexts.bounded(found) : found;
            List<ObjectNode> rows = query.withTexts() ? texts.read(call, sql, page.rows()) : page.rows();
            List<InstanceSummary> instances = heads.present(call, rows).stream()
                    .map(head -> Summaries.of(head, query.withTexts()))
                    .toList();
            return new InstancePage(
                    instances, page.isLast() ? null : last(page.rows()).continuation(query));
        });
    }

    private static PageKey last(List<ObjectNode> rows) {
        return RangeRows.place(rows.get(rows.size() - 1));
    }

    @Override
    public Optional<InstanceSummary> get(String instance) {
        Objects.requireNonNull(instance, "instance");
        return operations.run(
                "getInstance",
                () -> turns.reads().shown("getInstance", instance).map(head -> Summaries.of(head, true)));
    }

    @Override
    public List<HistoryEvent> events(String instance, long executionId, Collection<Long> eventIds) {
        Objects.requireNonNull(instance, "instance");
        if (eventIds.isEmpty() || eventIds.size() > MAX_EVENTS) {
            throw new IllegalArgumentException("eventIds must be 1 to " + MAX_EVENTS + ", were " + eventIds.size());
        }
        return operations.run("readEvents", () -> turns.reads().events(instance, executionId, eventIds));
    }

    @Override
    public Optional<WorkItem.StartOrchestration> waitingStart(String instance) {
        Objects.requireNonNull(instance, "instance");
        return operations.run("readWaitingStart", () -> turns.reads().waitingStart(instance));
    }
}
