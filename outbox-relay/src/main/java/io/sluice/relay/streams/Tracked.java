package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an instance between two of its events.
 *
 * @param executionStartedMillis null when the execution's beginning was not seen
 * @param lastEvent type of the latest history event
 * @param heardMillis when that event was read here, by this machine's clock
 * @param isReportedStuck whether a record on the stuck topic has to be taken back
 * @param pending what the execution waits for, by the event that scheduled it; of many the first, see {@link Tracking#MOST_PENDING}
 */
record Tracked(
        InstanceStatus status,
        @Nullable Long executionStartedMillis,
        String lastEvent,
        long heardMillis,
        boolean isReportedStuck,
        Map<Long, Pending> pending) {

    Tracked {
        pending = Map.copyOf(pending);
    }

    Tracked heardAt(long millis) {
        return new Tracked(status, executionStartedMillis, lastEvent, millis, false, pending);
    }

    Tracked reportedStuck() {
        return new Tracked(status, executionStartedMillis, lastEvent, heardMillis, true, pending);
    }
}
