package io.sluice.provider.cosmos;

import java.time.Duration;
import java.util.List;

/**
 * How the account is spoken to.
 *
 * @param mode direct or gateway
 * @param preferredRegions in order, as Azure names them; empty: the account's own order
 * @param applicationName shown in the account's logs behind {@code sluice}; empty for none; at most 40 characters of
 *     printable ASCII
 * @param openTimeout for how long each answer is waited for while a store is opened or provisioned; the first ones take
 *     seconds on a machine with much else to do
 */
public record Connectivity(Mode mode, List<String> preferredRegions, String applicationName, Duration openTimeout) {
    /** How long each answer is waited for while a store is opened, unless set otherwise. */
    public static final Duration DEFAULT_OPEN_TIMEOUT = Duration.ofSeconds(60);

    /** Mode by endpoint, regions by the account, no name. */
    public static final Connectivity DEFAULT = new Connectivity(Mode.BY_ENDPOINT, List.of(), "");

    private static final int LONGEST_NAME = 40;

    /** Which way requests take. */
    public enum Mode {
        /** Gateway on loopback, where emulators are; else direct. */
        BY_ENDPOINT,
        /** Straight to the replicas over TCP: fewest hops, many ports (10000 to 20000) open outwards. */
        DIRECT,
        /** Over HTTPS to the account's gateway: one port. */
        GATEWAY
    }

    public Connectivity {
        preferredRegions = List.copyOf(preferredRegions);
        if (applicationName.length() > LONGEST_NAME || !applicationName.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException("application name must be at most " + LONGEST_NAME
                    + " characters of printable ASCII without spaces, was '" + applicationName + "'");
        }
        if (openTimeout.isNegative() || openTimeout.isZero()) {
            throw new IllegalArgumentException("openTimeout must be positive, was " + openTimeout);
        }
        openTimeout = Arguments.bounded(openTimeout);
    }

    /** Waiting for answers as long as is usual while a store is opened. */
    public Connectivity(Mode mode, List<String> preferredRegions, String applicationName) {
        this(mode, preferredRegions, applicationName, DEFAULT_OPEN_TIMEOUT);
    }

    /** The same, waiting so long for each answer while a store is opened. */
    public Connectivity withOpenTimeout(Duration timeout) {
        return new Connectivity(mode, preferredRegions, applicationName, timeout);
    }
}
