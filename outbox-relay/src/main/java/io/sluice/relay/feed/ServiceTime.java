package io.sluice.relay.feed;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * The service's time and the offset of this machine's clock.
 *
 * @param clock the service's time
 * @param offset the service's time minus this machine's
 */
public record ServiceTime(InstantSource clock, Supplier<Duration> offset) {
    /** The time of this machine, without offset. */
    public static final ServiceTime OF_THIS_MACHINE = new ServiceTime(InstantSource.system(), () -> Duration.ZERO);

    boolean isOffBy(Duration limit) {
        return offset.get().abs().compareTo(limit) > 0;
    }
}
