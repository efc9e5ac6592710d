package io.sluice.emulator.store;

import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.disk.Storage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The items of the account as a region has them that is behind: every transaction arrives after a delay, or none does.
 * Each partition is at a point between two of its transactions; partitions are independent of each other, as on the
 * service. Thread-safe.
 */
public final class Replica {
    private final Storage storage = Storage.inMemory();
    private final InstantSource clock;
    private final @Nullable Duration delay;
    private final Map<String, Partition> copies = new HashMap<>();
    private final Map<String, Queue<Transaction>> underWay = new HashMap<>();

    /** A transaction, and when it was made. */
    private record Transaction(Instant at, JournalEntry entry) {}

    /** @param delay after which transactions arrive, null for never */
    Replica(@Nullable Duration delay, InstantSource clock) {
        this.delay = delay;
        this.clock = clock;
    }

    /** Copies a container's partitions. Transactions that were {@link #receive received} before are in the copies. */
    void add(Container container) {
        // Not under the monitor: a writer holds its partition's lock when it comes to receive.
        var made = container.copyTo(storage);
        synchronized (this) {
            made.forEach(copy -> copies.put(copy.mapPrefix(), copy));
        }
    }

    /** Takes a transaction that is on its way. What never arrives need not be kept. */
    synchronized void receive(JournalEntry entry) {
        if (delay == null) {
            return;
        }
        underWay.computeIfAbsent(entry.partition(), prefix -> new ArrayDeque<>())
                .add(new Transaction(clock.instant(), entry));
    }

    /** A partition as the region has it. One of a container that was created meanwhile begins empty. */
    public synchronized Partition of(Partition partition) {
        var prefix = partition.mapPrefix();
        var copy = copies.computeIfAbsent(
                prefix, added -> new Partition(partition.container(), partition.placement(), storage));
        var transactions = underWay.get(prefix);
        if (transactions != null) {
            apply(transactions, copy);
        }
        return copy;
    }

    private void apply(Queue<Transaction> transactions, Partition copy) {
        copy.writeLock().lock();
        try {
            for (var next = transactions.peek(); next != null && hasArrived(next); next = transactions.peek()) {
                copy.replay(next.entry());
                transactions.remove();
            }
        } finally {
            copy.writeLock().unlock();
        }
    }

    private boolean hasArrived(Transaction transaction) {
        return delay != null
                && Duration.between(transaction.at(), clock.instant()).compareTo(delay) >= 0;
    }

    /** All partitions of a container as the region has them. */
    List<Partition> of(Container container) {
        return container.partitions().stream().map(this::of).toList();
    }
}
