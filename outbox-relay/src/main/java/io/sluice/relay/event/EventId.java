package io.sluice.relay.event;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What tells an event from all others of its store. As text it is the {@code ce_id} of its record.
 *
 * @param instance whose history it belongs to
 * @param execution from 1
 * @param event its number within the execution, from 1
 * @param timestampMillis when it was made, by its runtime's clock; tells the lives of an instance id apart
 */
public record EventId(String instance, long execution, long event, long timestampMillis) {
    /** An instance id may contain colons. */
    private static final Pattern FORM = Pattern.compile("(.*):(-?\\d+):(-?\\d+):(-?\\d+)", Pattern.DOTALL);

    /** Reads a {@code ce_id}; empty when it is not the id of an event. */
    public static Optional<EventId> parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new EventId(
                    parts.group(1),
                    Long.parseLong(parts.group(2)),
                    Long.parseLong(parts.group(3)),
                    Long.parseLong(parts.group(4))));
        } catch (NumberFormatException e) {
            return Optional.empty(); // beyond what a number of ours can be
        }
    }

    @Override
    public String toString() {
        return instance + ":" + execution + ":" + event + ":" + timestampMillis;
    }
}
