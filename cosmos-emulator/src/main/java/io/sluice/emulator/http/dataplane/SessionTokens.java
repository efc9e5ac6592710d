package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.store.Partition;

/**
 * Session tokens: {@code <range>:<version>#<global LSN>#<region>=<local LSN>}, several with commas between. In the
 * older forms {@code <range>:-1#<LSN>} and {@code <range>:<LSN>} the version is 0.
 */
final class SessionTokens {
    private static final String REGION = "1";

    private SessionTokens() {}

    /** The token of a partition at a log sequence number. */
    static String of(Partition partition, long lsn) {
        return partition.id() + ":" + partition.sessionVersion() + "#" + lsn + "#" + REGION + "=" + lsn;
    }

    /**
     * Refuses a read whose client has seen more of the partition than there is. A token of before a merge has a lower
     * version than the merged partition, which has all that its parents had: its number says nothing there.
     *
     * @throws StatusException 404 with sub-status 1002; 400 when the token can't be read
     */
    static void check(WireRequest request, Partition partition) {
        var header = request.header(Headers.SESSION_TOKEN);
        if (header == null) {
            return;
        }
        for (var token : header.split(",", -1)) {
            int colon = token.indexOf(':');
            if (colon < 0) {
                throw invalid(header);
            }
            var range = token.substring(0, colon).trim();
            if ((range.equals(partition.id()) || partition.ancestors().contains(range))
                    && isAhead(token.substring(colon + 1), header, partition)) {
                throw new StatusException(404, 1002, "The read session is not available for the input session token.");
            }
        }
    }

    private static boolean isAhead(String vector, String header, Partition partition) {
        var parts = vector.split("#", -1);
        long version = parts.length == 1 ? 0 : Math.max(0, number(parts[0], header));
        long lsn = number(parts.length == 1 ? parts[0] : parts[1], header);
        return version == partition.sessionVersion() ? lsn > partition.lsn() : version > partition.sessionVersion();
    }

    private static long number(String text, String header) {
        try {
            return Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            throw invalid(header);
        }
    }

    private static StatusException invalid(String header) {
        return StatusException.badRequest("The session token provided '" + header + "' is invalid.");
    }
}
