package io.sluice.emulator.http;

import java.time.InstantSource;

/**
 * How the server shows itself.
 *
 * @param port on loopback, 0 for any free one
 * @param key the master key, in base64
 * @param multipleWriteRegions whether the account claims to write in two regions
 * @param containerThroughput request units per second of a container for which none were bought, 0 for no limit
 * @param clock for dates in answers and throughput
 */
public record ServerSettings(
        int port, String key, boolean multipleWriteRegions, int containerThroughput, InstantSource clock) {
    @Override
    public String toString() {
        return "ServerSettings[port=" + port + "]";
    }
}
