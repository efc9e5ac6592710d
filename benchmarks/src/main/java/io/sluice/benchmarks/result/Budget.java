package io.sluice.benchmarks.result;

/**
 * What the design allows of a figure, or demands.
 *
 * @param bound which side of the value is well
 * @param value in the figure's unit
 */
public record Budget(Bound bound, double value) {
    /** The side of a budget that is well. */
    public enum Bound {
        /** Costs. */
        AT_MOST,
        /** Throughput. */
        AT_LEAST
    }

    /** A cost that must not be exceeded. */
    public static Budget atMost(double value) {
        return new Budget(Bound.AT_MOST, value);
    }

    /** A throughput that must be reached. */
    public static Budget atLeast(double value) {
        return new Budget(Bound.AT_LEAST, value);
    }

    /** How much of the budget a figure takes: 1 is all of it, more is too much. */
    public double share(double measured) {
        return bound == Bound.AT_MOST ? measured / value : value / measured;
    }
}
