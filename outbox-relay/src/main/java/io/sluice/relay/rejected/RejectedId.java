package io.sluice.relay.rejected;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * The position of a rejected command in the dead letter topic, in text form: {@code <partition>-<offset>}.
 *
 * @param partition of the dead letter topic
 * @param offset in this partition
 */
public record RejectedId(int partition, long offset) implements Comparable<RejectedId> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})-([0-9]{1,18})");
    private static final Comparator<RejectedId> BY_PLACE =
            Comparator.comparingInt(RejectedId::partition).thenComparingLong(RejectedId::offset);

    /**
     * Parses an id.
     *
     * @throws IllegalArgumentException naming the expected form
     */
    public static RejectedId parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "a rejected command is named by partition and offset of its dead letter, such as 3-17, was \""
                            + text + "\"");
        }
        return new RejectedId(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2)));
    }

    @Override
    public int compareTo(RejectedId other) {
        return BY_PLACE.compare(this, other);
    }

    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
