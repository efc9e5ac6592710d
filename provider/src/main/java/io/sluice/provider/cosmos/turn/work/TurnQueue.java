package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.Call;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The orchestrator queue as this process's dispatchers see it. Thread-safe. */
public interface TurnQueue {
    /** Reads this queue's messages wherever they are read. */
    QueueRows rows();

    /** What this process remembers of the instances whose turns it took from here. */
    InstanceCache remembered();

    /** Begins the wait of one fetch. */
    Wait begin(Call call, TurnFilter filter, Duration longest);

    /** The wait of one fetch: it may take several candidates until one can be locked. Used by one thread. */
    interface Wait extends AutoCloseable {
        /** The next candidate, which no other dispatcher gets until it is {@link #conclude concluded}. */
        Optional<TurnCandidate> next();

        /**
         * The fetch is done with a candidate.
         *
         * @param startId where it does not suit, the newest of its messages that begin an execution; null for none
         */
        void conclude(TurnCandidate candidate, WorkOutcome outcome, @Nullable String startId);

        @Override
        void close();
    }

    /** Ends the waits of all dispatchers; nothing is handed out any more. */
    void close();

    /** Another process was faster with an instance. */
    void slowDown();

    /** A message became visible, or will. */
    void messageFor(String instanceId, long visibleAtMillis);

    /** This process has put the message into the queue of its instance. */
    void queued(QueueDocument message);

    /** A timer was set for its instance. */
    void timerFor(WorkItem.TimerFired timer);

    /**
     * Messages that may be taken now have come for an instance.
     *
     * @param message one of them; null where none is known
     */
    void messagesFor(String instanceId, @Nullable QueueDocument message);

    /** The instance may have been set aside for want of a start, which is coming. */
    void allow(String instanceId);

    /** The turn of the instance that ends now has queued so many activities. */
    void queuedActivities(String instanceId, int activities);

    /** This process has completed an activity of the instance. */
    void completedActivity(String instanceId);

    /**
     * A message came for the instance, which is shown again, whatever was seen of it before.
     *
     * @param message null where it is not known
     */
    default void arrived(String instanceId, @Nullable QueueDocument message) {
        allow(instanceId);
        messagesFor(instanceId, message);
    }

    /** A start came for an instance that may have been set aside for want of it. */
    default void startFor(String instanceId) {
        arrived(instanceId, null);
    }

    /**
     * The instance was looked at, and lacks its start. Returns until when it is not worth another look, unless its
     * start comes.
     */
    long setAside(String instanceId);

    /** The start that an instance was set aside for is there; whatever comes of it, it is not shown for it again. */
    void forgetStart(String instanceId);

    /** The instance is not shown until then: this process holds it. */
    void exclude(String instanceId, long untilMillis);

    /** The turn of these messages was acked: the instance is shown again. */
    void acked(String instanceId, List<QueueDocument> messages);

    /** The lock of the instance is lost: it is shown again. */
    void lost(String instanceId);

    /** Shows the instance again, with the messages it had before. */
    void putBack(String instanceId);
}
