package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.Arithmetic;
import io.sluice.emulator.query.value.JsonValues;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** The aggregates. A value that is undefined is never counted. */
public enum Aggregate {
    COUNT("Count", () -> new Counter(false)),
    COUNTIF("CountIf", () -> new Counter(true)),
    SUM("Sum", Sum::new),
    AVG("Average", Average::new),
    MIN("Min", () -> new Extreme(-1)),
    MAX("Max", () -> new Extreme(1));

    private final String planName;

    @SuppressWarnings("ImmutableEnumChecker") // A function without state.
    private final Supplier<Accumulator> accumulators;

    Aggregate(String planName, Supplier<Accumulator> accumulators) {
        this.planName = planName;
        this.accumulators = accumulators;
    }

    /** The aggregate of this name in any case. */
    public static Optional<Aggregate> named(String function) {
        String name = function.toUpperCase(Locale.ROOT);
        for (Aggregate aggregate : values()) {
            if (aggregate.name().equals(name)) {
                return Optional.of(aggregate);
            }
        }
        return Optional.empty();
    }

    /** What a query plan calls it. */
    public String planName() {
        return planName;
    }

    /** Where the values of a new group go. */
    public Accumulator accumulator() {
        return accumulators.get();
    }

    /** Takes the values of one group, one by one. */
    public interface Accumulator {
        void add(JsonNode value);

        JsonNode result();
    }

    private static final class Counter implements Accumulator {
        private final boolean onlyTrue;
        private long count;

        Counter(boolean onlyTrue) {
            this.onlyTrue = onlyTrue;
        }

        @Override
        public void add(JsonNode value) {
            boolean counts = onlyTrue ? JsonValues.isTrue(value) : !JsonValues.isUndefined(value);
            count += counts ? 1 : 0;
        }

        @Override
        public JsonNode result() {
            return JsonValues.of(count);
        }
    }

    /** The sum of the numbers, zero of none; one value that is no number makes the whole undefined. */
    private static final class Sum implements Accumulator {
        private JsonNode sum = JsonValues.of(0L);

        @Override
        public void add(JsonNode value) {
            if (!JsonValues.isUndefined(value)) {
                sum = Arithmetic.add(sum, value);
            }
        }

        @Override
        public JsonNode result() {
            return sum;
        }
    }

    private static final class Average implements Accumulator {
        private final Sum sum = new Sum();
        private final Counter count = new Counter(false);

        @Override
        public void add(JsonNode value) {
            sum.add(value);
            count.add(value);
        }

        @Override
        public JsonNode result() {
            return count.count == 0 ? JsonValues.UNDEFINED : Arithmetic.divide(sum.result(), count.result());
        }
    }

    /** The least or greatest in the order null, booleans, numbers, strings; an array or object makes it undefined. */
    private static final class Extreme implements Accumulator {
        private final int direction;
        private JsonNode extreme = JsonValues.UNDEFINED;
        private boolean comparable = true;

        Extreme(int direction) {
            this.direction = direction;
        }

        @Override
        public void add(JsonNode value) {
            if (JsonValues.isUndefined(value)) {
                return;
            }
            comparable &= JsonValues.isPrimitive(value);
            boolean first = JsonValues.isUndefined(extreme);
            if (first || JsonValues.ORDER.compare(value, extreme) * direction > 0) {
                extreme = value;
            }
        }

        @Override
        public JsonNode result() {
            return comparable ? extreme : JsonValues.UNDEFINED;
        }
    }
}
