package io.sluice.relay.feed;

import io.sluice.relay.control.MemoryBudget;
import io.sluice.relay.control.ReadPlaces;
import io.sluice.relay.control.RelayMemory;

/**
 * The memory that all ranges share for pages of the change feed. Ranges that are slow, to read or to publish, reserve
 * in a budget of their own, so that they keep nothing from the others; {@link RangePages} decides. Thread-safe.
 */
public final class PageMemory {
    /** The response, its parsed form, the records made from it, and their copies in Kafka's client. */
    public static final int COPIES = 4;

    private static final int SHARES = 4;

    private final MemoryBudget budget;
    private final MemoryBudget slowBudget;
    private final ReadPlaces reads;

    private PageMemory(MemoryBudget budget, MemoryBudget slowBudget, ReadPlaces reads) {
        this.budget = budget;
        this.slowBudget = slowBudget;
        this.reads = reads;
    }

    /** For pages that are published. */
    public static PageMemory published(RelayMemory memory) {
        return new PageMemory(memory.pages(), memory.slowPages(), memory.reads());
    }

    /** For pages that are only looked through, which nothing can hold up. */
    public static PageMemory recent(RelayMemory memory) {
        return new PageMemory(memory.recentPages(), memory.recentPages(), memory.reads());
    }

    /**
     * The pages of one range.
     *
     * @param pageSize the most documents to ask for
     */
    public RangePages range(int pageSize) {
        return new RangePages(this, pageSize, new RangeAnswers(), System::nanoTime);
    }

    MemoryBudget budget(boolean isSlow) {
        return isSlow ? slowBudget : budget;
    }

    ReadPlaces reads() {
        return reads;
    }

    /** What one range reserves at most of a budget, unless a single document, or a batch, needs more. */
    static long share(MemoryBudget budget) {
        return Math.max(1, budget.bytes() / SHARES);
    }
}
