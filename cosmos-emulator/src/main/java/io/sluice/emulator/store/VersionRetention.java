package io.sluice.emulator.store;

import java.time.Duration;

/**
 * How long containers keep all versions and deletions for their change feed: as long as their change feed policy says,
 * or as long as the account's continuous backup when it has one.
 *
 * @param continuousBackup whether every container keeps them
 */
public record VersionRetention(boolean continuousBackup) {
    private static final Duration BACKUP = Duration.ofDays(7);

    boolean isKept(ContainerProperties properties) {
        return continuousBackup || minutes(properties) > 0;
    }

    Duration retention(ContainerProperties properties) {
        long minutes = minutes(properties);
        return minutes > 0 ? Duration.ofMinutes(minutes) : BACKUP;
    }

    private static long minutes(ContainerProperties properties) {
        return properties
                .body()
                .path("changeFeedPolicy")
                .path("retentionDuration")
                .asLong(0);
    }
}
