package io.sluice.provider;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime asks of its store. Operations keep the names of the duroxide contract, in camel case.
 *
 * <p>Every call may block; every implementation is thread-safe. Queues use peek-lock: a fetch hides an item under a
 * lock token for a time, an acknowledgement removes it, an abandon or the expiry of the lock makes it available again.
 * Delivery is at least once. A call whose thread is interrupted ends with a retryable {@link ProviderException} and the
 * interrupt flag set; a lock it may have taken lapses by itself.
 *
 * <p>Every method throws {@link ProviderException}, also for arguments that make no sense, null apart; the method
 * comments name only the particular errors.
 */
public interface Provider {
    /** Name of the store for logs. */
    default String name() {
        return "unknown";
    }

    /** Version of the implementation for logs. */
    default String version() {
        return "0.0.0";
    }

    /**
     * Locks the instance that has waited longest and returns its visible messages with the history of its current
     * execution. Of a backlog that takes longer to lock than half of {@code lockTimeout} the oldest come, the others
     * with the next turn.
     *
     * @param lockTimeout how long the lock lives without renewal
     * @param pollTimeout longest wait for work; zero returns at once
     * @param filter versions this dispatcher can replay; null accepts every version. Incompatible instances are skipped
     *     without being locked
     * @return nothing when there is no work. A fetch that fails holds no lock
     */
    Optional<LockedTurn> fetchOrchestrationItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter);

    /**
     * Commits a turn: all of it, or nothing.
     *
     * @throws ProviderException permanent when the lock is lost (expired, taken over, already acknowledged), when an
     *     event id exists already or is out of order, when a part names another execution than the turn's (it may be
     *     the next one), or a cancelled activity another instance; then nothing of this turn is, or ever will be,
     *     stored. An event that names another instance is the turn's all the same. Retryable when the same call may be
     *     repeated
     */
    void ackOrchestrationItem(TurnAck ack);

    /**
     * Gives a turn back. Its messages become available at once, or after {@code delay}.
     *
     * @param ignoreAttempt true takes back the attempt counted by the fetch
     * @throws ProviderException permanent when the token is unknown
     */
    void abandonOrchestrationItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt);

    /**
     * Prolongs the lock of a turn to now + {@code extendFor}; one that lives longer anyway stays as it is.
     *
     * @throws ProviderException permanent when the token is unknown, expired or released
     */
    void renewOrchestrationItemLock(String lockToken, Duration extendFor);

    /**
     * History of the latest execution, ascending by event id; empty for an unknown instance. Permanent error when an
     * event can't be decoded.
     */
    List<HistoryEvent> read(String instance);

    /**
     * History of one execution, ascending by event id; empty when unknown. Permanent error when an event can't be
     * decoded.
     */
    List<HistoryEvent> readWithExecution(String instance, long executionId);

    /**
     * Stores events under their own ids, outside of any turn; meant for tests and repair. Permanent error when an id
     * exists already.
     */
    void appendWithExecution(String instance, long executionId, List<HistoryEvent> events);

    /**
     * Makes a message visible to the instance it is routed to. Works for instances that do not exist yet, and does not
     * create them.
     *
     * @param delay hides the message that long; null means visible now
     * @throws ProviderException permanent, with nothing queued, when the store could not hold the message, or could not
     *     hold the first turn of what it starts
     */
    void enqueueForOrchestrator(WorkItem item, @Nullable Duration delay);

    /** Makes an activity available to workers at once. */
    void enqueueForWorker(WorkItem item);

    /**
     * Locks the oldest activity that matches.
     *
     * @param session claims items of sessions for this owner; null takes only items without a session
     * @param tagFilter which tags this worker serves
     */
    Optional<LockedWorkItem> fetchWorkItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tagFilter);

    /**
     * Removes an activity and, in the same step, enqueues its completion.
     *
     * @param completion {@code ActivityCompleted} or {@code ActivityFailed}; null removes the item silently
     * @throws ProviderException permanent when the item is gone (cancelled, already acknowledged) or the lock has
     *     lapsed, or when {@code completion} is anything else; nothing is written then
     */
    void ackWorkItem(String lockToken, @Nullable WorkItem completion);

    /**
     * Prolongs the lock of an activity, likewise. Transient faults are retried inside the call for as long as the lock
     * lives, since a runtime takes any error as the activity's cancellation.
     *
     * @throws ProviderException permanent when the item is gone or the lock has lapsed
     */
    void renewWorkItemLock(String lockToken, Duration extendFor);

    /** Gives an activity back, visible at once or after {@code delay}. Permanent error when no item bears the token. */
    void abandonWorkItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt);

    /**
     * Prolongs every live session of the owners that was active within {@code idleTimeout}, likewise.
     *
     * <p>A process knows which sessions it claimed; it searches the store for those of an owner when it is first asked
     * for that owner, so that it finds what is left from before a restart. Processes that use one owner's name at a
     * time each prolong their own.
     *
     * <p>What can't be written keeps nothing else from being prolonged.
     *
     * @return how many were prolonged
     * @throws ProviderException when something failed and none was prolonged
     */
    int renewSessionLock(List<String> ownerIds, Duration extendFor, Duration idleTimeout);

    /**
     * Removes expired sessions that no activity refers to: those that this process claimed, and, the first time and now
     * and then (every ten minutes to an hour), those that others left behind.
     *
     * @return how many were removed
     */
    int cleanupOrphanedSessions(Duration idleTimeout);

    /**
     * The custom status if its version is above {@code lastSeenVersion}; nothing otherwise, and for unknown instances.
     */
    Optional<CustomStatus> getCustomStatus(String instance, long lastSeenVersion);

    /** The value of a key as the running execution sees it; nothing when it is unset or the instance unknown. */
    Optional<String> getKvValue(String instance, String key);

    /** All key values as the running execution sees them; empty for an unknown instance. */
    Map<String, String> getKvAllValues(String instance);

    /**
     * Size of the current execution; nothing for an unknown instance. Permanent error when its first event can't be
     * decoded.
     */
    Optional<InstanceStats> getInstanceStats(String instance);

    /** The admin operations, where the store has them. */
    default Optional<ProviderAdmin> asManagementCapability() {
        return Optional.empty();
    }
}
