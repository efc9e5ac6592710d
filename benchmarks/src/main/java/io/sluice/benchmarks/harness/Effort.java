package io.sluice.benchmarks.harness;

/** How much a benchmark takes upon itself. */
public enum Effort {
    /** What the page shows. */
    WHOLE(5),
    /** As little as shows that the benchmark still works. */
    SMALLEST(1);

    private final int runs;

    Effort(int runs) {
        this.runs = runs;
    }

    /** How often to measure each figure. */
    public int runs() {
        return runs;
    }

    /** One of two sizes. */
    public <T> T pick(T whole, T smallest) {
        return this == WHOLE ? whole : smallest;
    }
}
