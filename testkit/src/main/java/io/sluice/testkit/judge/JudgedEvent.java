package io.sluice.testkit.judge;

import java.util.Comparator;

/**
 * An event of a history, as far as a judge must know it.
 *
 * @param number its place in its execution, from 1
 * @param json its whole content
 */
public record JudgedEvent(String instance, long execution, long number, long timestampMillis, String json) {
    static final Comparator<JudgedEvent> PLACE =
            Comparator.comparingLong(JudgedEvent::execution).thenComparingLong(JudgedEvent::number);

    /** The {@code ce_id} under which it is published. */
    public String id() {
        return instance + ":" + execution + ":" + number + ":" + timestampMillis;
    }
}
