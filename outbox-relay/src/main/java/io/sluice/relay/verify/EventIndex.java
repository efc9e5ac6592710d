package io.sluice.relay.verify;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.event.EventId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorts what store and topic have by instance, on disk: whatever their number, memory holds one instance at a time. An
 * entry takes about 80 bytes and the instance id, before compression. Not thread-safe.
 */
final class EventIndex implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventIndex.class);

    private static final byte STORED = 0;
    private static final byte WAITING = 1;
    private static final byte PUBLISHED = 2;
    private static final byte DELETION = 3;
    private static final int EVENT_BYTES = 3 * Long.BYTES;
    private static final int LENGTH_BYTES = Integer.BYTES;
    private static final long WRITE_BUFFER_BYTES = 16L * 1024 * 1024;

    private final Path directory;
    private final Options options;
    private final WriteOptions unlogged;
    private final RocksDB db;
    private final Thread atExit;

    private EventIndex(Path directory, Options options, WriteOptions unlogged, RocksDB db, Thread atExit) {
        this.directory = directory;
        this.options = options;
        this.unlogged = unlogged;
        this.db = db;
        this.atExit = atExit;
    }

    /**
     * An empty index in a new directory, which is removed when it is closed.
     *
     * @param parent where to make it; must exist
     * @throws PrerequisiteException if nothing can be written there
     */
    static EventIndex in(Path parent) {
        try {
            var directory = Files.createTempDirectory(parent, "sluice-verify-");
            // A process that is told to end does not come to close it.
            var atExit = new Thread(() -> remove(directory), "sluice-verify-clean-up");
            Runtime.getRuntime().addShutdownHook(atExit);
            try {
                RocksDB.loadLibrary();
                var options = new Options().setCreateIfMissing(true).setWriteBufferSize(WRITE_BUFFER_BYTES);
                var unlogged = new WriteOptions().setDisableWAL(true);
                return new EventIndex(
                        directory, options, unlogged, RocksDB.open(options, directory.toString()), atExit);
            } catch (RocksDBException e) {
                Runtime.getRuntime().removeShutdownHook(atExit);
                remove(directory);
                throw e;
            }
        } catch (IOException | RocksDBException e) {
            throw new PrerequisiteException("can't write to " + parent + ": " + e, e);
        }
    }

    private static void remove(Path directory) {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't remove " + directory, e);
        }
    }

    void putStored(StoredEntry entry) {
        var value = new byte[Long.BYTES + Digest.BYTES];
        entry.value().write(ByteBuffer.wrap(value).putLong(entry.writtenSecond()));
        put(eventKey(STORED, entry.id()), value);
    }

    void putWaiting(EventId id) {
        put(eventKey(WAITING, id), new byte[0]);
    }

    void putPublished(PublishedEntry entry) {
        var place = new byte[Integer.BYTES + Long.BYTES];
        ByteBuffer.wrap(place).putInt(entry.partition()).putLong(entry.offset());
        var id = entry.event();
        put(key(entry.instance(), PUBLISHED, place), id == null ? deletion(entry) : event(entry, id));
    }

    private static byte[] event(PublishedEntry entry, EventId id) {
        var value = new byte[1 + EVENT_BYTES + Digest.BYTES];
        entry.value().write(ByteBuffer.wrap(value).put(PUBLISHED).put(place(id)));
        return value;
    }

    private static byte[] deletion(PublishedEntry entry) {
        var ceId = entry.ceId().getBytes(StandardCharsets.UTF_8);
        var value = new byte[1 + Digest.BYTES + ceId.length];
        var buffer = ByteBuffer.wrap(value).put(DELETION);
        entry.value().write(buffer);
        buffer.put(ceId);
        return value;
    }

    private static byte[] eventKey(byte side, EventId id) {
        return key(id.instance(), side, place(id));
    }

    /** Keys of one instance stand together, as its length comes before its id. */
    private static byte[] key(String instance, byte side, byte[] place) {
        var id = instance.getBytes(StandardCharsets.UTF_8);
        var key = new byte[LENGTH_BYTES + id.length + 1 + place.length];
        ByteBuffer.wrap(key).putInt(id.length).put(id).put(side).put(place);
        return key;
    }

    private static byte[] place(EventId id) {
        var place = new byte[EVENT_BYTES];
        ByteBuffer.wrap(place).putLong(id.execution()).putLong(id.event()).putLong(id.timestampMillis());
        return place;
    }

    private static EventId readId(String instance, ByteBuffer from) {
        return new EventId(instance, from.getLong(), from.getLong(), from.getLong());
    }

    private void put(byte[] key, byte[] value) {
        try {
            db.put(unlogged, key, value);
        } catch (RocksDBException e) {
            throw new PrerequisiteException("can't write to " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Gives every instance once, with all its entries. */
    void forEach(Consumer<InstanceEntries> consumer) {
        try (RocksIterator entries = db.newIterator()) {
            @Nullable Collected collected = null;
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                var key = ByteBuffer.wrap(entries.key());
                var id = new byte[key.getInt()];
                key.get(id);
                if (collected == null || !Arrays.equals(collected.id, id)) {
                    if (collected != null) {
                        consumer.accept(collected.entries());
                    }
                    collected = new Collected(id);
                }
                collected.add(key, ByteBuffer.wrap(entries.value()));
            }
            entries.status();
            if (collected != null) {
                consumer.accept(collected.entries());
            }
        } catch (RocksDBException e) {
            throw new PrerequisiteException("can't read what was written to " + directory + ": " + e.getMessage(), e);
        }
    }

    /** The entries of one instance, as they come. */
    private static final class Collected {
        private final byte[] id;
        private final String instance;
        private final List<StoredEntry> stored = new ArrayList<>();
        private final Set<EventId> waiting = new HashSet<>();
        private final List<PublishedEntry> published = new ArrayList<>();

        private Collected(byte[] id) {
            this.id = id;
            this.instance = new String(id, StandardCharsets.UTF_8);
        }

        private void add(ByteBuffer key, ByteBuffer value) {
            switch (key.get()) {
                case STORED -> {
                    var event = readId(instance, key);
                    stored.add(new StoredEntry(event, value.getLong(), Digest.read(value)));
                }
                case WAITING -> waiting.add(readId(instance, key));
                default -> published.add(published(key.getInt(), key.getLong(), value));
            }
        }

        private PublishedEntry published(int partition, long offset, ByteBuffer value) {
            if (value.get() == DELETION) {
                var digest = Digest.read(value);
                var ceId = StandardCharsets.UTF_8.decode(value).toString();
                return new PublishedEntry(partition, offset, instance, null, ceId, digest);
            }
            var event = readId(instance, value);
            return new PublishedEntry(partition, offset, instance, event, event.toString(), Digest.read(value));
        }

        private InstanceEntries entries() {
            stored.sort(Comparator.comparing(entry -> InstanceEntries.Place.of(entry.id())));
            return new InstanceEntries(instance, stored, waiting, published);
        }
    }

    @Override
    public void close() {
        db.close();
        unlogged.close();
        options.close();
        remove(directory);
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.atDebug().setCause(e).log("the process ends just now");
        }
    }
}
