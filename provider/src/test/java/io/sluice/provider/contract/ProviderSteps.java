package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/**
 * The steps that scenarios of the contract are made of, on one store. A fetch never waits; where a step says nothing
 * else a lock is {@link #LONG}. Thread-safe.
 */
public final class ProviderSteps {
    /** A lock that outlives a test. */
    public static final Duration LONG = Duration.ofSeconds(30);

    /** First turn's metadata of {@code TestOrch} 1.0.0. */
    public static final ExecutionMetadata META = ExecutionMetadata.NONE.withOrchestration("TestOrch", "1.0.0");

    /** The id scenarios give to the event that ends an execution, far from those of its other turns. */
    private static final long LAST_EVENT_ID = 9_999;

    private final AtomicLong nextEventId = new AtomicLong(100);
    private final ContractStore store;
    private final Duration lockTimeout;

    ProviderSteps(ContractStore store, Duration lockTimeout) {
        this.store = store;
        this.lockTimeout = lockTimeout;
    }

    public Provider provider() {
        return store.provider();
    }

    public ProviderAdmin admin() {
        return provider()
                .asManagementCapability()
                .orElseThrow(() -> new AssertionError("the scenario needs the admin operations"));
    }

    public void pass(Duration time) {
        store.pass(time);
    }

    public void passMillis(long millis) {
        store.pass(Duration.ofMillis(millis));
    }

    /** Puts a start of {@code TestOrch} into the queue. */
    public void start(String instance) {
        enqueue(ContractItems.start(instance));
    }

    /** Puts a signal into the queue that makes the instance worth fetching. */
    public void poke(String instance) {
        enqueue(ContractItems.signal(instance, "poke"));
    }

    public void enqueue(WorkItem message) {
        provider().enqueueForOrchestrator(message, null);
    }

    public void enqueue(WorkItem message, Duration delay) {
        provider().enqueueForOrchestrator(message, delay);
    }

    /** Puts activities into the worker queue. */
    public void act(WorkItem... activities) {
        for (WorkItem activity : activities) {
            provider().enqueueForWorker(activity);
        }
    }

    public void act(String instance, long id) {
        act(ContractItems.activity(instance, id));
    }

    public Optional<LockedTurn> tryFetch(Duration lock, @Nullable DispatcherCapabilityFilter filter) {
        return provider().fetchOrchestrationItem(lock, Duration.ZERO, filter);
    }

    public LockedTurn fetch() {
        return fetch(LONG);
    }

    /** Fetches for LT. */
    public LockedTurn fetchForLockTimeout() {
        return fetch(lockTimeout);
    }

    public LockedTurn fetch(Duration lock) {
        return tryFetch(lock, null).orElseThrow(() -> new AssertionError("expected a turn, there was none"));
    }

    public LockedTurn fetch(DispatcherCapabilityFilter filter) {
        return tryFetch(LONG, filter)
                .orElseThrow(() -> new AssertionError("expected a turn for " + filter + ", there was none"));
    }

    public void fetchNothing() {
        assertThat(tryFetch(LONG, null)).as("a turn to fetch").isEmpty();
    }

    public void fetchNothing(DispatcherCapabilityFilter filter) {
        assertThat(tryFetch(LONG, filter)).as("a turn to fetch for %s", filter).isEmpty();
    }

    /** Acks execution 1 with these events and nothing else. */
    public void ack(LockedTurn turn, HistoryEvent... events) {
        ack(ackOf(turn, events));
    }

    public void ack(TurnAck ack) {
        provider().ackOrchestrationItem(ack);
    }

    /** An ack of execution 1 with these events, to add to. */
    public static TurnAck ackOf(LockedTurn turn, HistoryEvent... events) {
        return TurnAck.of(turn.lockToken(), 1).withHistory(List.of(events));
    }

    public void abandon(LockedTurn turn) {
        provider().abandonOrchestrationItem(turn.lockToken(), null, false);
    }

    public void abandonIgnoringAttempt(LockedTurn turn) {
        provider().abandonOrchestrationItem(turn.lockToken(), null, true);
    }

    public Optional<LockedWorkItem> tryWork(Duration lock, @Nullable SessionFetchConfig session, TagFilter tags) {
        return provider().fetchWorkItem(lock, Duration.ZERO, session, tags);
    }

    public LockedWorkItem fetchWork() {
        return fetchWork(LONG);
    }

    public LockedWorkItem fetchWork(Duration lock) {
        return fetchWork(lock, null, TagFilter.defaultOnly());
    }

    public LockedWorkItem fetchWork(Duration lock, @Nullable SessionFetchConfig session, TagFilter tags) {
        return tryWork(lock, session, tags)
                .orElseThrow(() -> new AssertionError("expected an activity, there was none"));
    }

