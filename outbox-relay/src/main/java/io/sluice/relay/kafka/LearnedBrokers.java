package io.sluice.relay.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/**
 * Which brokers were in the cluster a moment ago. A new client that began with the configured list would meet a frozen
 * one of it again, and wait for its answer, however often other clients have learned that it is gone. Thread-safe.
 */
public final class LearnedBrokers {
    /** Beyond it the configured list counts: brokers move. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    private volatile @Nullable Learned latest;

    private record Learned(String servers, long atNanos) {}

    /** What a new client begins with: what was learned within a minute, else the configured list. */
    String or(String configured) {
        var known = latest;
        return known == null || System.nanoTime() - known.atNanos() > FRESH.toNanos() ? configured : known.servers();
    }

    /** What the cluster says of itself: a broker that its controller does not hear from is not among them. */
    void are(Collection<Node> nodes) {
        var servers =
                nodes.stream().map(node -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
        latest = servers.isEmpty() ? null : new Learned(servers, System.nanoTime());
    }

    /** None of them answered. */
    void forget() {
        latest = null;
    }
}
