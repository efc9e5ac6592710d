package io.sluice.emulator.http;

import java.time.InstantSource;

/**
 * How the server shows itself.
 *
 * @param port on loopback, 0 for any free one
 * @param key the master key, in base64
 * @param multipleWriteRegions whether the account claims to write in two regions
 * @param clock for dates in answers
 */
public record ServerSettings(int port, String key, boolean multipleWriteRegions, InstantSource clock) {
    @Override
    public String toString() {
        return "ServerSettings[port=" + port + "]";
    }
}
