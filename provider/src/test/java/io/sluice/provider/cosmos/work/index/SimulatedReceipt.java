package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.WorkFeed;
import org.jspecify.annotations.Nullable;

/** The receipt of one record: it is answered once, and may come to belong to somebody else. */
final class SimulatedReceipt implements WorkFeed.Receipt {
    final SimulatedTopic.Entry record;
    boolean isHelp;
    /** Null before it was given to anybody. */
    SimulatedProcess.@Nullable Names toldTo;

    private final Runnable onHandled;
    private final Runnable onReturned;
    private boolean isAnswered;
    private boolean isWithdrawn;

    SimulatedReceipt(SimulatedTopic.Entry record, Runnable onHandled, Runnable onReturned) {
        this.record = record;
        this.onHandled = onHandled;
        this.onReturned = onReturned;
    }

    @Override
    public void handled() {
        answer();
        if (!isWithdrawn) {
            onHandled.run();
        }
    }

    @Override
    public void returned() {
        answer();
        if (!isWithdrawn) {
            onReturned.run();
        }
    }

    private void answer() {
        if (isAnswered) {
            throw new AssertionError("an announcement was answered twice: " + record.work());
        }
        isAnswered = true;
    }

    @Override
    public boolean isCurrent() {
        return !isWithdrawn && !isAnswered;
    }

    void withdraw() {
        isWithdrawn = true;
    }
}
