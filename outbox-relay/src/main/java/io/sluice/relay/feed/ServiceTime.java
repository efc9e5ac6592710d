package io.sluice.relay.feed;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * The service's time and how far this machine's is from it.
 *
 * @param clock the service's
 * @param offset what has to be added to this machine's clock to get it
 */
public record ServiceTime(InstantSource clock, Supplier<Duration> offset) {
    /** Where this machine's clock is right. */
    public static final ServiceTime OF_THIS_MACHINE = new ServiceTime(InstantSource.system(), () -> Duration.ZERO);

    boolean isOffBy(Duration limit) {
        return offset.get().abs().compareTo(limit) > 0;
    }
}