    public void fetchNoWork() {
        assertThat(tryWork(LONG, null, TagFilter.defaultOnly()))
                .as("an activity to fetch")
                .isEmpty();
    }

    /** Acks with the activity's completion. */
    public void done(LockedWorkItem work) {
        WorkItem.ActivityExecute activity = ContractItems.activityOf(work);
        provider().ackWorkItem(work.lockToken(), ContractItems.completion(activity.instance(), activity.id()));
    }

    /** Acks without a completion. */
    public void drop(LockedWorkItem work) {
        provider().ackWorkItem(work.lockToken(), null);
    }

    public void abandon(LockedWorkItem work) {
        provider().abandonWorkItem(work.lockToken(), null, false);
    }

    public void abandonIgnoringAttempt(LockedWorkItem work) {
        provider().abandonWorkItem(work.lockToken(), null, true);
    }

    /** Starts an instance and commits its first turn: it is {@code Running}. */
    public void create(String instance) {
        start(instance);
        ack(ackOf(fetchOf(instance), ContractItems.started(instance)).withMetadata(META));
    }

    /** An instance whose first turn is its last. */
    public void completed(String instance) {
        completed(instance, null);
    }

    public void completed(String instance, @Nullable String parent) {
        ended(instance, parent, "Completed", "done");
    }

    /** An instance whose first turn ends it so. */
    public void ended(String instance, @Nullable String parent, String status, String output) {
        start(instance);
        ack(ackOf(fetchOf(instance), ContractItems.started(instance))
                .withMetadata(META.withStatus(status, output).withParent(parent)));
    }

    /** One turn of execution {@code execution} that appends these events, under ids no turn before it had. */
    public void turn(String instance, long execution, EventKind... kinds) {
        poke(instance);
        ack(TurnAck.of(fetchOf(instance).lockToken(), execution)
                .withHistory(ContractItems.events(instance, execution, nextEventId.getAndAdd(kinds.length), kinds)));
    }

    /** One turn that completes execution {@code execution}. */
    public void complete(String instance, long execution) {
        poke(instance);
        ack(TurnAck.of(fetchOf(instance).lockToken(), execution)
                .withHistory(List.of(ContractItems.event(
                        instance, execution, LAST_EVENT_ID, new EventKind.OrchestrationCompleted("done"))))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done")));
    }

    /** Ends execution {@code next - 1} by continuing as new, and commits the first turn of {@code next}. */
    public void continueAsNew(String instance, long next) {
        poke(instance);
        ack(TurnAck.of(fetchOf(instance).lockToken(), next - 1)
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", null)));
        enqueue(ContractItems.continueAsNew(instance));
        ack(TurnAck.of(fetchOf(instance).lockToken(), next)
                .withHistory(List.of(ContractItems.started(instance, next)))
                .withMetadata(META));
    }

    /** An instance of {@code executions} executions: all but the last continued as new, the last with this status. */
    public void executions(String instance, int executions, String lastStatus) {
        start(instance);
        for (int execution = 1; execution <= executions; execution++) {
            if (execution > 1) {
                enqueue(ContractItems.continueAsNew(instance));
            }
            String status = execution < executions ? "ContinuedAsNew" : lastStatus;
            ack(TurnAck.of(fetchOf(instance).lockToken(), execution)
                    .withHistory(List.of(ContractItems.started(instance, execution)))
                    .withMetadata(META.withStatus(status, "Running".equals(status) ? null : "done")));
        }
    }

    /** Fetches, and checks that it is this instance. */
    public LockedTurn fetchOf(String instance) {
        LockedTurn turn = fetch();
        assertThat(turn.item().instance()).as("the instance fetched").isEqualTo(instance);
        return turn;
    }

    /** The failure of a call that must fail. */
    public static ProviderException failureOf(ThrowingCallable call) {
        ProviderException failure = catchThrowableOfType(ProviderException.class, call);
        assertThat(failure).as("the call must fail").isNotNull();
        return failure;
    }

    /** The failure of a call that must fail permanently. */
    public static ProviderException permanentFailureOf(ThrowingCallable call) {
        ProviderException failure = failureOf(call);
        assertThat(failure.retryable())
                .as("retryable, with message: %s", failure.getMessage())
                .isFalse();
        return failure;
    }

    /** Fetches activities with {@code session} until there are none, acking each; their ids in order. */
    public List<Long> drain(Duration lock, @Nullable SessionFetchConfig session, TagFilter tags) {
        List<Long> ids = new ArrayList<>();
        Optional<LockedWorkItem> work = tryWork(lock, session, tags);
        while (work.isPresent()) {
            ids.add(ContractItems.activityOf(work.get()).id());
            drop(work.get());
            work = tryWork(lock, session, tags);
        }
        return ids;
    }
}
