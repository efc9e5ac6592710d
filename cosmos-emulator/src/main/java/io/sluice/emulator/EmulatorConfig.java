package io.sluice.emulator;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * How an emulator is set up.
 *
 * @param folder where it keeps its data, null for memory only
 * @param port on loopback, 0 for any free one
 * @param key the account's master key, in base64
 * @param physicalPartitions of every container made by it, 1 to 256
 * @param multipleWriteRegions whether the account says that it writes in two regions; both are this emulator
 * @param clock for timestamps and time to live
 */
public record EmulatorConfig(
        @Nullable Path folder,
        int port,
        String key,
        int physicalPartitions,
        boolean multipleWriteRegions,
        InstantSource clock) {

    /** The key all Cosmos DB emulators share. It protects nothing, and is no secret. */
    public static final String WELL_KNOWN_KEY =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    private static final int DEFAULT_PARTITIONS = 4;
    private static final int MAX_PARTITIONS = 256;
    private static final int MAX_PORT = 65535;

    /** Checks ranges. */
    public EmulatorConfig {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port must be 0 to 65535, was " + port);
        }
        if (physicalPartitions < 1 || physicalPartitions > MAX_PARTITIONS) {
            throw new IllegalArgumentException("physicalPartitions must be 1 to 256, was " + physicalPartitions);
        }
        if (key.isEmpty() || !isBase64(key)) {
            throw new IllegalArgumentException("key must be base64 and not empty");
        }
    }

    /** Keeps everything in memory: a free port, the well-known key, four physical partitions. */
    public static EmulatorConfig inMemory() {
        return new EmulatorConfig(null, 0, WELL_KNOWN_KEY, DEFAULT_PARTITIONS, false, InstantSource.system());
    }

    /** As {@link #inMemory}, but keeps its data in a folder, which is made when it is not there. */
    public static EmulatorConfig inFolder(Path folder) {
        return new EmulatorConfig(folder, 0, WELL_KNOWN_KEY, DEFAULT_PARTITIONS, false, InstantSource.system());
    }

    /** Another port; 0 for any free one. */
    public EmulatorConfig withPort(int changed) {
        return new EmulatorConfig(folder, changed, key, physicalPartitions, multipleWriteRegions, clock);
    }

    /** Another master key, in base64. */
    public EmulatorConfig withKey(String changed) {
        return new EmulatorConfig(folder, port, changed, physicalPartitions, multipleWriteRegions, clock);
    }

    /** Another number of physical partitions per container, 1 to 256. Containers that exist keep theirs. */
    public EmulatorConfig withPhysicalPartitions(int changed) {
        return new EmulatorConfig(folder, port, key, changed, multipleWriteRegions, clock);
    }

    /** An account that writes in several regions, as far as its description goes. */
    public EmulatorConfig withMultipleWriteRegions(boolean changed) {
        return new EmulatorConfig(folder, port, key, physicalPartitions, changed, clock);
    }

    /** Another clock, so that a test can let items expire. */
    public EmulatorConfig withClock(InstantSource changed) {
        return new EmulatorConfig(folder, port, key, physicalPartitions, multipleWriteRegions, changed);
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "EmulatorConfig[folder=" + folder + ", port=" + port + ", physicalPartitions=" + physicalPartitions
                + ", multipleWriteRegions=" + multipleWriteRegions + "]";
    }
}
