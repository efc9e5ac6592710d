package io.sluice.emulator.http;

import io.sluice.emulator.ServerCertificate;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the server shows itself.
 *
 * @param listenAddress on which it listens
 * @param port of the first region, 0 for any free one
 * @param regions their names, at least one; each listens on a port of its own
 * @param certificate for TLS, null for plain HTTP
 * @param key the master key, in base64
 * @param multipleWriteRegions whether every region takes writes
 * @param containerThroughput request units per second of a container for which none were bought, 0 for no limit
 * @param continuousBackup whether the account says that it has one
 * @param plainHttp2 whether HTTP/2 is spoken without TLS too
 * @param clock for dates in answers and throughput
 */
public record ServerSettings(
        String listenAddress,
        int port,
        List<String> regions,
        @Nullable ServerCertificate certificate,
        String key,
        boolean multipleWriteRegions,
        int containerThroughput,
        boolean continuousBackup,
        boolean plainHttp2,
        InstantSource clock) {
    /** Copies the regions. */
    public ServerSettings {
        regions = List.copyOf(regions);
    }

    /** Whether other machines can reach the server. */
    boolean isBeyondLoopback() {
        return !listenAddress.startsWith("127.") && !listenAddress.equals("localhost") && !listenAddress.equals("::1");
    }

    @Override
    public String toString() {
        return "ServerSettings[port=" + port + ", regions=" + regions + "]";
    }
}
