package io.sluice.emulator.store;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions since the store was last written, in files beside it. A transaction is in the operating system's hands before it is
 * answered, so it outlives a killed process; a machine that loses power may lose what it had not written to its disk.
 *
 * <p>A frame is its length, its CRC-32 and a {@link JournalEntry}. A process that dies in the middle of one leaves a torn
 * end, which nobody was told of. Thread-safe.
 */
final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final Pattern NAME = Pattern.compile("cosmos\\.(\\d{1,18})\\.journal");
    private static final int HEADER_BYTES = 8;
    private static final int MAX_ENTRY_BYTES = 1 << 28;

    private final Path folder;
    private long number;
    private OutputStream out;

    private Journal(Path folder, long number) throws IOException {
        this.folder = folder;
        this.number = number;
        this.out = new FileOutputStream(file(number).toFile());
    }

    /**
     * Opens a new file behind those that are there.
     *
     * @throws UncheckedIOException when the folder can't be read or written
     */
    static Journal open(Path folder) {
        try {
            var numbers = numbers(folder);
            return new Journal(folder, numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1);
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's journal can't be opened in " + folder, e);
        }
    }

    /**
     * Writes a transaction down. When it returns, the transaction outlives this process.
     *
     * @throws UncheckedIOException when it can't be written; nothing of it will be read then
     */
    void append(JournalEntry entry) {
        var payload = entry.encoded();
        var frame = ByteBuffer.allocate(HEADER_BYTES + payload.remaining());
        frame.putInt(payload.remaining()).putInt(checksum(payload.duplicate())).put(payload);
        synchronized (this) {
            try {
                out.write(frame.array());
            } catch (IOException e) {
                throw new UncheckedIOException("The emulator's journal can't be written: " + file(number), e);
            }
        }
    }

    /**
     * Gives back what earlier files hold, in the order it was written.
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

    /** Goes on in a new file. The caller lets nobody write meanwhile, and forgets the earlier ones when the store is written. */
    synchronized void rotate() {
        try {
            out.close();
            number++;
            out = new FileOutputStream(file(number).toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's journal can't go on: " + file(number), e);
        }
    }

    /** Removes all files but the last: the store has what they hold. */
    synchronized void forgetEarlier() {
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
                    .log("journal read");
        } catch (EOFException e) {
            LOG.atInfo()
                    .addKeyValue("file", file)
                    .addKeyValue("reason", e.getMessage())
                    .log("the journal ends in the middle of a transaction that was never answered");
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
