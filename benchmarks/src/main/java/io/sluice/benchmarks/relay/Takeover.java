package io.sluice.benchmarks.relay;

import java.util.Map;

/** How long what a killed relay held stays without a living owner. */
final class Takeover {
    private Takeover() {}

    /**
     * What passed after the kill.
     *
     * @param publishing seconds until the other publishes every range
     * @param leases seconds until the other holds every lease, too
     */
    record Figures(double publishing, double leases) {}

    /** Two relays share everything, one is killed. */
    static Figures afterKill(RelayTestbed bed) {
        bed.share(2);
        var killed = bed.relays().remove(0);
        var name = killed.name().orElseThrow();
        long killedNanos = System.nanoTime();
        killed.kill();
        RelayTestbed.await(() -> bed.isInState("PUBLISHING"));
        double publishing = secondsSince(killedNanos);
        RelayTestbed.await(() -> isWithoutLeases(bed.store().leaseOwners(), name));
        return new Figures(publishing, secondsSince(killedNanos));
    }

    private static boolean isWithoutLeases(Map<String, String> owners, String killed) {
        return owners.size() == RelayTestbed.PHYSICAL_PARTITIONS && !owners.containsValue(killed);
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
