package io.sluice.emulator.store;

import io.sluice.emulator.document.StatusException;
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

/**
 * Copies of containers: what the regions have that are behind, and what a container held earlier. A container can be
 * made to hold what a copy has. All other regions see every write at once. Thread-safe.
 */
public final class Replicas {
    private final Object changes;
    private final Storage storage;
    private final InstantSource clock;
    private final Supplier<Collection<Database>> databases;
    private final Map<String, Replica> behind = new ConcurrentHashMap<>();
    private final List<Replica> receivers = new CopyOnWriteArrayList<>();
    private final Consumer<JournalEntry> distribution = this::distribute;

    /** @param changes the monitor of all changes of databases, containers and their partitions */
    Replicas(Object changes, Storage storage, InstantSource clock, Supplier<Collection<Database>> databases) {
        this.changes = changes;
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
    public void delay(String region, @Nullable Duration delay) {
        synchronized (changes) {
            catchUp(region);
            var replica = new Replica(delay, clock);
            // It receives before it is copied, so that no transaction falls between, and is read when it is complete.
            receivers.add(replica);
            storage.follow(distribution);
            databases.get().forEach(database -> database.containers().forEach(replica::add));
            behind.put(region, replica);
        }
    }

    /** Lets a region see every write at once again. */
    public void catchUp(String region) {
        synchronized (changes) {
            var replica = behind.remove(region);
            if (replica != null) {
                receivers.remove(replica);
            }
            if (receivers.isEmpty()) {
                storage.unfollow(distribution);
            }
        }
    }

    /** Makes all containers hold what a region has. No region is behind afterwards. */
    public void loseWritesMissingIn(String region) {
        synchronized (changes) {
            var replica = find(region);
            if (replica != null) {
                databases
                        .get()
                        .forEach(database ->
                                database.containers().forEach(container -> container.restore(replica.of(container))));
            }
            catchUp();
        }
    }

    /** Copies of a container's partitions, all of one moment. No one writes to them. */
    public List<Partition> copy(Container container) {
        synchronized (changes) {
            return container.copyTo(Storage.inMemory());
        }
    }

    /**
     * Makes a container hold what it held at the time of its copies, with the log sequence numbers of then. No region
     * is behind afterwards.
     *
     * @throws StatusException 404 when it was deleted since
     */
    public void restore(Database database, Container container, List<Partition> copies) {
        synchronized (changes) {
            database.checkPresent(container);
            container.restore(copies);
            catchUp();
        }
    }

    private void catchUp() {
        behind.clear();
        receivers.clear();
        storage.unfollow(distribution);
    }

    private void distribute(JournalEntry entry) {
        receivers.forEach(replica -> replica.receive(entry));
    }
}
