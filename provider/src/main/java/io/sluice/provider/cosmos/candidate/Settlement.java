package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.WorkFeed;
import org.jspecify.annotations.Nullable;

/** Answers an announcement once everything that it announced is handled. Guarded by its owner's lock. */
final class Settlement {
    private final WorkFeed.@Nullable Receipt receipt;
    private int open;
    private boolean isAnswered;

    private Settlement(WorkFeed.@Nullable Receipt receipt, int open) {
        this.receipt = receipt;
        this.open = open;
    }

    /** Of an announcement of so many things. */
    static Settlement of(WorkFeed.Receipt receipt, int things) {
        return new Settlement(receipt, things);
    }

    /** Of work that this process made known to itself. */
    static Settlement ofOwn() {
        return new Settlement(null, 1);
    }

    /** One of the things is handled. */
    void handleOne() {
        open--;
        if (open == 0 && receipt != null && !isAnswered) {
            isAnswered = true;
            receipt.handled();
        }
    }

    /** Another process may try it, all of it. */
    void giveBack() {
        if (receipt != null && !isAnswered) {
            isAnswered = true;
            receipt.returned();
        }
    }

    /** Whether it was this process that made the work known. */
    boolean isOwn() {
        return receipt == null;
    }

    /** Whether this process is still the one to handle it. */
    boolean isCurrent() {
        return receipt == null || receipt.isCurrent();
    }
}
