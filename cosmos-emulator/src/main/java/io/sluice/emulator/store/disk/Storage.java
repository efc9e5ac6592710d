package io.sluice.emulator.store.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.DataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The MVStore that holds all maps, in memory or in one file of a folder.
 *
 * <p>The file is written asynchronously: every {@value #COMMIT_INTERVAL_MILLIS} ms, at close, and when a database,
 * container, partition or offer changes, but only between transactions. Until then a transaction is in the
 * {@link Journal}, which has it before its response is sent.
 */
public final class Storage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);
    private static final long COMMIT_INTERVAL_MILLIS = 500;
    private static final int STOP_SECONDS = 10;
    private static final int CACHE_MEGABYTES = 128;
    private static final String FILE = "cosmos.mv.db";

    private final MVStore store;
    private final ReadWriteLock gate = new ReentrantReadWriteLock(true);
    private final @Nullable ScheduledExecutorService committer;
    private final @Nullable Journal journal;
    private final boolean forced;
    private final CopyOnWriteArrayList<Consumer<JournalEntry>> followers = new CopyOnWriteArrayList<>();

    private Storage(
            MVStore store, @Nullable ScheduledExecutorService committer, @Nullable Journal journal, boolean forced) {
        this.store = store;
        this.forced = forced;
        this.committer = committer;
        this.journal = journal;
    }

    /** Keeps everything in memory. */
    public static Storage inMemory() {
        return new Storage(new MVStore.Builder().autoCommitDisabled().open(), null, null, false);
    }

    /**
     * Opens or creates the file in a folder.
     *
     * @param disk forces writes; null leaves that to the operating system
     * @throws IllegalStateException when another process has it open, or it is damaged
     */
    public static Storage inFolder(Path folder, @Nullable Disk disk) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's folder can't be made: " + folder, e);
        }
        var file = folder.resolve(FILE);
        try {
            var store = new MVStore.Builder()
                    .fileName(file.toString())
                    .autoCommitDisabled()
                    // Else it writes by itself when much has changed, in the middle of a transaction.
                    .autoCommitBufferSize(0)
                    .cacheSize(CACHE_MEGABYTES)
                    .open();
            var committer = Executors.newSingleThreadScheduledExecutor(Storage::committerThread);
            return new Storage(store, committer, Journal.open(folder, disk), disk != null);
        } catch (MVStoreException e) {
            throw new IllegalStateException(
                    "The emulator's store can't be opened; is another one using it? " + file, e);
        }
    }

    /** Changes maps together: no commit writes half of it, so that the file has all of the change or nothing. */
    public void transact(Runnable change) {
        gate.readLock().lock();
        try {
            change.run();
        } finally {
            gate.readLock().unlock();
        }
    }

    /** Opens a map of texts. */
    public MVMap<String, String> texts(String name) {
        return map(name, StringDataType.INSTANCE, StringDataType.INSTANCE);
    }

    /** Opens a map of counters. */
    public MVMap<Long, Long> counters(String name) {
        return map(name, LongDataType.INSTANCE, LongDataType.INSTANCE);
    }

    /** Opens a map. */
    public <K, V> MVMap<K, V> map(String name, DataType<K> keys, DataType<V> values) {
        return store.openMap(name, new MVMap.Builder<K, V>().keyType(keys).valueType(values));
    }

    /** Removes all maps whose names have a prefix, open or not. */
    public void dropAll(String prefix) {
        store.getMapNames().stream().filter(name -> name.startsWith(prefix)).forEach(store::removeMap);
    }

    /** Removes a map. */
    public void drop(MVMap<?, ?> map) {
        store.removeMap(map);
    }

    /**
     * Appends a transaction to the journal before it changes maps. The caller {@linkplain #transact transacts}.
     *
     * @return its position, for {@link #awaitForced} before any response shows it
     * @throws UncheckedIOException when it can't be written
     */
    public long journal(Supplier<JournalEntry> entry) {
        if (journal == null && followers.isEmpty()) {
            return 0;
        }
        var made = entry.get();
        long position = journal == null ? 0 : journal.append(made);
        followers.forEach(follower -> follower.accept(made));
        return position;
    }

    /** Passes every transaction from now on to a reader, which must be quick: its partition waits meanwhile. */
    public void follow(Consumer<JournalEntry> follower) {
        followers.addIfAbsent(follower);
    }

    /** Ends {@link #follow}. */
    public void unfollow(Consumer<JournalEntry> follower) {
        followers.remove(follower);
    }

    /** Whether anything follows the transactions. */
    public boolean isFollowed() {
        return !followers.isEmpty();
    }

    /**
     * Returns when the transactions up to a position are as durable as the configuration demands. The caller holds no
     * lock.
     *
     * @throws UncheckedIOException when the disk fails
     */
    public void awaitForced(long position) {
        if (journal != null) {
            journal.awaitForced(position);
        }
    }

    /** Replays the transactions that an earlier process left in the journal, and commits them to the store. */
    public void recover(Consumer<JournalEntry> reader) {
        if (journal != null && committer != null) {
            journal.replay(reader);
            commit();
            startCommitting(committer);
        }
    }

    private void startCommitting(ScheduledExecutorService committer) {
        var unused = committer.scheduleWithFixedDelay(
                this::commitQuietly, COMMIT_INTERVAL_MILLIS, COMMIT_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void commitQuietly() {
        try {
            commit();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("the emulator could not write its store, and will try again");
        }
    }

    /** Writes all changes to the file. Does nothing in memory. The caller does not {@linkplain #transact transact}. */
    public void commit() {
        if (journal == null || !store.hasUnsavedChanges()) {
            return;
        }
        gate.writeLock().lock();
        try {
            writeFile();
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * Changes maps in a way that the journal does not tell, while there is no transaction, and writes the file before
     * there is another. The caller does not {@linkplain #transact transact}.
     */
    public void exclusively(Runnable change) {
        gate.writeLock().lock();
        try {
            // Before too: the journal's entries would be replayed into what a crash leaves of the change.
            writeFile();
            change.run();
            writeFile();
        } finally {
            gate.writeLock().unlock();
        }
    }

    private void writeFile() {
        if (journal != null) {
            journal.rotate();
            store.commit();
            if (forced) {
                store.sync();
            }
            journal.deleteEarlierFiles();
        }
    }

    private static Thread committerThread(Runnable work) {
        var thread = new Thread(work, "cosmos-emulator-commit");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        try {
            if (committer != null) {
                stop(committer);
                commit();
            }
        } finally {
            store.close();
            if (journal != null) {
                journal.close();
            }
        }
    }

    /** Stops without an interrupt: an interrupt during a write would close the store's file. */
    private static void stop(ScheduledExecutorService committer) {
        committer.shutdown();
        try {
            if (!committer.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("closing the emulator's store although its last write has not ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
