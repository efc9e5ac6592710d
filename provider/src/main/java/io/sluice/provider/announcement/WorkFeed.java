package io.sluice.provider.announcement;

import java.time.Duration;

/**
 * Says where work is. An announcement is a hint: every lock is taken in the store, on condition of the version, so that
 * a lost, repeated, late or wrong announcement costs time or one refused request and nothing else. Implementations are
 * thread-safe; the provider that is given a feed closes it. Several providers of a process each get a {@link #shared}
 * one.
 */
public interface WorkFeed extends AutoCloseable {
    /**
     * Begins to announce the work of a queue. Every process that subscribes with the same filter shares the
     * announcements; processes with different filters each get all of them.
     *
     * @param store where the work is: announcements of another one can't be relied on
     * @param queue which work
     * @param filter a text that stands for what the dispatchers can run, the same in every process; empty for
     *     everything
     * @param listener gets the announcements, on threads of the feed
     */
    Subscription subscribe(WorkStore store, WorkQueue queue, String filter, Listener listener);

    /**
     * How long a process waits for the announcement of a message that it sent itself before it queries the instance.
     * To wait costs time where a dispatcher is free, and saves the query. Zero by default: the instance is queried
     * once.
     */
    default Duration ownWorkAfter() {
        return Duration.ZERO;
    }

    /**
     * How long the next turn of an instance waits for the next completion, where the last turn queued several
     * activities and this process completes them, and five times that in all: taken together they cost one turn. It
     * waits once after each such turn. Zero by default: a turn is taken as soon as a message has come.
     */
    default Duration completionsWithin() {
        return Duration.ZERO;
    }

    /** Whether {@link Subscription#askForHelp} reaches other processes. False by default: it does nothing. */
    default boolean takesHelpRequests() {
        return false;
    }

    /**
     * This feed for one of several providers of a process: a provider that closes it ends its own subscriptions and no
     * others. Who made this feed closes it, before or after them. The providers count as processes of their own: each
     * announcement comes to one of those with the same store and filter.
     */
    default WorkFeed shared() {
        return new SharedWorkFeed(this);
    }

    /**
     * Ends all subscriptions, which are not healthy from then on, as are those that are asked for afterwards. What was
     * announced and not handled is announced to another process, or to this one later.
     */
    @Override
    void close();

    /** The announcements of one queue for one filter. Its methods return at once and call no listener. */
    interface Subscription {
        /**
         * Whether the announcements can be relied on now. While they can't, the provider queries the store, as without
         * a feed.
         */
        boolean isHealthy();

        /**
         * Whether what is announced of this instance comes to this process, and to no other with the same filter.
         * Always false for activities.
         */
        boolean isOwn(String instanceId);

        /**
         * Says how many further announcements of activities, or requests for help with turns, the provider has free
         * dispatchers for; each that comes takes one off. Replaces what was said before; 0 at first. Without effect for
         * announcements of turns, of which a feed holds back what exceeds its own limit.
         */
        void request(int announcements);

        /**
         * Sends a copy of what was announced to one process of each filter that has a free dispatcher: no dispatcher
         * of this one was free for a while. The announcement stays this process's, so that the copy may be lost. Does
         * nothing unless a feed overrides it.
         */
        default void askForHelp(Announcement announcement) {}

        /**
         * A dispatcher begins to fetch this work; {@link #fetchEnded} follows. Work that no dispatcher has fetched
         * for within half a minute may be left to other processes with the same filter; announcements can't be relied
         * on then until some time after a dispatcher fetches again. Does nothing unless a feed overrides it.
         */
        default void fetchBegan() {}

        /** Ends what {@link #fetchBegan} began. */
        default void fetchEnded() {}

        /**
         * Nothing is announced any more, from soon on, and the rest of this is not called. What was announced and not
         * handled is announced to another process with the same filter, or to this one when it subscribes again. Ends
         * with the feed at the latest; does nothing before unless a feed overrides it.
         */
        default void close() {}
    }

    /** Gets announcements. Its methods return at once, and throw nothing. */
    interface Listener {
        /**
         * Whether an activity may be one for the subscription's filter. A feed need not announce what is not:
         * processes with other filters hear of it as well.
         */
        default boolean isForFilter(Announcement announcement) {
            return true;
        }

        /** Work was announced. */
        void announced(Announcement announcement, Receipt receipt);

        /**
         * Another process asks for help with a turn that it can't run soon. The receipt may be returned, for another
         * process with the same filter.
         */
        default void helpAsked(Announcement announcement, Receipt receipt) {
            receipt.handled();
        }

        /**
         * Announcements may have been lost, or this is the first subscription with this filter: everything has to be
         * queried once.
         */
        void lost();

        /** {@link Subscription#isHealthy} may have changed. */
        void healthChanged();
    }

    /** What became of one announcement. One of its methods is called, once; until then it is announced again. */
    interface Receipt {
        /** The work was done, is gone, or has no need of this announcement any more. */
        void handled();

        /** An activity could not be tried now; another process may. A turn's announcement is kept instead. */
        void returned();

        /**
         * Whether the announcement still belongs to this process. One that does not is dropped without a request, and
         * needs no answer.
         */
        boolean isCurrent();
    }
}
