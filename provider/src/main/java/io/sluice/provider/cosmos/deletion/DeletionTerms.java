package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.document.InstanceDocument;
import java.util.function.Predicate;

/** Which instances an attempt to delete may take: asked of every version of a member, until that version is locked. */
public interface DeletionTerms {
    /** What becomes of a member that has no head. */
    enum Headless {
        /** It is deleted with what waits for it. */
        TAKEN,
        /** It is no member; what waits for it stays. */
        PASSED_OVER,
        /** Nothing is deleted. */
        REFUSED
    }

    /** Whether the member may be deleted though it runs, or waits for its first turn. */
    boolean isForced(String member);

    /** Whether this version is one of those to delete. */
    boolean isFit(InstanceDocument head);

    /** What becomes of the member when it has no head. */
    Headless withoutHead(String member);

    /** Whether a deletion that holds a member is given up when nobody can read its document. */
    default boolean isUnreadableGivenUp() {
        return false;
    }

    /** Whatever the list names; by force, or unless something runs. */
    static DeletionTerms byForce(boolean force) {
        return new Listed(force, force, Headless.TAKEN, head -> true);
    }

    /** Instances that satisfy a condition, running or not. */
    static DeletionTerms onCondition(Predicate<InstanceDocument> condition) {
        return new Listed(true, false, Headless.PASSED_OVER, condition);
    }

    /** The same terms for all members. */
    record Listed(boolean force, boolean isUnreadableGivenUp, Headless headless, Predicate<InstanceDocument> condition)
            implements DeletionTerms {
        @Override
        public boolean isForced(String member) {
            return force;
        }

        @Override
        public boolean isFit(InstanceDocument head) {
            return condition.test(head);
        }

        @Override
        public Headless withoutHead(String member) {
            return headless;
        }
    }
}
