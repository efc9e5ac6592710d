package io.sluice.emulator;

import io.sluice.emulator.http.SelfSignedCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an emulator.
 *
 * @param folder of its data, null for memory only
 * @param forcedWrites whether writes to the folder are forced to the disk before they are answered
 * @param listenAddress of its ports: loopback, or an address that other machines reach; they may then do whatever the
 *     key allows
 * @param port of the first region, 0 for any free one
 * @param regions names of the account's regions, each with a port of its own; the first takes writes
 * @param certificate for TLS, null for plain HTTP
 * @param key the account's master key, in base64
 * @param physicalPartitions of every container created by it, 1 to 256
 * @param multipleWriteRegions whether every region takes writes
 * @param containerThroughput request units per second of a container without an offer, 0 for no limit
 * @param continuousBackup whether every container keeps all versions and deletes for its change feed
 * @param plainHttp2 whether HTTP/2 is spoken without TLS too
 * @param clock for timestamps, time to live and throughput
 */
public record EmulatorConfig(
        @Nullable Path folder,
        boolean forcedWrites,
        String listenAddress,
        int port,
        List<String> regions,
        @Nullable ServerCertificate certificate,
        String key,
        int physicalPartitions,
        boolean multipleWriteRegions,
        int containerThroughput,
        boolean continuousBackup,
        boolean plainHttp2,
        InstantSource clock) {

    /** The key all Cosmos DB emulators share. It protects nothing, and is no secret. */
    public static final String WELL_KNOWN_KEY =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    private static final String LOOPBACK = "127.0.0.1";
    private static final List<String> DEFAULT_REGIONS = List.of("Emulator");
    private static final int DEFAULT_PARTITIONS = 4;
    private static final int MAX_PARTITIONS = 256;
    private static final int MAX_PORT = 65535;

    /** Checks ranges. */
    public EmulatorConfig {
        regions = List.copyOf(regions);
        if (regions.isEmpty() || regions.stream().distinct().count() != regions.size()) {
            throw new IllegalArgumentException("regions must be at least one, each once, were " + regions);
        }
        if (listenAddress.isBlank()) {
            throw new IllegalArgumentException("listenAddress must not be blank");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port must be 0 to 65535, was " + port);
        }
        if (physicalPartitions < 1 || physicalPartitions > MAX_PARTITIONS) {
            throw new IllegalArgumentException("physicalPartitions must be 1 to 256, was " + physicalPartitions);
        }
        if (containerThroughput < 0) {
            throw new IllegalArgumentException("containerThroughput must be at least 0, was " + containerThroughput);
        }
        if (key.isEmpty() || !isBase64(key)) {
            throw new IllegalArgumentException("key must be base64 and not empty");
        }
    }

    /** An emulator in memory: a free port, the well-known key, four physical partitions, no limit of throughput. */
    public static EmulatorConfig inMemory() {
        return new EmulatorConfig(
                null,
                false,
                LOOPBACK,
                0,
                DEFAULT_REGIONS,
                null,
                WELL_KNOWN_KEY,
                DEFAULT_PARTITIONS,
                false,
                0,
                false,
                false,
                InstantSource.system());
    }

    /** As {@link #inMemory}, but with its data in a folder, which is created when it does not exist. */
    public static EmulatorConfig inFolder(Path folder) {
        return inMemory().with(draft -> draft.folder = folder);
    }

    /**
     * Whether every write is forced to the disk before its response, so that it survives a crash of the machine and not
     * only of the process. Concurrent writers share a force. Has no effect in memory.
     */
    public EmulatorConfig withForcedWrites(boolean changed) {
        return with(draft -> draft.forcedWrites = changed);
    }

    /** Another folder. */
    EmulatorConfig withFolder(Path changed) {
        return with(draft -> draft.folder = changed);
    }

    /** Adds a region; the first one added replaces the default. */
    EmulatorConfig withFurtherRegion(String name) {
        return with(draft -> {
            var names = new ArrayList<>(draft.regions.equals(DEFAULT_REGIONS) ? List.<String>of() : draft.regions);
            names.add(name);
            draft.regions = names;
        });
    }

    /** Another port; 0 for any free one. */
    public EmulatorConfig withPort(int changed) {
        return with(draft -> draft.port = changed);
    }

    /**
     * Listens on this address, such as 0.0.0.0 for all addresses; the default is 127.0.0.1. Beyond loopback, the
     * account names to each client the host under which that client reached it, so that a container and its host may
     * use different names. The explorer page and the controls, which need no key, still serve this machine only.
     */
    public EmulatorConfig withListenAddress(String changed) {
        return with(draft -> draft.listenAddress = changed);
    }

    /** Another master key, in base64. */
    public EmulatorConfig withKey(String changed) {
        return with(draft -> draft.key = changed);
    }

    /** Another number of physical partitions per container, 1 to 256. Containers that exist keep theirs. */
    public EmulatorConfig withPhysicalPartitions(int changed) {
        return with(draft -> draft.physicalPartitions = changed);
    }

    /** An account in these regions. The first takes writes, until {@link CosmosEmulator#topology} fails over. */
    public EmulatorConfig withRegions(String... names) {
        return with(draft -> draft.regions = List.of(names));
    }

    /** An account that takes writes in every region. It gets a second region unless regions were set. */
    public EmulatorConfig withMultipleWriteRegions(boolean changed) {
        return with(draft -> {
            draft.multipleWriteRegions = changed;
            if (changed && draft.regions.equals(DEFAULT_REGIONS)) {
                draft.regions = List.of("Emulator", "Emulator 2");
            }
        });
    }

    /** TLS with a new self-signed certificate, which clients must trust: see {@link CosmosEmulator#certificate}. */
    public EmulatorConfig withSelfSignedTls() {
        var created = SelfSignedCertificate.create(Instant.now());
        return with(draft -> draft.certificate = created);
    }

    /**
     * TLS with a given certificate.
     *
     * @param chain file with the certificate and those that signed it, as PEM
     * @param key file with its private key in PKCS#8, as PEM without a password
     * @throws UncheckedIOException when a file can't be read
     */
    public EmulatorConfig withTls(Path chain, Path key) {
        try {
            var read = new ServerCertificate(Files.readString(chain), Files.readString(key));
            return with(draft -> draft.certificate = read);
        } catch (IOException e) {
            throw new UncheckedIOException("The certificate or its key can't be read: " + chain + ", " + key, e);
        }
    }

    /**
     * Limits containers for which neither they nor their database have an offer: request units per second, 0 for no
     * limit. The throughput of offers is always enforced.
     */
    public EmulatorConfig withContainerThroughput(int changed) {
        return with(draft -> draft.containerThroughput = changed);
    }

    /**
     * An account with continuous backup: every container keeps all versions and deletes for seven days, for its change
     * feed. Without it, only containers do whose {@code changeFeedPolicy} has a {@code retentionDuration}, in minutes.
     */
    public EmulatorConfig withContinuousBackup(boolean changed) {
        return with(draft -> draft.continuousBackup = changed);
    }

    /**
     * HTTP/2 without TLS, beside HTTP/1.1, for clients that ask for it or begin with it. With TLS a client has the
     * choice anyway.
     */
    public EmulatorConfig withPlainHttp2(boolean changed) {
        return with(draft -> draft.plainHttp2 = changed);
    }

    /** Another clock, so that a test can let items expire. */
    public EmulatorConfig withClock(InstantSource changed) {
        return with(draft -> draft.clock = changed);
    }

    private EmulatorConfig with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.finished();
    }

    /** The same fields, to be changed. */
    private static final class Draft {
        private @Nullable Path folder;
        private boolean forcedWrites;
        private String listenAddress;
        private int port;
        private List<String> regions;
        private @Nullable ServerCertificate certificate;
        private String key;
        private int physicalPartitions;
        private boolean multipleWriteRegions;
        private int containerThroughput;
        private boolean continuousBackup;
        private boolean plainHttp2;
        private InstantSource clock;

        Draft(EmulatorConfig from) {
            folder = from.folder;
            forcedWrites = from.forcedWrites;
            listenAddress = from.listenAddress;
            port = from.port;
            regions = from.regions;
            certificate = from.certificate;
            key = from.key;
            physicalPartitions = from.physicalPartitions;
            multipleWriteRegions = from.multipleWriteRegions;
            containerThroughput = from.containerThroughput;
            continuousBackup = from.continuousBackup;
            plainHttp2 = from.plainHttp2;
            clock = from.clock;
        }

        EmulatorConfig finished() {
            return new EmulatorConfig(
                    folder,
                    forcedWrites,
                    listenAddress,
                    port,
                    regions,
                    certificate,
                    key,
                    physicalPartitions,
                    multipleWriteRegions,
                    containerThroughput,
                    continuousBackup,
                    plainHttp2,
                    clock);
        }
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
        return "EmulatorConfig[folder=" + folder + ", forcedWrites=" + forcedWrites + ", listenAddress="
                + listenAddress + ", port=" + port + ", regions="
                + regions + ", physicalPartitions="
                + physicalPartitions
                + ", multipleWriteRegions=" + multipleWriteRegions + ", containerThroughput=" + containerThroughput
                + "]";
    }
}
