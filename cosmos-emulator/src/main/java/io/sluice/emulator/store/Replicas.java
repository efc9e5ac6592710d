package io.sluice.emulator.store;

import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.disk.Storage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The regions that are behind. All others see every write at once. Thread-safe. */
public final class Replicas {
    private final Storage storage;
    private final InstantSource clock;
    private final Supplier<Collection<Database>> databases;
    private final Map<String, Replica> behind = new ConcurrentHashMap<>();
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
     * Lets the writes from now on arrive in a region after a delay. Those that are under way to it arrive at once.
     *
     * @param delay null for never
     */
    public synchronized void delay(String region, @Nullable Duration delay) {
        var replica = new Replica(delay, clock);
        catchUp(region);
        if (behind.isEmpty()) {
            storage.follow(distribution);
        }
        behind.put(region, replica);
        databases.get().forEach(database -> database.containers().forEach(replica::add));
    }

    /** Lets a region see every write at once again. */
    public synchronized void catchUp(String region) {
        behind.remove(region);
        if (behind.isEmpty()) {
            storage.unfollow(distribution);
        }
    }

    private void distribute(JournalEntry entry) {
        behind.values().forEach(replica -> replica.receive(entry));
    }

    synchronized void catchUp() {
        behind.clear();
        storage.unfollow(distribution);
    }
}
