package io.sluice.relay.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/**
 * The brokers that were in the cluster a moment ago. A new client that begins with the configured list would connect to
 * a frozen broker of that list again and wait for it, though other clients know already that it is gone. Thread-safe.
 */
public final class LearnedBrokers {
    /** After this time the configured list is used again: brokers move. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    private volatile @Nullable Learned latest;

    private record Learned(String servers, long atNanos) {}

    /** The bootstrap servers of a new client: the brokers learned within a minute, otherwise the configured list. */
    String or(String configured) {
        var known = latest;
        return known == null || System.nanoTime() - known.atNanos() > FRESH.toNanos() ? configured : known.servers();
    }

    /** Stores the brokers that the cluster reports; a broker without contact to the controller is not among them. */
    void are(Collection<Node> nodes) {
        var servers =
                nodes.stream().map(node -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
        latest = servers.isEmpty() ? null : new Learned(servers, System.nanoTime());
    }

    /** Drops the learned brokers, as none of them answered. */
    void forget() {
        latest = null;
    }
}
