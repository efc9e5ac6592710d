package io.sluice.provider.model;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.model.Model.Beginning;
import io.sluice.provider.model.Model.Message;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Unique starts, and looking for instances, over a {@link Model}: every instance is read, and sorted again for each
 * page. Thread-safe by the store's monitor.
 */
final class ReferenceInstances implements InstanceStarts, InstanceQueries {
    private final ReferenceStore store;
    private final Model model;
    private final InstantSource clock;

    ReferenceInstances(ReferenceStore store, Model model, InstantSource clock) {
        this.store = store;
        this.model = model;
        this.clock = clock;
    }

    @Override
    public Outcome startInstance(InstanceStart start) {
        synchronized (store) {
            var id = start.instanceId();
            var key = new Model.Request(id, start.requestId());
            var before = model.requests.get(key);
            var asked = start.withDelay(null);
            if (before != null) {
                if (!before.asked().equals(asked)) {
                    throw ReferenceStore.refused("startInstance", "the requestId was used for another start");
                }
                return before.outcome();
            }
            var existing = get(id);
            if (existing.isPresent()) {
                return new AlreadyExists(existing.get());
            }
            long now = clock.millis();
            var item = start.item();
            var delay = start.delay();
            model.started.put(
                    id,
                    new Model.Pending(
                            now, item.orchestration(), Objects.requireNonNullElse(item.version(), ""), start.ext()));
            model.messages.add(new Message(item, now + (delay == null ? 0 : delay.toMillis())));
            var outcome = new Started(Instant.ofEpochMilli(now));
            model.requests.put(key, new Model.Asked(asked, outcome));
            return outcome;
        }
    }

    @Override
    public Optional<InstanceSummary> get(String id) {
        synchronized (store) {
            return Optional.ofNullable(summary(id));
        }
    }

    @Override
    public List<HistoryEvent> events(String id, long executionId, Collection<Long> eventIds) {
        if (eventIds.isEmpty() || eventIds.size() > MAX_EVENTS) {
            throw new IllegalArgumentException("eventIds must be 1 to " + MAX_EVENTS + ", were " + eventIds.size());
        }
        return store.readWithExecution(id, executionId).stream()
                .filter(event -> eventIds.contains(event.eventId()))
                .toList();
    }

    @Override
    public Optional<WorkItem.StartOrchestration> waitingStart(String id) {
        synchronized (store) {
            return model.messages.stream()
                    .map(message -> message.item)
                    .filter(item -> item.routedInstance().equals(id))
                    .flatMap(item -> item instanceof WorkItem.StartOrchestration start ? Stream.of(start) : Stream.of())
                    .findFirst();
        }
    }

    private @Nullable InstanceSummary summary(String id) {
        var instance = model.instances.get(id);
        if (instance != null) {
            var execution = instance.execution();
            return new InstanceSummary(
                    id,
                    instance.name,
                    instance.version,
                    instance.current,
                    execution.status,
                    Instant.ofEpochMilli(instance.createdAt),
                    Instant.ofEpochMilli(instance.updatedAt),
                    instance.parent,
                    instance.ext,
                    new InstanceSummary.Texts(
                            execution.output, new CustomStatus(instance.customStatus, instance.customStatusVersion)));
        }
        var pending = model.started.get(id);
        if (pending != null) {
            return unacked(id, pending);
        }
        var lock = model.locks.get(id);
        if (lock == null) {
            return null;
        }
        var beginning = Beginning.in(model.messages.stream()
                .filter(message -> message.item.routedInstance().equals(id))
                .toList());
        String name = beginning == null ? "" : beginning.name();
        String version = beginning == null || beginning.version() == null ? "" : beginning.version();
        return unacked(id, new Model.Pending(lock.since, name, version, null));
    }

    private static InstanceSummary unacked(String id, Model.Pending pending) {
        var at = Instant.ofEpochMilli(pending.createdAt());
        var texts = new InstanceSummary.Texts(null, new CustomStatus(null, 0));
        return new InstanceSummary(
                id, pending.name(), pending.version(), 1, "Running", at, at, null, pending.ext(), texts);
    }

