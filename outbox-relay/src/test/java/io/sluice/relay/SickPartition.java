package io.sluice.relay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.PartitionRange;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.partition.StorePartitionsTest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One physical partition of the emulator, which refuses all requests that concern it or answers none, until it is
 * closed. What is asked of the container, such as its ranges, is answered. Thread-safe.
 */
public final class SickPartition implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int UNAVAILABLE = 503;
    private static final int THROTTLED = 429;
    private static final int HOT_PARTITION = 3200;
    private static final Duration LATE = Duration.ofSeconds(5);

    private final CosmosStoreConfig store;
    private final PartitionRange range;
    private final CosmosEmulator emulator;
    private final CountDownLatch recovered = new CountDownLatch(1);
    private volatile @Nullable FaultRule rule;

    /** How it is sick. */
    public enum Sickness {
        /** It answers 503. */
        UNAVAILABLE,
        /** It answers 429, as one whose request units are used up. */
        THROTTLED,
        /** It answers after seconds, as an SDK that waits for one that throttles. */
        LATE,
        /** It does not answer. */
        SILENT
    }

    /**
     * Begins now.
     *
     * @param number of the partition in the order of the key space, from 0
     */
    public SickPartition(CosmosEmulator emulator, CosmosStoreConfig store, int number, Sickness sickness) {
        this(emulator, store, number);
        begin(sickness);
    }

    private SickPartition(CosmosEmulator emulator, CosmosStoreConfig store, int number) {
        this.emulator = emulator;
        this.store = store;
        this.range =
                emulator.partitions().of(store.database(), store.container()).get(number);
    }

    /** One that is well yet. */
    public static SickPartition well(CosmosEmulator emulator, CosmosStoreConfig store, int number) {
        return new SickPartition(emulator, store, number);
    }

    /** Is sick from now on. */
    public void begin(Sickness sickness) {
        rule = switch (sickness) {
            case UNAVAILABLE -> emulator.faults().refuse(this::isMeant, 0, UNAVAILABLE, 0);
            case THROTTLED -> emulator.faults().refuse(this::isMeant, 0, THROTTLED, HOT_PARTITION);
            case LATE -> emulator.faults().delay(this::isMeant, 0, LATE);
            case SILENT -> emulator.faults().runBefore(this::isMeant, 0, request -> await(recovered));
        };
    }

    /** What holds a request back until somebody lets it go. */
    static void await(CountDownLatch released) {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isMeant(LoggedRequest request) {
        if (!store.container().equals(request.container())) {
            return false;
        }
        var key = request.partitionKey();
        return key == null ? range.id().equals(request.keyRange()) : has(instance(key));
    }

    private static String instance(String key) {
        try {
            return JSON.readTree(key).path(0).asText();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not the partition key of a request: " + key, e);
        }
    }

    /** Whether an instance lies in it. */
    public boolean has(String instance) {
        return has(range, instance);
    }

    /** Whether an instance lies in a range. */
    public static boolean has(PartitionRange range, String instance) {
        var place = StorePartitionsTest.place(instance);
        return range.minInclusive().compareTo(place) <= 0 && place.compareTo(range.maxExclusive()) < 0;
    }

    /** The first bounds of its range, as the relay names it. */
    public String name() {
        return StorePartitionsTest.name(range.minInclusive(), range.maxExclusive());
    }

    /** So many instances that lie in it, called {@code <prefix>-<number>}. */
    public Stream<String> instances(String prefix, int count) {
        return numbered(prefix).filter(this::has).limit(count);
    }

    /** So many instances that lie in other partitions, called {@code <prefix>-<number>}. */
    public Stream<String> others(String prefix, int count) {
        return numbered(prefix).filter(instance -> !has(instance)).limit(count);
    }

    private static Stream<String> numbered(String prefix) {
        return IntStream.iterate(0, i -> i + 1).mapToObj(i -> prefix + "-" + i);
    }

    /** How many requests it has refused, or not answered. */
    public int hits() {
        var begun = rule;
        return begun == null ? 0 : begun.hits();
    }

    /** It is well again: it answers, also what it has not answered. */
    @Override
    public void close() {
        var begun = rule;
        if (begun != null) {
            begun.remove();
        }
        recovered.countDown();
    }

    /** Splits all partitions of a container until there are so many; a power of two. */
    public static void split(CosmosEmulator emulator, CosmosStoreConfig store, int count) {
        var partitions = emulator.partitions();
        for (var ranges = partitions.of(store.database(), store.container());
                ranges.size() < count;
                ranges = partitions.of(store.database(), store.container())) {
            ranges.forEach(range -> partitions.split(store.database(), store.container(), range.id()));
        }
    }
}
