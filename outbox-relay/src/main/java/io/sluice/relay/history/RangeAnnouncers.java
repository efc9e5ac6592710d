package io.sluice.relay.history;

import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;

/** Announces the work on pages of the change feed. Thread-safe; each {@link Announcer} belongs to one thread. */
public interface RangeAnnouncers {
    /** Announces nothing. */
    RangeAnnouncers NONE = range -> new Announcer() {
        @Override
        public Announced announce(FeedPage page) {
            return () -> {};
        }

        @Override
        public void close() {}
    };

    /**
     * Begins to announce the work of a range that this replica has taken over.
     *
     * @param range its part of the key space
     */
    Announcer begin(KeyRange range);

    /** Announces the work of one range, until it is closed. */
    interface Announcer extends AutoCloseable {
        /**
         * Begins to announce a page, be it empty. The next page is announced when this one was taken.
         *
         * @throws RuntimeException when it can neither be announced nor dropped
         */
        Announced announce(FeedPage page) throws InterruptedException;

        /** Ends at once; what was begun may still be taken. */
        @Override
        void close();
    }

    /** A page that is being announced. */
    @FunctionalInterface
    interface Announced {
        /**
         * Waits until Kafka has taken the whole page, or the announcer drops what Kafka does not take in time; at once
         * when that was awaited before.
         *
         * @throws RuntimeException when the page may be neither taken nor dropped, and is to be read again
         */
        void awaitTaken() throws InterruptedException;
    }
}