    @Override
    public InstancePage query(InstanceQuery query, int pageSize, @Nullable String continuation) {
        if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
            throw new IllegalArgumentException("pageSize must be 1 to " + MAX_PAGE_SIZE + ", was " + pageSize);
        }
        synchronized (store) {
            var after = continuation == null ? null : position(query, continuation);
            var order = order(query);
            var ids = new TreeSet<>(model.instances.keySet());
            ids.addAll(model.started.keySet());
            ids.addAll(model.locks.keySet());
            var following = ids.stream()
                    .map(id -> Objects.requireNonNull(summary(id)))
                    .filter(each -> matches(query, each))
                    .sorted(order)
                    .filter(each -> after == null || isBehind(query, each, after))
                    .toList();
            var page = following.subList(0, Math.min(pageSize, following.size()));
            return new InstancePage(
                    page.stream()
                            .map(each -> withTexts(each, query.withTexts()))
                            .toList(),
                    page.size() == following.size() ? null : token(query, page.get(page.size() - 1)));
        }
    }

    private static Comparator<InstanceSummary> order(InstanceQuery query) {
        var byTime = Comparator.comparing(InstanceSummary::createdAt);
        return (query.order() == InstanceQuery.Order.OLDEST_FIRST ? byTime : byTime.reversed())
                .thenComparing(InstanceSummary::instanceId);
    }

    private record Position(long createdAt, String id) {}

    private static boolean isBehind(InstanceQuery query, InstanceSummary each, Position after) {
        int byTime = Long.compare(each.createdAt().toEpochMilli(), after.createdAt());
        int inOrder = query.order() == InstanceQuery.Order.OLDEST_FIRST ? byTime : -byTime;
        return inOrder > 0 || (inOrder == 0 && each.instanceId().compareTo(after.id()) > 0);
    }

    private static String token(InstanceQuery query, InstanceSummary last) {
        return last.createdAt().toEpochMilli() + ":" + asked(query) + ":" + last.instanceId();
    }

    private static Position position(InstanceQuery query, String continuation) {
        var parts = continuation.split(":", 3);
        if (parts.length < 3) {
            throw new IllegalArgumentException(
                    "continuation must come from an earlier page, was '" + continuation + "'");
        }
        if (!parts[1].equals(asked(query))) {
            throw new IllegalArgumentException("continuation is of another query");
        }
        return new Position(Long.parseLong(parts[0]), parts[2]);
    }

    private static String asked(InstanceQuery query) {
        return Integer.toHexString(query.withTexts(false).hashCode());
    }

    private static boolean matches(InstanceQuery query, InstanceSummary each) {
        var from = query.createdFrom();
        var to = query.createdTo();
        var prefix = query.idPrefix();
        return (query.statuses().isEmpty() || query.statuses().contains(each.status()))
                && (from == null || !each.createdAt().isBefore(from))
                && (to == null || !each.createdAt().isAfter(to))
                && (prefix == null || each.instanceId().startsWith(prefix))
                && query.ext().stream().allMatch(condition -> isSatisfied(condition, each.ext()));
    }

    private static boolean isSatisfied(ExtCondition condition, @Nullable InstanceExt ext) {
        if (ext == null) {
            return false;
        }
        var field = DocumentJson.parse(ext.json()).path(condition.field());
        if (condition instanceof ExtCondition.OneOf oneOf) {
            return field.isTextual() && List.copyOf(oneOf.values()).contains(field.textValue());
        }
        var between = (ExtCondition.Between) condition;
        var least = between.least();
        var most = between.most();
        return field.isNumber()
                && (least == null || field.doubleValue() >= least)
                && (most == null || field.doubleValue() <= most);
    }

    private static InstanceSummary withTexts(InstanceSummary each, boolean wanted) {
        return new InstanceSummary(
                each.instanceId(),
                each.orchestrationName(),
                each.orchestrationVersion(),
                each.executionId(),
                each.status(),
                each.createdAt(),
                each.updatedAt(),
                each.parentInstanceId(),
                each.ext(),
                wanted ? each.texts() : null);
    }
}
