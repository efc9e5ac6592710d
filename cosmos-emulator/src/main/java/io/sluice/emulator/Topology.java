package io.sluice.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The regions of an account: their names and endpoints, and which of them take writes. All are one emulator, so each
 * sees every write at once, unless {@link Replication} delays it. Thread-safe.
 */
public final class Topology {
    private final List<String> names;
    private final Map<String, String> endpoints = new ConcurrentHashMap<>();
    private final boolean multipleWriteRegions;
    private volatile String writeRegion;
    private volatile boolean partitionsFailOver;
    private volatile Consumer<String> beforeWrites = region -> {};

    /**
     * Regions without endpoints yet; the emulator creates its own topology.
     *
     * @param names in the order of preference; the first takes writes
     * @param multipleWriteRegions whether all take writes
     */
    public Topology(List<String> names, boolean multipleWriteRegions) {
        this.names = List.copyOf(names);
        this.multipleWriteRegions = multipleWriteRegions;
        this.writeRegion = this.names.get(0);
    }

    /** Sets the URL at which a region listens, with a slash at its end. */
    public void setEndpoint(String region, String endpoint) {
        endpoints.put(region, endpoint);
    }

    /** The names of all regions, those that take writes first. */
    public List<String> regions() {
        var first = writeRegion;
        var all = new ArrayList<String>();
        all.add(first);
        names.stream().filter(name -> !name.equals(first)).forEach(all::add);
        return all;
    }

    /** The names of the regions that take writes. */
    public List<String> writeRegions() {
        return multipleWriteRegions ? regions() : List.of(writeRegion);
    }

    /** Whether a region takes writes; with per-partition automatic failover all do. */
    public boolean takesWrites(String region) {
        return partitionsFailOver || writeRegions().contains(region);
    }

    /** Whether per-partition automatic failover is on. */
    public boolean hasPartitionFailover() {
        return partitionsFailOver;
    }

    /**
     * Turns on per-partition automatic failover. Clients learn it when they read the account: they then send a write
     * that got no response from the write region to the next region.
     */
    public void letPartitionsFailOver() {
        names.forEach(beforeWrites);
        partitionsFailOver = true;
    }

    /** Whether every region takes writes. */
    public boolean hasMultipleWriteRegions() {
        return multipleWriteRegions;
    }

    /**
     * The URL of a region, with a slash at its end.
     *
     * @throws IllegalArgumentException when there is no such region
     */
    public String endpoint(String region) {
        var endpoint = endpoints.get(region);
        if (endpoint == null) {
            throw new IllegalArgumentException("There is no region '" + region + "', only " + names);
        }
        return endpoint;
    }

    /**
     * Makes another region the write region, when all writes have arrived there. Clients learn it from a refused write,
     * or when they next read the account.
     *
     * @throws IllegalArgumentException when there is no such region
     */
    public void failOver(String region) {
        checkRegion(region);
        beforeWrites.accept(region);
        writeRegion = region;
    }

    /** Sets what must be done before a region takes writes. */
    void beforeWrites(Consumer<String> work) {
        beforeWrites = work;
    }

    /** @throws IllegalArgumentException when there is no such region */
    void checkRegion(String region) {
        if (!names.contains(region)) {
            throw new IllegalArgumentException("There is no region '" + region + "', only " + names);
        }
    }
}
