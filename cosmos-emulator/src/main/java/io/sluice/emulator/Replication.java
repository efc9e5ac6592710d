package io.sluice.emulator;

import io.sluice.emulator.store.Account;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far regions are behind the one that takes writes; without these calls each sees every write at once. A region
 * that is behind has whole transactions only. A read there whose session token is ahead of it gets 404 with sub-status
 * 1002; databases, containers and throughput are the same everywhere. No partition splits or merges while a region is
 * behind. Thread-safe.
 */
public final class Replication {
    private final Account account;
    private final Topology topology;

    /** The emulator creates its own replication. */
    public Replication(Account account, Topology topology) {
        this.account = account;
        this.topology = topology;
        topology.beforeWrites(account.replicas()::catchUp);
    }

    /**
     * Lets the writes from now on arrive in a region after a time by the emulator's clock.
     *
     * @param delay of any length; a write whose delay never ends arrives when the region {@linkplain #resume resumes}
     * @throws IllegalArgumentException when there is no such region, or the delay is negative
     * @throws IllegalStateException when the region takes writes
     */
    public void delay(String region, Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay must not be negative, was " + delay);
        }
        fallBehind(region, delay);
    }

    /**
     * Lets no write from now on arrive in a region, until {@link #resume}.
     *
     * @throws IllegalArgumentException when there is no such region
     * @throws IllegalStateException when the region takes writes
     */
    public void stop(String region) {
        fallBehind(region, null);
    }

    /**
     * Lets a region see every write at once again, also those that had not arrived.
     *
     * @throws IllegalArgumentException when there is no such region
     */
    public void resume(String region) {
        topology.checkRegion(region);
        Uninterrupted.run(() -> account.replicas().catchUp(region));
    }

    /**
     * Makes another region the write region while the former one is lost: writes that had not arrived there are gone,
     * from every region, and log sequence numbers go on from the last that had. No region is behind afterwards.
     *
     * @throws IllegalArgumentException when there is no such region
     */
    public void failOverWithLoss(String region) {
        topology.checkRegion(region);
        Uninterrupted.run(() -> account.replicas().loseWritesMissingIn(region));
        topology.failOver(region);
    }

    private void fallBehind(String region, @Nullable Duration delay) {
        topology.checkRegion(region);
        if (topology.takesWrites(region)) {
            throw new IllegalStateException("The region '" + region + "' takes writes, so it can't be behind");
        }
        Uninterrupted.run(() -> account.replicas().delay(region, delay));
    }
}
