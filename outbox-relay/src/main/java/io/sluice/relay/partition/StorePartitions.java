package io.sluice.relay.partition;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.loop.Loop;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.commons.codec.digest.MurmurHash3;

/**
 * Knows in which physical partition of the store an instance lies, without a request. After a split or a merge it names
 * the former partition until the ranges are read again, every half minute. Thread-safe.
 *
 * <p>The place of a partition key is its Murmur3 hash of 128 bits (hash version 2), as the SDK computes it to route a
 * request: see its {@code PartitionKeyInternalHelper}.
 */
public final class StorePartitions implements AutoCloseable {
    private static final Duration READ_EVERY = Duration.ofSeconds(30);
    private static final Duration READ_AT_MOST_EVERY = Duration.ofSeconds(2);
    /** What the hashed form of a text begins and ends with. */
    private static final int TEXT = 8;

    private static final int END = 0xFF;
    /** The two top bits are cleared. */
    private static final long HASH_BITS = ~(3L << 62);

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final Supplier<List<KeyRange>> physical;
    private final Loop reading;
    private volatile long readNanos = System.nanoTime() - READ_AT_MOST_EVERY.toNanos();
    private final AtomicInteger changes = new AtomicInteger();
    private volatile NavigableMap<String, KeyRange> byMin = byMin(KeyRange.cut(1));

    /**
     * Knows one partition until the ranges are read.
     *
     * @param physical reads the ranges of the physical partitions
     */
    public StorePartitions(Supplier<List<KeyRange>> physical, Duration drainTimeout) {
        this.physical = physical;
        this.reading = new Loop("sluice-partitions", this::read, drainTimeout);
    }

    /** Reads the ranges, now and then. */
    public void start() {
        reading.start();
    }

    private Duration read() {
        var rest = READ_AT_MOST_EVERY.minusNanos(System.nanoTime() - readNanos);
        if (!rest.isNegative() && !rest.isZero()) {
            return rest;
        }
        readNanos = System.nanoTime();
        var ranges = physical.get();
        var read = byMin(ranges);
        if (!ranges.isEmpty() && !read.equals(byMin)) {
            byMin = read;
            changes.incrementAndGet();
        }
        return READ_EVERY;
    }

    /** Reads the ranges soon, but not within two seconds of the last time: some of them may have been split. */
    public void readAgain() {
        reading.wakeUp();
    }

    private static NavigableMap<String, KeyRange> byMin(Collection<KeyRange> ranges) {
        var sorted = new TreeMap<String, KeyRange>();
        ranges.forEach(range -> sorted.put(range.min(), range));
        return sorted;
    }

    /** How often the partitions have changed. */
    public int changes() {
        return changes.get();
    }

    /** How many partitions there are. */
    public int count() {
        return byMin.size();
    }

    /** Whether a range is a partition now, as far as known. */
    public boolean has(KeyRange range) {
        return range.equals(byMin.get(range.min()));
    }

    /** The partition that holds an instance. */
    public KeyRange of(String instance) {
        var known = byMin;
        var below = known.floorEntry(place(instance));
        return Objects.requireNonNullElseGet(below, known::firstEntry).getValue();
    }

    /** The effective partition key of an instance. */
    static String place(String instance) {
        var hashed = new ByteArrayOutputStream();
        hashed.write(TEXT);
        hashed.writeBytes(instance.getBytes(StandardCharsets.UTF_8));
        hashed.write(END);
        var hash = MurmurHash3.hash128x64(hashed.toByteArray());
        return HEX.formatHex(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(hash[1] & HASH_BITS)
                .putLong(hash[0])
                .array());
    }

    @Override
    public void close() {
        reading.close();
    }
}
