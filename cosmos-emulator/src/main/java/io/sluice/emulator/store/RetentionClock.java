package io.sluice.emulator.store;

import java.time.InstantSource;

/**
 * Knows the time, and which versions of items are too old for the change feed of all versions.
 *
 * @param clock of the account
 * @param versions how long all versions are kept
 */
record RetentionClock(InstantSource clock, VersionRetention versions) {
    /** Now, in seconds since 1970. */
    long nowSeconds() {
        return clock.instant().getEpochSecond();
    }

    /** Whether a container's change feed has all versions and deletes. */
    boolean keepsVersions(ContainerProperties properties) {
        return versions.isKept(properties);
    }

    /** The time of the oldest change that a container keeps, in seconds since 1970. */
    long oldestVersionSeconds(ContainerProperties properties) {
        return nowSeconds() - versions.retention(properties).toSeconds();
    }
}
