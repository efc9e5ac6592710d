package io.sluice.relay.feed;

/** Where the change feed of a range ended at some moment. */
public final class FeedEnd {
    private final FeedContinuation end;

    private FeedEnd(FeedContinuation end) {
        this.end = end;
    }

    static FeedEnd of(String continuation) {
        return new FeedEnd(FeedContinuation.parse(continuation));
    }

    /** Whether who has read up to a continuation has read everything that was written until then. */
    public boolean isReachedBy(String continuation) {
        return end.aheadOf(FeedContinuation.parse(continuation)).isEmpty();
    }
}
