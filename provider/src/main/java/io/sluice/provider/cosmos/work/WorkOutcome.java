package io.sluice.provider.cosmos.work;

import java.util.Set;

/**
 * What came of a candidate, or of a turn that was locked: it is acked ({@link Done}), abandoned ({@link Returned}) or
 * its lock lost. An activity is done once it is locked.
 */
public sealed interface WorkOutcome {
    /** Calls the method for this case. */
    void tell(Cases cases);

    /** The cases. */
    interface Cases {
        void locked();

        void done(Done outcome);

        void gone(Gone outcome);

        void returned(Returned outcome);

        void refused(Refused outcome);

        void lost();

        void contended(Contended outcome);

        void unsuitable(Unsuitable outcome);

        void notSeen(NotSeen outcome);

        void unstarted(Unstarted outcome);

        void broken(Broken outcome);
    }

    /** A turn of it was locked: until when, and how that ends, is said apart from this. */
    record Locked() implements WorkOutcome {
        @Override
        public void tell(Cases cases) {
            cases.locked();
        }
    }

    /**
     * The work was done.
     *
     * @param consumed all that is gone from the queue
     * @param mayBeMore whether the turn may have left messages that it saw: there were too many, or too large ones
     * @param shownUntilMillis until when a replica that lags may show what was consumed, so that searches leave it out
     */
    record Done(Set<DocumentKey> consumed, boolean mayBeMore, long shownUntilMillis) implements WorkOutcome {
        public Done {
            consumed = Set.copyOf(consumed);
        }

        /** Of what searches show no more, or that hides nothing. */
        public Done(Set<DocumentKey> consumed, boolean mayBeMore) {
            this(consumed, mayBeMore, 0);
        }

        @Override
        public void tell(Cases cases) {
            cases.done(this);
        }
    }

    /** This version of an activity is there no more: somebody was faster. */
    record Gone(DocumentKey version) implements WorkOutcome {
        @Override
        public void tell(Cases cases) {
            cases.gone(this);
        }
    }

    /**
     * It could not be tried, or was given back; it keeps its place in the order.
     *
     * @param untilMillis when it may be tried again; 0: at once
     */
    record Returned(long untilMillis) implements WorkOutcome {
        @Override
        public void tell(Cases cases) {
            cases.returned(this);
        }
    }

    /**
     * The try failed with a retryable error. It is tried again at once where that took no time, else after as long as
     * it took, and after longer each further time in a row; and behind all that waited already when it was refused.
     * What another process can have goes back after the second.
     *
     * @param tookMillis how long the try took
     */
    record Refused(long tookMillis) implements WorkOutcome {
        @Override
        public void tell(Cases cases) {
            cases.refused(this);
        }
    }

    /** It was locked, and the lock is lost: what became of it has to be looked for. */
    record Lost() implements WorkOutcome {
        @Override
        public void tell(Cases cases) {
            cases.lost();
        }
    }

    /**
     * Another process holds it.
     *
     * @param untilMillis when that lock expires, or a guess
     */
    record Contended(long untilMillis) implements WorkOutcome {
        @Override
        public void tell(Cases cases) {
            cases.contended(this);
        }
    }

    /**
     * The dispatcher's filter does not take it. Dispatchers whose filters take these needs may.
     *
     * @param etag of the instance's head; empty where it is not stored yet
     * @param untilMillis until when that holds; 0 for as long as usual, and longer each time the head has not moved
     * @param sessionToken how far the replica was that was read; empty where that is not known
     */
    record Unsuitable(WorkNeeds needs, String etag, long untilMillis, String sessionToken) implements WorkOutcome {
        /** Of a replica that may lag. */
        public Unsuitable(WorkNeeds needs, String etag, long untilMillis) {
            this(needs, etag, untilMillis, "");
        }

        /** Until it is worth another look. */
        public Unsuitable(WorkNeeds needs, String etag) {
            this(needs, etag, 0);
        }

        @Override
        public void tell(Cases cases) {
            cases.unsuitable(this);
        }
    }

    /**
     * A read showed nothing to take.
     *
     * @param sessionToken how far the replica was; empty where that is not known
     */
    record NotSeen(String sessionToken) implements WorkOutcome {
        /** By a replica that may lag. */
        public NotSeen() {
            this("");
        }

        @Override
        public void tell(Cases cases) {
            cases.notSeen(this);
        }
    }

    /**
     * It has messages, and no start.
     *
     * @param untilMillis until when it is not worth another look, unless its start comes
     */
    record Unstarted(long untilMillis) implements WorkOutcome {
        @Override
        public void tell(Cases cases) {
            cases.unstarted(this);
        }
    }

    /**
     * It can't be read or locked, and must not hide those behind it.
     *
     * @param untilMillis when it is tried again
     */
    record Broken(long untilMillis) implements WorkOutcome {
        @Override
        public void tell(Cases cases) {
            cases.broken(this);
        }
    }
}
