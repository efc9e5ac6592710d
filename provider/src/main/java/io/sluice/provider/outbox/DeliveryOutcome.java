package io.sluice.provider.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How the delivery of an intent ended. */
public sealed interface DeliveryOutcome {
    /** The target has, or had, the document. {@code now}: this very try created it. */
    record Delivered(boolean now) implements DeliveryOutcome {}

    /** The intent had been failed permanently: its receipt forbids the delivery. */
    record Refused(String reason) implements DeliveryOutcome {}

    /** Try again later; a try whose answer was lost may have gone through, which the next one finds out. */
    record Transient(String error, @Nullable Duration retryAfter) implements DeliveryOutcome {}

    /** The store will refuse it for ever. */
    record Poison(String error) implements DeliveryOutcome {}
}
