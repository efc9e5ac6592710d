package io.sluice.provider.cosmos.turn.work;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The clocks of a queue's dispatchers.
 *
 * @param clock that locks and visibility go by
 * @param service the service's own time
 * @param nanoTime the monotonic clock
 */
public record Clocks(InstantSource clock, InstantSource service, LongSupplier nanoTime) {
    Horizon.Moment now() {
        return new Horizon.Moment(clock.millis(), service.millis() / 1_000, nanoTime.getAsLong());
    }
}
