package io.sluice.provider.cosmos.work.index;

/** The state of an entry of the {@link WorkIndex}, whose Javadoc has the table of transitions. */
sealed interface WorkState {
    /** Whether this may be the next state. */
    boolean mayBecome(WorkState next);

    /** It waits for a dispatcher, since this time. */
    record Ready(long sinceMillis) implements WorkState {
        @Override
        public boolean mayBecome(WorkState next) {
            return next instanceof Taken || next instanceof Due || next instanceof Held;
        }
    }

    /** Nothing of it may be taken before this time. */
    record Due(long atMillis) implements WorkState {
        @Override
        public boolean mayBecome(WorkState next) {
            return next instanceof Ready || next instanceof Due || next instanceof Held;
        }
    }

    /** A fetch tries it. */
    record Taken(long fetch) implements WorkState {
        @Override
        public boolean mayBecome(WorkState next) {
            return !(next instanceof Taken);
        }
    }

    /** A turn of it is locked by this process until then, unless the lock is renewed. */
    record Held(long untilMillis) implements WorkState {
        @Override
        public boolean mayBecome(WorkState next) {
            return !(next instanceof Taken);
        }
    }

    /** A try failed, and the next comes at this time. */
    record BackingOff(long untilMillis, Reason why) implements WorkState {
        @Override
        public boolean mayBecome(WorkState next) {
            return next instanceof Ready || next instanceof Due || next instanceof Held;
        }
    }

    /** It has messages and no start, for which it waits; it is looked at again at this time. */
    record AwaitsStart(long untilMillis) implements WorkState {
        @Override
        public boolean mayBecome(WorkState next) {
            return next instanceof Ready || next instanceof Due || next instanceof Held;
        }
    }

    /** Why an entry backs off. */
    enum Reason {
        /** The store, or the replica, refused the try. */
        RETURNED,
        /** Another process holds its lock. */
        CONTENDED,
        /** A read that may lag did not show what was announced. */
        NOT_SEEN,
        /** It can't be read or locked. */
        BROKEN
    }
}
