package io.sluice.emulator.store.disk;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.h2.mvstore.WriteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write-ahead log of the store: files with the transactions that the store has not written yet. A transaction is
 * handed to the operating system before its response, so it survives a killed process. When it is
 * {@link #awaitForced forced} it also survives a crash of the machine; transactions that wait at the same time are
 * forced together.
 *
 * <p>A frame is a length, a CRC-32 and a {@link JournalEntry}. A process that dies while it writes leaves an incomplete
 * frame at the end, of a transaction that got no response. Thread-safe.
 */
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final Pattern NAME = Pattern.compile("cosmos\\.(\\d{1,18})\\.journal");
    private static final int HEADER_BYTES = 8;
    private static final int MAX_ENTRY_BYTES = 1 << 28;

    private final Path folder;
    private final @Nullable Disk disk;
    private final Lock forcing = new ReentrantLock();
    /** Reused for every transaction: a new buffer allocates a megabyte. */
    private final WriteBuffer buffer = new WriteBuffer();

    private long number;
    private FileOutputStream out;
    private long appended;
    private volatile long forced;
    private @Nullable IOException failure;

    private Journal(Path folder, long number, @Nullable Disk disk) throws IOException {
        this.folder = folder;
        this.number = number;
        this.disk = disk;
        this.out = createFile();
    }

    private FileOutputStream createFile() throws IOException {
        var file = new FileOutputStream(file(number).toFile());
        if (disk != null) {
            disk.forceNames(folder);
        }
        return file;
    }

    /**
     * Opens a new file after the existing ones.
     *
     * @param disk to force transactions to, null to leave that to the operating system
     * @throws UncheckedIOException when the folder can't be read or written
     */
    public static Journal open(Path folder, @Nullable Disk disk) {
        try {
            var numbers = numbers(folder);
            return new Journal(folder, numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1, disk);
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's journal can't be opened in " + folder, e);
        }
    }

    /**
     * Appends a transaction, which survives this process when the method returns.
     *
     * @return the position of the transaction, from 1
     * @throws UncheckedIOException when it can't be written; nothing of it will be read then
     */
    public synchronized long append(JournalEntry entry) {
        var framed = frame(entry);
        try {
            out.write(framed.array(), framed.arrayOffset(), framed.limit());
            return ++appended;
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's journal can't be written: " + file(number), e);
        }
    }

    private ByteBuffer frame(JournalEntry entry) {
        buffer.clear().position(HEADER_BYTES);
        entry.write(buffer);
        var framed = buffer.getBuffer().flip();
        var payload = framed.duplicate().position(HEADER_BYTES);
        return framed.putInt(0, payload.remaining()).putInt(Integer.BYTES, checksum(payload));
    }

    /**
     * Returns when all transactions up to a position survive a crash of the machine; at once when there is no disk to
     * force to. The first caller forces everything appended so far. Callers that arrive meanwhile wait, and one of them
     * forces for all of them.
     *
     * @throws UncheckedIOException when the disk fails, and for every call after that; the transactions may still be
     *     there when the folder is opened again
     */
    public void awaitForced(long position) {
        if (disk == null || forced >= position) {
            return;
        }
        forcing.lock();
        try {
            if (forced < position) {
                force(disk);
            }
        } finally {
            forcing.unlock();
        }
    }

    /**
     * The caller holds {@link #forcing}, so that the file is not closed meanwhile. After a failure the disk is not
     * tried again: the operating system may have dropped the data it could not write, and a second force would succeed
     * without it.
     */
    private void force(Disk to) {
        long all;
        FileOutputStream file;
        synchronized (this) {
            all = appended;
            file = out;
        }
        try {
            if (failure != null) {
                throw failure;
            }
            to.force(file.getChannel());
            forced = all;
        } catch (IOException e) {
            failure = e;
            throw new UncheckedIOException("The emulator's journal can't be forced to the disk in " + folder, e);
        }
    }

    /**
     * Reads the transactions of earlier files, in the order they were written.
     *
     * @throws UncheckedIOException when a file can't be read
     */
    synchronized void replay(Consumer<JournalEntry> reader) {
        try {
            for (long earlier : numbers(folder)) {
                if (earlier < number) {
                    replay(file(earlier), reader);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's journal can't be read in " + folder, e);
        }
    }

    /**
     * Starts a new file. The caller holds off writers meanwhile, and deletes the earlier files when the store is
     * written.
     */
    public void rotate() {
        forcing.lock();
        try {
            if (disk != null) {
                force(disk);
            }
            openNextFile();
        } finally {
            forcing.unlock();
        }
    }

    private synchronized void openNextFile() {
        try {
            out.close();
            number++;
            out = createFile();
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's journal can't be continued: " + file(number), e);
        }
    }

    /** Deletes all files but the last: the store has their transactions. */
    synchronized void deleteEarlierFiles() {
        try {
            for (long earlier : numbers(folder)) {
                if (earlier < number) {
                    Files.delete(file(earlier));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's journal can't be cleared in " + folder, e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            out.close();
            Files.deleteIfExists(file(number));
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's journal can't be closed: " + file(number), e);
        }
    }

    private static void replay(Path file, Consumer<JournalEntry> reader) throws IOException {
        try (var in = new DataInputStream(Files.newInputStream(file))) {
            int entries = 0;
            while (in.available() > 0) {
                int length = in.readInt();
                int checksum = in.readInt();
                if (length <= 0 || length > MAX_ENTRY_BYTES) {
                    throw new EOFException("a length of " + length);
                }
                var payload = new byte[length];
                in.readFully(payload);
                if (checksum(ByteBuffer.wrap(payload)) != checksum) {
                    throw new EOFException("a wrong checksum");
                }
                reader.accept(JournalEntry.decode(ByteBuffer.wrap(payload)));
                entries++;
            }
            LOG.atDebug()
                    .addKeyValue("file", file)
                    .addKeyValue("transactions", entries)
                    .log("replayed a journal file");
        } catch (EOFException e) {
            LOG.atInfo()
                    .addKeyValue("file", file)
                    .addKeyValue("reason", e.getMessage())
                    .log("the journal ends with an incomplete transaction, which got no response");
        }
    }

    private static int checksum(ByteBuffer payload) {
        var crc = new CRC32();
        crc.update(payload);
        return (int) crc.getValue();
    }

    private Path file(long of) {
        return folder.resolve("cosmos." + of + ".journal");
    }

    private static List<Long> numbers(Path folder) throws IOException {
        var numbers = new ArrayList<Long>();
        try (var files = Files.newDirectoryStream(folder)) {
            for (var file : files) {
                var matcher = NAME.matcher(file.getFileName().toString());
                if (matcher.matches()) {
                    numbers.add(Long.parseLong(matcher.group(1)));
                }
            }
        }
        numbers.sort(null);
        return numbers;
    }
}
