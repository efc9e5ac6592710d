package io.sluice.provider.contract;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SemverRange;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages, activities and events that scenarios of the contract work with. */
public final class ContractItems {
    private static final String RUNTIME = "0.1.32";

    private ContractItems() {}

    public static WorkItem start(String instance) {
        return start(instance, "TestOrch", "1.0.0", 1);
    }

    public static WorkItem start(String instance, String orchestration, @Nullable String version, long execution) {
        return new WorkItem.StartOrchestration(instance, orchestration, "{}", version, null, null, null, execution);
    }

    public static WorkItem childStart(String instance, String orchestration, String parent) {
        return new WorkItem.StartOrchestration(instance, orchestration, "{}", null, parent, 1L, null, 1);
    }

    public static WorkItem continueAsNew(String instance) {
        return new WorkItem.ContinueAsNew(instance, "TestOrch", "{}", "1.0.0", null, null, null, List.of(), null);
    }

    public static WorkItem signal(String instance, String name) {
        return new WorkItem.ExternalRaised(instance, name, "{}");
    }

    public static WorkItem message(String instance, String queue, String data) {
        return new WorkItem.QueueMessage(instance, queue, data);
    }

    public static WorkItem timer(String instance, long id, long fireAtMillis) {
        return new WorkItem.TimerFired(instance, 1, id, fireAtMillis);
    }

    public static WorkItem completion(String instance, long id) {
        return new WorkItem.ActivityCompleted(instance, 1, id, "result-" + id);
    }

    public static WorkItem activity(String instance, long id) {
        return activity(instance, id, "TestActivity");
    }

    public static WorkItem activity(String instance, long id, String name) {
        return new WorkItem.ActivityExecute(instance, 1, id, name, "{}", null, null);
    }

    public static WorkItem sessionActivity(String instance, long id, String session) {
        return new WorkItem.ActivityExecute(instance, 1, id, "TestActivity", "{}", session, null);
    }

    public static WorkItem taggedActivity(String instance, long id, @Nullable String tag) {
        return new WorkItem.ActivityExecute(instance, 1, id, "Activity" + id, "{}", null, tag);
    }

    public static WorkItem.ActivityExecute activityOf(LockedWorkItem work) {
        if (work.item() instanceof WorkItem.ActivityExecute activity) {
            return activity;
        }
        throw new AssertionError("the worker queue holds activities only, got " + work.item());
    }

    public static HistoryEvent started(String instance) {
        return started(instance, 1);
    }

    public static HistoryEvent started(String instance, long execution) {
        return event(instance, execution, 1, startedKind("TestOrch", "1.0.0"));
    }

    public static EventKind startedKind(String orchestration, String version) {
        return new EventKind.OrchestrationStarted(orchestration, version, "{}", null, null, null, null, null);
    }

    public static EventKind scheduled(String activity) {
        return new EventKind.ActivityScheduled(activity, "{}", null, null);
    }

    public static HistoryEvent event(String instance, long execution, long id, EventKind kind) {
        return event(instance, execution, id, RUNTIME, kind);
    }

    public static HistoryEvent event(String instance, long execution, long id, String runtime, EventKind kind) {
        return HistoryEvent.of(id, instance, execution, 0, runtime, kind);
    }

    /** Events of these kinds, numbered from {@code firstId}. */
    public static List<HistoryEvent> events(String instance, long execution, long firstId, EventKind... kinds) {
        List<HistoryEvent> events = new ArrayList<>();
        for (EventKind kind : kinds) {
            events.add(event(instance, execution, firstId + events.size(), kind));
        }
        return events;
    }

    public static DispatcherCapabilityFilter versions(String min, String max) {
        return new DispatcherCapabilityFilter(
                List.of(new SemverRange(SemanticVersion.parse(min), SemanticVersion.parse(max))));
    }
}
