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

    /** How far a read is, compared with a write. */
    public enum Reach {
        /** It shows what was written by then. */
        INCLUDES,
        /** It does not. */
        BEHIND,
        /** It may or may not. */
        UNKNOWN
    }

    /** How far a read that was answered with the one token is, compared with what was written by the other. */
    public static Reach reach(String read, String written) {
        Optional<SessionToken> end = parse(read);
        Optional<SessionToken> start = parse(written);
        return end.isPresent() && start.isPresent() ? end.get().reach(start.get()) : Reach.UNKNOWN;
    }

    private Reach reach(SessionToken written) {
        if (!range.equals(written.range) || !version.equals(written.version)) {
            return Reach.UNKNOWN;
        }
        return lsn >= written.lsn ? Reach.INCLUDES : Reach.BEHIND;
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
