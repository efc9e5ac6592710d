package io.sluice.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data folder of one broker, locked: Kafka itself notices a second broker on the same folder only after its
 * controller has written to the metadata log. A temporary folder is deleted on release; any other belongs to the
 * caller.
 */
final class BrokerFolder {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerFolder.class);
    private static final String LOCK_FILE = ".sluice-lock";

    private final Path path;
    private final boolean temporary;
    private final FileChannel lockFile;

    private BrokerFolder(Path path, boolean temporary, FileChannel lockFile) {
        this.path = path;
        this.temporary = temporary;
        this.lockFile = lockFile;
    }

    /** A new folder that {@link #release()} deletes. */
    static BrokerFolder temporary() {
        try {
            return take(Files.createTempDirectory("sluice-kafka-"), true);
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder for an embedded broker", e);
        }
    }

    /**
     * The caller's folder, created and formatted if it is missing or empty.
     *
     * @throws IllegalArgumentException when it holds other files than a broker's
     * @throws IllegalStateException when another broker, of this process or another, uses it
     */
    static BrokerFolder at(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            return take(path, false);
        } catch (IOException e) {
            throw new UncheckedIOException("an embedded broker can't use the folder " + path, e);
        }
    }

    private static BrokerFolder take(Path path, boolean temporary) throws IOException {
        boolean formatted = Files.exists(path.resolve(MetaPropertiesEnsemble.META_PROPERTIES_NAME));
        if (!formatted && hasForeignFiles(path)) {
            throw new IllegalArgumentException(
                    "a broker needs an empty folder or one it formatted before, but found other files in " + path);
        }
        BrokerFolder folder = new BrokerFolder(path, temporary, lock(path));
        if (!formatted) {
            folder.format();
        }
        return folder;
    }

    private static boolean hasForeignFiles(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.anyMatch(entry -> !entry.endsWith(LOCK_FILE));
        }
    }

    /** Locks the folder until the channel is closed or the process ends. */
    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel =
                FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            LOG.atDebug().addKeyValue("folder", path).log("folder locked by a broker of this process");
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        if (!locked) {
            throw new IllegalStateException("another embedded broker is using the folder " + path);
        }
        return channel;
    }

    private void format() {
        try {
            format(path, BrokerSettings.NODE_ID, Uuid.randomUuid());
        } catch (IllegalStateException e) {
            release();
            throw e;
        }
    }

    /**
     * Formats the folder as {@code kafka-storage format} does.
     *
     * @throws IllegalStateException when Kafka can't format it
     */
    static void format(Path folder, int nodeId, Uuid clusterId) {
        try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setPrintStream(nowhere)
                    .setNodeId(nodeId)
                    .setClusterId(clusterId.toString())
                    .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
                    .setMetadataLogDirectory(folder.toString())
                    .setDirectories(List.of(folder.toString()))
                    .run();
        } catch (Exception e) {
            throw new IllegalStateException("Kafka could not format the folder " + folder, e);
        }
    }

    Path path() {
        return path;
    }

    /** Releases the lock and deletes a temporary folder. */
    void release() {
        try {
            lockFile.close();
            if (temporary) {
                Utils.delete(path.toFile());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("something of an embedded broker stays behind in " + path, e);
        }
    }
}
