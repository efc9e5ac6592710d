package io.sluice.benchmarks.relay;

/** How long what a killed relay held stays without a living owner. */
final class Takeover {
    private Takeover() {}

    /** Two relays share everything, one is killed: seconds until the other publishes every range and holds every lease. */
    static double seconds(Bed bed) {
        bed.share(2);
        var killed = bed.relays().remove(0);
        var name = killed.name().orElseThrow();
        long killedNanos = System.nanoTime();
        killed.kill();
        Bed.await(() -> {
            var owners = bed.store().leaseOwners();
            return owners.size() == Bed.PHYSICAL_PARTITIONS
                    && !owners.containsValue(name)
                    && bed.isInState("PUBLISHING");
        });
        return (System.nanoTime() - killedNanos) / 1e9;
    }
}
