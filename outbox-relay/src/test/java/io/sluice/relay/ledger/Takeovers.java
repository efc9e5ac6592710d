package io.sluice.relay.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long what a killed relay held stays without an owner: key ranges until another relay says that it
 * publishes them, leases until they bear another name. Thread-safe.
 */
final class Takeovers {
    private static final Pattern PUBLISHING =
            Pattern.compile("took a range over, publishing its history range=\"(\\d+)\"");

    private final Supplier<Map<String, String>> leaseOwners;
    private final Map<String, Integer> rangeOwners = new HashMap<>();
    private final Map<String, Long> orphanedRanges = new HashMap<>();
    private final Map<String, Long> killedAtNanos = new HashMap<>();
    private final Map<String, String> orphanedLeases = new HashMap<>();
    private final List<Duration> taken = new ArrayList<>();

    Takeovers(Supplier<Map<String, String>> leaseOwners) {
        this.leaseOwners = leaseOwners;
    }

    /** A relay has printed a line. */
    synchronized void printed(int replica, String line) {
        var found = PUBLISHING.matcher(line);
        if (found.find()) {
            var range = found.group(1);
            rangeOwners.put(range, replica);
            var since = orphanedRanges.remove(range);
            if (since != null) {
                taken.add(Duration.ofNanos(System.nanoTime() - since));
            }
        }
    }

    /** A relay was killed. */
    synchronized void killed(int replica, String name) {
        long now = System.nanoTime();
        killedAtNanos.put(name, now);
        rangeOwners.forEach((range, owner) -> {
            if (owner == replica) {
                orphanedRanges.putIfAbsent(range, now);
            }
        });
        rangeOwners.values().removeIf(owner -> owner == replica);
    }

    /** Looks at the leases; to be called a few times a second. */
    void look() {
        var owners = leaseOwners.get();
        synchronized (this) {
            owners.forEach((lease, owner) -> {
                if (killedAtNanos.containsKey(owner)) {
                    orphanedLeases.putIfAbsent(lease, owner);
                }
            });
            orphanedLeases.entrySet().removeIf(orphan -> isTaken(orphan.getValue(), owners.get(orphan.getKey())));
        }
    }

    private boolean isTaken(String dead, @Nullable String owner) {
        if (dead.equals(owner)) {
            return false;
        }
        var since = killedAtNanos.get(dead);
        if (owner != null && since != null) {
            taken.add(Duration.ofNanos(System.nanoTime() - since));
        }
        return true;
    }

    /** Whether everything has an owner again. Never, while no relay has said that it publishes a range. */
    synchronized boolean areOver() {
        return !rangeOwners.isEmpty() && orphanedRanges.isEmpty() && orphanedLeases.isEmpty();
    }

    /** What each takeover took, the shortest first. */
    synchronized List<Duration> taken() {
        return taken.stream().sorted().toList();
    }
}
