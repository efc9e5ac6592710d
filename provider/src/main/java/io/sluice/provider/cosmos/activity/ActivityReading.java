package io.sluice.provider.cosmos.activity;

import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a read of a candidate showed. */
sealed interface ActivityReading {
    /** It may be locked, be it in the version that was found or in another one. */
    record Free(Stored<QueueDocument> item) implements ActivityReading {
        @Override
        public <T> T match(Function<Stored<QueueDocument>, T> free, Function<WorkOutcome, T> notFree) {
            return free.apply(item);
        }
    }

    /** It may not. */
    record NotFree(WorkOutcome outcome) implements ActivityReading {
        @Override
        public <T> T match(Function<Stored<QueueDocument>, T> free, Function<WorkOutcome, T> notFree) {
            return notFree.apply(outcome);
        }
    }

    /** Calls the function for this case. */
    <T> T match(Function<Stored<QueueDocument>, T> free, Function<WorkOutcome, T> notFree);

    /**
     * What it showed. A later version that somebody holds is left to the announcements of what becomes of it.
     *
     * @param found what was looked for, whose version may not be known
     * @param now as it was read; null where it is not there
     * @param sessionToken how far the replica was
     */
    static ActivityReading of(
            Stored<QueueDocument> found, @Nullable Stored<QueueDocument> now, String sessionToken, long nowMillis) {
        if (now == null) {
            return new NotFree(new WorkOutcome.NotSeen(sessionToken));
        }
        QueueDocument document = now.document();
        if (found.etag().equals(now.etag()) || (document.visibleAt() <= nowMillis && !document.isLocked(nowMillis))) {
            return new Free(now);
        }
        boolean isLeft = document.isLocked(nowMillis) && isSurelyLater(document, found.document());
        return new NotFree(
                isLeft
                        ? new WorkOutcome.Gone(
                                DocumentKey.ofActivity(found.document().id(), found.etag()))
                        : new WorkOutcome.NotSeen(sessionToken));
    }

    /**
     * Whether a version that is locked came after another one, in whatever order they were read. Each lock counts an
     * attempt, and giving it back takes off one at most: before a version that is not locked, a lock may have had one
     * attempt more than it has.
     */
    private static boolean isSurelyLater(QueueDocument locked, QueueDocument found) {
        int mostBefore = found.attemptCount() + (found.lockedUntil() == null ? 1 : 0);
        return locked.enqueuedAt() == found.enqueuedAt() && locked.attemptCount() > mostBefore;
    }
}
