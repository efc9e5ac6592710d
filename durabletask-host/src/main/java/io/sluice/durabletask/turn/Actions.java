package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.EventPlace;
import io.sluice.durabletask.history.ExecutionFacts;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.NewEvent;
import io.sluice.durabletask.history.ReplayedIds;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a worker has decided in a turn, as what the turn commits. Pure but for the GUIDs: touches nothing, and given the
 * same turn, answer, time and GUIDs it says the same. One answer's; not thread-safe.
 *
 * <p>Entities and rewinding are not offered so far: their actions are refused.
 */
public final class Actions {
    /** How many events a worker counts before the events of the messages: the start of the turn. */
    private static final int TURN_STARTS = 1;

    private final OpenTurn turn;
    private final Protocol.OrchestratorResponse response;
    private final Supplier<String> guids;
    private final ReplayedIds before;
    private final TurnDelta delta;
    private final ExecutionFacts factsBefore;
    private ExecutionFacts facts;

    private Actions(OpenTurn turn, Protocol.OrchestratorResponse response, Instant now, Supplier<String> guids) {
        this.turn = turn;
        this.response = response;
        this.guids = guids;
        this.before = ReplayedIds.of(turn.intake().history());
        this.delta = new TurnDelta(turn, before.nextEventId(), now);
        this.factsBefore = ExecutionFacts.of(turn.intake().history(), before);
        this.facts = factsBefore;
    }

    /**
     * What the turn commits. The caller has joined an answer in parts, and served one that asks for the history.
     *
     * @param now the time of what the answer's actions record
     * @param guids names executions that the turn starts
     * @throws RefusedResponseException when the answer contradicts itself, or holds more than the store takes
     * @throws io.sluice.durabletask.history.HistoryFormatException when the history cannot be read by this version
     */
    public static TurnOutcome of(
            OpenTurn turn, Protocol.OrchestratorResponse response, Instant now, Supplier<String> guids) {
        return new Actions(turn, response, now, guids).outcome();
    }

    private TurnOutcome outcome() {
        List<NewEvent> events = turn.intake().events();
        int taken = takenEvents(events.size());
        events.subList(0, taken).forEach(delta::addNew);
        facts = ExecutionFacts.of(history(), before);
        recordCustomStatus();

        int completion = indexOfCompletion();
        applicable(completion).forEach(this::apply);
        TurnEnding ending = new TurnEnding(turn, factsBefore, facts, delta, guids);
        if (completion >= 0) {
            ending.complete(response.getActions(completion), this::openChildren);
        }
        turn.intake().answers().forEach(delta::send);
        events.subList(taken, events.size()).forEach(event -> delta.send(event.message()));
        return ending.outcome();
    }

    /** How many of the new events the worker has taken, without the start of the turn. */
    private int takenEvents(int all) {
        if (!response.hasNumEventsProcessed()) {
            return all;
        }
        int counted = response.getNumEventsProcessed().getValue();
        int fewest = TURN_STARTS + (turn.intake().isFirstTurn() ? 1 : 0);
        if (counted < fewest) {
            throw RefusedResponseException.invalid("numEventsProcessed must be at least " + fewest
                    + ", the events that begin the turn; was " + counted);
        }
        return Math.min(counted - TURN_STARTS, all);
    }

    private List<String> openChildren() {
        return ReplayedIds.of(history()).openChildren();
    }

    private List<HistoryEvent> history() {
        List<HistoryEvent> history = new ArrayList<>(turn.intake().history());
        history.addAll(delta.events());
        return history;
    }

    /**
     * A worker says its status in every turn. A worker that says no status leaves the status as it is, unless a
     * finished execution has left that status: a child that is started again has no status of its own yet.
     */
    private void recordCustomStatus() {
        if (response.hasCustomStatus()) {
            String status = noneIfEmpty(response.getCustomStatus().getValue());
            if (!Objects.equals(status, facts.customStatus())) {
                delta.add(new EventKind.CustomStatusUpdated(status));
                facts = ExecutionFacts.of(history(), before);
            }
        } else if (turn.intake().showsStaleStatus()) {
            delta.add(new EventKind.CustomStatusUpdated(null));
        }
    }

    /** Some SDKs say an empty status for none, which others could not read. */
    private static @Nullable String noneIfEmpty(String status) {
        TurnLimits.checkCustomStatus(status);
        return status.isEmpty() ? null : status;
    }

