package io.sluice.emulator.store;

import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.disk.Storage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The regions that are behind. All others see every write at once. Thread-safe. */
public final class Replicas {
    private final Storage storage;
    private final InstantSource clock;
    private final Supplier<Collection<Database>> databases;
    private final Map<String, Replica> behind = new ConcurrentHashMap<>();
    private final List<Replica> receivers = new CopyOnWriteArrayList<>();
    private final Consumer<JournalEntry> distribution = this::distribute;

    Replicas(Storage storage, InstantSource clock, Supplier<Collection<Database>> databases) {
        this.storage = storage;
        this.clock = clock;
        this.databases = databases;
    }

    /** What a region has, null when it is not behind. */
    public @Nullable Replica find(String region) {
        return behind.isEmpty() ? null : behind.get(region);
    }

    /**
     * Lets the writes from now on arrive in a region after a delay. Those that are under way to it arrive at once. The
     * caller keeps containers and partitions from changing meanwhile.
     *
     * @param delay null for never
     */
    synchronized void delay(String region, @Nullable Duration delay) {
        catchUp(region);
        var replica = new Replica(delay, clock);
        // It receives before it is copied, so that no transaction falls between, and is read when it is complete.
        receivers.add(replica);
        storage.follow(distribution);
        databases.get().forEach(database -> database.containers().forEach(replica::add));
        behind.put(region, replica);
    }

    /** Lets a region see every write at once again. */
    public synchronized void catchUp(String region) {
        var replica = behind.remove(region);
        if (replica != null) {
            receivers.remove(replica);
        }
        if (receivers.isEmpty()) {
            storage.unfollow(distribution);
        }
    }

    synchronized void catchUp() {
        behind.clear();
        receivers.clear();
        storage.unfollow(distribution);
    }

    private void distribute(JournalEntry entry) {
        receivers.forEach(replica -> replica.receive(entry));
    }
}
