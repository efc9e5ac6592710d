package io.sluice.provider.cosmos.search;

import java.util.Optional;

/**
 * How far a replica is, as the service says by the session token of an answer, {@code <range>:<lsn>} or
 * {@code <range>:<version>#<lsn>#<region>=<lsn>...}. Other forms, as of several ranges, say nothing.
 *
 * @param range the key range of the physical partition; another one after it was split or merged
 * @param version changes with a failover; empty where the token has none
 * @param lsn the log sequence number of the last write that the replica shows
 */
public record SessionToken(String range, String version, long lsn) {
    private static final int MOST_DIGITS = 18;

    /** Whether a read that was answered with this shows what was written by then; false where that can't be told. */
    public static boolean includes(String read, String written) {
        Optional<SessionToken> end = parse(read);
        Optional<SessionToken> start = parse(written);
        return end.isPresent() && start.isPresent() && end.get().includes(start.get());
    }

    private boolean includes(SessionToken written) {
        return range.equals(written.range) && version.equals(written.version) && lsn >= written.lsn;
    }

    private static Optional<SessionToken> parse(String token) {
        int colon = token.indexOf(':');
        if (colon <= 0 || token.indexOf(',') >= 0) {
            return Optional.empty();
        }
        String range = token.substring(0, colon);
        String[] parts = token.substring(colon + 1).split("#", -1);
        String lsn = parts.length == 1 ? parts[0] : parts[1];
        boolean isNumber = !lsn.isEmpty()
                && lsn.length() <= MOST_DIGITS
                && lsn.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isNumber
                ? Optional.of(new SessionToken(range, parts.length == 1 ? "" : parts[0], Long.parseLong(lsn)))
                : Optional.empty();
    }
}
