package io.sluice.durabletask.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.history.EventDecoder;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.ParentLink;
import io.sluice.durabletask.history.TurnEvents;
import io.sluice.durabletask.history.TurnIntake;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One instance over several turns: a store without a store. What a turn commits is what the next one is given, through
 * JSON as in the store.
 */
final class Scenario {
    static final Instant STARTED = Instant.parse("2026-06-15T08:00:00.000000001Z");
    static final Instant NOW = Instant.parse("2026-06-15T08:00:01Z");
    private static final int DURATION_OF_TURN_SECONDS = 10;

    private final String instance;
    private final List<HistoryEvent> history = new ArrayList<>();
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> toSelf = new ArrayList<>();
    private long executionId = 1;
    private int guids;
    private int turns;

    private Scenario(String instance) {
        this.instance = instance;
    }

    /** A new instance that a client has started, after a turn with this answer. */
    static Scenario started(OrchestratorResponse answer) {
        Scenario scenario = new Scenario("order-7");
        scenario.commit(answer, MessageEncoder.start("order-7", Answers.starting("Order", "1"), null));
        return scenario;
    }

    /** A new instance that a parent has started, after a turn with this answer. */
    static Scenario startedByParent(OrchestratorResponse answer) {
        Scenario scenario = new Scenario("child");
        scenario.commit(answer, startOfChild("first"));
        return scenario;
    }

    /** The message of a parent that starts a child, under this name of an execution. */
    static WorkItem startOfChild(String guid) {
        var event = Answers.starting("Ship", "1").toBuilder();
        event.getExecutionStartedBuilder().getParentInstanceBuilder().setTaskScheduledId(3);
        event.getExecutionStartedBuilder()
                .getOrchestrationInstanceBuilder()
                .getExecutionIdBuilder()
                .setValue(guid);
        return MessageEncoder.start("child", event.build(), new ParentLink("parent", 2, 11));
    }

    static Scenario fresh() {
        return new Scenario("order-7");
    }

    /** What a fetch of these messages is about. */
    TurnIntake fetch(WorkItem... messages) {
        List<WorkItem> stored = new ArrayList<>();
        for (WorkItem message : messages) {
            stored.add(WorkItemJson.decode(WorkItemJson.encode(message)));
        }
        OrchestrationItem item =
                new OrchestrationItem(instance, "Order", executionId, "", history, stored, null, Map.of());
        return TurnEvents.of(item, start(), () -> "guid-" + ++guids);
    }

    private Instant start() {
        return STARTED.plusSeconds((long) turns * DURATION_OF_TURN_SECONDS);
    }

    /** What an answer to a turn with these messages commits; nothing is. */
    TurnOutcome outcome(OrchestratorResponse answer, WorkItem... messages) {
        TurnIntake intake = fetch(messages);
        assertThat(intake).isInstanceOf(TurnIntake.Open.class);
        OpenTurn turn = new OpenTurn(instance, start(), (TurnIntake.Open) intake);
        return Actions.of(
                turn, answer, NOW.plusSeconds((long) turns * DURATION_OF_TURN_SECONDS), () -> "guid-" + ++guids);
    }

    /** Commits it, and says it line by line. */
    String commit(OrchestratorResponse answer, WorkItem... messages) {
        TurnOutcome outcome = outcome(answer, messages);
        if (outcome.executionId() != executionId) {
            history.clear();
            executionId = outcome.executionId();
        }
        outcome.historyDelta().forEach(event -> history.add(HistoryJson.decode(HistoryJson.encode(event))));
        activities.addAll(outcome.workerItems());
        outcome.orchestratorItems().stream()
                .filter(message -> message.routedInstance().equals(instance))
                .forEach(toSelf::add);
        turns++;
        return text(outcome);
    }

    /** The instance's messages to itself that no turn has had. */
    WorkItem[] ownMessages() {
        WorkItem[] messages = toSelf.toArray(WorkItem[]::new);
        toSelf.clear();
        return messages;
    }

    WorkItem.ActivityExecute activity(int index) {
        return (WorkItem.ActivityExecute) activities.get(index);
    }

    /** The message with the result of an activity. */
    WorkItem completed(int index, String result) {
        return MessageEncoder.activityEnded(activity(index), Answers.taskCompleted(index, result));
    }

    WorkItem external(Protocol.HistoryEvent event) {
        return MessageEncoder.external(instance, event);
    }

    List<HistoryEvent> history() {
        return List.copyOf(history);
    }

    /** The kinds of event that a worker gets as the past. */
    String past() {
        return EventDecoder.pastEvents(history).stream()
                .map(event -> event.getEventTypeCase().name())
                .collect(Collectors.joining(" "));
    }

    static String text(TurnOutcome outcome) {
        List<String> lines = new ArrayList<>();
        lines.add("execution " + outcome.executionId());
        outcome.historyDelta()
                .forEach(event -> lines.add("event " + event.eventId() + source(event.sourceEventId()) + " "
                        + shortened(event.kind().toString())));
        outcome.workerItems().forEach(item -> lines.add("work " + shortened(item.toString())));
        outcome.orchestratorItems().forEach(item -> lines.add("send " + shortened(item.toString())));
        lines.add("state " + outcome.state().status().name().replace("ORCHESTRATION_STATUS_", "")
                + (outcome.metadata().status() == null
                        ? ""
                        : ", stored " + outcome.metadata().status() + " "
                                + outcome.metadata().output()));
        return String.join("\n", lines);
    }

    private static String source(@Nullable Long eventId) {
        return eventId == null ? "" : " of " + eventId;
    }

    /** Without what is null and what says the same in every line. */
    private static String shortened(String text) {
        return text.replace(", extras=ExtraFields[dt]", "")
                .replaceAll("(?<=[\\[ ])[A-Za-z]+=null(, )?", "")
                .replaceAll(", (?=\\])", "")
                .replace("instance=order-7, ", "")
                .replace(", carryForwardEvents=[]", "");
    }
}