    /** Where among the actions the one stands that completes the execution; -1 when there is none. */
    private int indexOfCompletion() {
        int[] completions = IntStream.range(0, response.getActionsCount())
                .filter(i -> response.getActions(i).hasCompleteOrchestration())
                .toArray();
        if (completions.length > 1) {
            throw RefusedResponseException.invalid(
                    "actions: an execution ends once, had " + completions.length + " actions that complete it");
        }
        return completions.length == 0 ? -1 : completions[0];
    }

    /** What is to be done besides the completion; what follows a continue-as-new belongs to nobody. */
    private List<OrchestratorAction> applicable(int completion) {
        List<OrchestratorAction> actions = response.getActionsList();
        boolean continues = completion >= 0
                && actions.get(completion).getCompleteOrchestration().getOrchestrationStatus()
                        == OrchestrationStatus.ORCHESTRATION_STATUS_CONTINUED_AS_NEW;
        return (continues ? actions.subList(0, completion) : actions)
                .stream().filter(action -> !action.hasCompleteOrchestration()).toList();
    }

    private void apply(OrchestratorAction action) {
        switch (action.getOrchestratorActionTypeCase()) {
            case SCHEDULETASK -> new TaskStart(facts, delta).start(action);
            case CREATETIMER -> createTimer(action);
            case CREATESUBORCHESTRATION -> new ChildStart(turn, facts, delta, guids).start(action);
            case SENDEVENT -> sendEvent(action);
            case TERMINATEORCHESTRATION -> terminate(action);
            case SENDENTITYMESSAGE -> throw unimplemented(action, "entities are not hosted yet");
            case REWINDORCHESTRATION -> throw unimplemented(action, "rewinding is not offered yet");
            case ORCHESTRATORACTIONTYPE_NOT_SET ->
                throw unimplemented(action, "this host does not know what the action asks for");
            case COMPLETEORCHESTRATION -> throw new AssertionError("completions are applied last");
        }
    }

    private void createTimer(OrchestratorAction action) {
        if (!action.getCreateTimer().hasFireAt()) {
            throw RefusedResponseException.invalid("action " + action.getId() + ": createTimer.fireAt is missing");
        }
        var fireAt = action.getCreateTimer().getFireAt();
        Protocol.HistoryEvent.Builder created = delta.event(action.getId());
        created.getTimerCreatedBuilder().setFireAt(fireAt);
        EventPlace place = delta.next();
        delta.add(action, created.build());

        Protocol.HistoryEvent.Builder fired = delta.outsideEvent().clearTimestamp();
        fired.getTimerFiredBuilder().setFireAt(fireAt).setTimerId(action.getId());
        delta.send(MessageEncoder.timer(place, fired.build()));
    }

    private void sendEvent(OrchestratorAction action) {
        if (before.hasSent(action.getId())) {
            return;
        }
        Protocol.SendEventAction send = action.getSendEvent();
        String target = send.getInstance().getInstanceId();
        Protocol.HistoryEvent.Builder sent = delta.event(action.getId());
        sent.getEventSentBuilder().setInstanceId(target).setName(send.getName());
        Protocol.HistoryEvent.Builder raised = delta.outsideEvent();
        raised.getEventRaisedBuilder().setName(send.getName());
        if (send.hasData()) {
            sent.getEventSentBuilder().setInput(send.getData());
            raised.getEventRaisedBuilder().setInput(send.getData());
        }
        delta.add(action, sent.build());
        // No instance has an id that the store refuses, so that nobody is there to be told.
        if (TurnLimits.instanceIdFault(target).isEmpty()) {
            delta.send(action, MessageEncoder.external(target, raised.build()));
        }
    }

    private void terminate(OrchestratorAction action) {
        Protocol.TerminateOrchestrationAction terminate = action.getTerminateOrchestration();
        if (TurnLimits.instanceIdFault(terminate.getInstanceId()).isEmpty()) {
            String reason = Wire.orNull(terminate.hasReason(), terminate.getReason());
            delta.send(
                    action,
                    MessageEncoder.termination(terminate.getInstanceId(), reason, terminate.getRecurse(), delta.now()));
        }
    }

    private static RefusedResponseException unimplemented(OrchestratorAction action, String why) {
        return new RefusedResponseException(
                RefusedResponseException.Problem.UNIMPLEMENTED,
                "action " + action.getId() + " (" + action.getOrchestratorActionTypeCase() + "): " + why);
    }
}
