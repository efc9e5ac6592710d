package io.sluice.emulator.store.key;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of the key space.
 *
 * @param min the first effective partition key in it
 * @param max the first one after it
 */
public record EpkRange(String min, String max) {
    /** The whole key space; the service writes its ends as an empty text and {@code FF}. */
    public static final EpkRange FULL = new EpkRange("", "FF");

    /** Whether an effective partition key lies in it. */
    public boolean contains(String effectiveKey) {
        return effectiveKey.compareTo(min) >= 0 && effectiveKey.compareTo(max) < 0;
    }

    /** Whether all of another range lies in it. */
    public boolean contains(EpkRange other) {
        return other.min.compareTo(min) >= 0 && other.max.compareTo(max) <= 0;
    }

    /** Whether it overlaps another range. */
    public boolean overlaps(EpkRange other) {
        return min.compareTo(other.max) < 0 && other.min.compareTo(max) < 0;
    }

    /** The intersection with an overlapping range. */
    public EpkRange intersect(EpkRange other) {
        return new EpkRange(
                min.compareTo(other.min) >= 0 ? min : other.min, max.compareTo(other.max) <= 0 ? max : other.max);
    }

    /** Whether it names one effective partition key rather than a range. */
    public boolean isPoint() {
        return min.equals(max);
    }

    /** The key space of a container split into equal parts. */
    public static List<EpkRange> split(PartitionKeyDefinition definition, int parts) {
        var ranges = new ArrayList<EpkRange>(parts);
        var from = FULL.min;
        for (int i = 1; i <= parts; i++) {
            var to = i == parts ? FULL.max : EffectivePartitionKey.boundary(definition, i, parts);
            ranges.add(new EpkRange(from, to));
            from = to;
        }
        return ranges;
    }
}
