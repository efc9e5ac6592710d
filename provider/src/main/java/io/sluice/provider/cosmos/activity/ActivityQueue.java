package io.sluice.provider.cosmos.activity;

import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The worker queue as this process's workers see it. Thread-safe. */
public interface ActivityQueue {
    /** Reads this queue's items wherever they are read. */
    QueueRows rows();

    /** Sessions of other owners, whose activities searches leave out. */
    OthersSessions others();

    /** Begins the wait of one fetch. */
    Wait begin(Call call, WorkerFilter filter, Duration longest);

    /** The wait of one fetch: it may take several candidates until one can be locked. Used by one thread. */
    interface Wait extends AutoCloseable {
        /** The next candidate, which no other worker gets until it is {@link #conclude concluded}. */
        Optional<ActivityCandidate> next();

        /** The fetch is done with a candidate. */
        void conclude(ActivityCandidate candidate, ActivityResult result);

        @Override
        void close();
    }

    /** Ends the waits of all workers; nothing is handed out any more. */
    void close();

    /** Another process was faster with an activity. */
    void slowDown();

    /**
     * This process has queued activities.
     *
     * @param known all of them with their versions, or none
     */
    void announce(List<Stored<QueueDocument>> known);

    /** Shows an item again from this time on, with its old place in the order. */
    void putBack(QueueDocument item, long visibleAtMillis);
}
