package io.sluice.provider.kafka.answer;

import io.sluice.provider.announcement.WorkFeed;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The answer about an activity that a share group gave to this process for a while. Thread-safe. */
public final class ShareReceipt implements WorkFeed.Receipt {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final long endNanos;

    /**
     * An answer that is awaited.
     *
     * @param sinceNanos no later than the group's own count begins
     * @param lock for how long the group gives the record to nobody else
     */
    public ShareReceipt(long sinceNanos, Duration lock) {
        this(sinceNanos + lock.toNanos());
    }

    private ShareReceipt(long endNanos) {
        this.endNanos = endNanos;
    }

    /** Another answer about the same record, in the same time. */
    public ShareReceipt again() {
        return new ShareReceipt(endNanos);
    }

    @Override
    public void handled() {
        answer.complete(Answer.HANDLED);
    }

    @Override
    public void returned() {
        answer.complete(Answer.RETURNED);
    }

    @Override
    public boolean isCurrent() {
        return !answer.isDone() && !isExpired();
    }

    /** The group gives the record to somebody now. */
    public boolean isExpired() {
        return System.nanoTime() - endNanos > 0;
    }

    /** A copy of the record was written, or could not be. */
    public void copied(boolean isWritten) {
        answer.complete(isWritten ? Answer.HANDLED : Answer.MISSED);
    }

    /** The reader that got the record is closed. */
    public void retire() {
        answer.complete(Answer.RETIRED);
    }

    /** Waits; empty while there is no answer. */
    public Optional<Answer> await(long millis) throws InterruptedException {
        try {
            return Optional.of(answer.get(millis, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an answer never fails", e);
        }
    }

    /** What became of the record. */
    public enum Answer {
        /** The work was done, or is gone; or another record of it was written. */
        HANDLED,
        /** This process could not try it. */
        RETURNED,
        /** It comes to nobody any more. */
        MISSED,
        /** The reader that got it is closed. */
        RETIRED
    }
}
