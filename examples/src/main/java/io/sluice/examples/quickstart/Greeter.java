package io.sluice.examples.quickstart;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that embeds the provider: each instance of {@code Greeting} has one activity make a greeting, and ends with
 * it. Work of other programs on the same container is given back for them.
 */
public final class Greeter {
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration FOR_OTHERS = Duration.ofSeconds(5);
    private static final String ORCHESTRATION = "Greeting";
    private static final String ACTIVITY = "greet";

    private final Provider provider;

    Greeter(Provider provider) {
        this.provider = provider;
    }

    public static void main(String[] arguments) {
        CosmosStoreConfig config = CosmosStoreConfig.fromEnvironment(System.getenv());
        try (CosmosProvider provider = CosmosProvider.builder().config(config).build()) {
            Greeter greeter = new Greeter(provider);
            System.out.println("waiting for greetings to make");
            while (!Thread.interrupted()) {
                greeter.step();
            }
        }
    }

    /** Works what there is: at most one turn and one activity. */
    void step() {
        try {
            provider.fetchOrchestrationItem(LOCK, WAIT, null).ifPresent(this::turn);
            provider.fetchWorkItem(LOCK, WAIT, null, TagFilter.defaultOnly()).ifPresent(this::activity);
        } catch (ProviderException e) {
            // Nothing is lost: what was not acknowledged is fetched again once its lock has lapsed.
            System.err.println(e.getMessage());
        }
    }

    /** The orchestration: history and messages in, new events and work out, in one commit. */
    private void turn(LockedTurn turn) {
        OrchestrationItem item = turn.item();
        if (!item.orchestrationName().equals(ORCHESTRATION) || item.historyError() != null) {
            // The code of this orchestration is elsewhere: the turn goes back as it was, with no attempt counted.
            provider.abandonOrchestrationItem(turn.lockToken(), FOR_OTHERS, true);
            return;
        }
        List<HistoryEvent> events = new ArrayList<>();
        List<WorkItem> activities = new ArrayList<>();
        ExecutionMetadata metadata = ExecutionMetadata.NONE;
        for (WorkItem message : item.messages()) {
            int next = item.history().size() + events.size() + 1;
            if (message instanceof WorkItem.StartOrchestration start && next == 1) {
                events.add(event(
                        item,
                        1,
                        new EventKind.OrchestrationStarted(
                                start.orchestration(), "1.0.0", start.input(), null, null, null, null, null)));
                events.add(event(item, 2, new EventKind.ActivityScheduled(ACTIVITY, start.input(), null, null)));
                activities.add(new WorkItem.ActivityExecute(
                        item.instance(), item.executionId(), 2, ACTIVITY, start.input(), null, null));
                metadata = metadata.withOrchestration(start.orchestration(), "1.0.0");
            } else if (message instanceof WorkItem.ActivityCompleted done && next == 3) {
                events.add(event(item, 3, new EventKind.ActivityCompleted(done.result()))
                        .withSourceEventId(done.id()));
                events.add(event(item, 4, new EventKind.OrchestrationCompleted(done.result())));
                metadata = metadata.withStatus("Completed", done.result());
            } // every other message is consumed with its turn and changes nothing
        }
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), item.executionId())
                .withHistory(events)
                .withWorkerItems(activities)
                .withMetadata(metadata));
    }

    /** The activity: it may run twice when a process dies in it, and its result counts once. */
    private void activity(LockedWorkItem locked) {
        if (locked.item() instanceof WorkItem.ActivityExecute work
                && work.name().equals(ACTIVITY)) {
            String greeting = "Hello, " + work.input() + "!";
            provider.ackWorkItem(
                    locked.lockToken(),
                    new WorkItem.ActivityCompleted(work.instance(), work.executionId(), work.id(), greeting));
            System.out.println(work.instance() + ": " + greeting);
        } else {
            provider.abandonWorkItem(locked.lockToken(), FOR_OTHERS, true);
        }
    }

    private static HistoryEvent event(OrchestrationItem item, long id, EventKind kind) {
        return HistoryEvent.of(id, item.instance(), item.executionId(), System.currentTimeMillis(), "0.1.32", kind);
    }
}
