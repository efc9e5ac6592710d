package io.sluice.benchmarks;

import io.sluice.testkit.EmbeddedKafka;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** A store, a broker, and the relays that share them, each a process. */
final class RelaySite implements AutoCloseable {
    private static final String PREFIX = "benchmark";

    private final int physicalPartitions;
    private final EmulatedStore store;
    private final EmbeddedKafka kafka = EmbeddedKafka.start();
    private final StoreClient client;
    private final List<RelayProcess> relays = new ArrayList<>();

    RelaySite(int physicalPartitions) {
        this.physicalPartitions = physicalPartitions;
        this.store = EmulatedStore.start(physicalPartitions);
        this.client = new StoreClient(store.config());
    }

    EmulatedStore store() {
        return store;
    }

    StoreClient client() {
        return client;
    }

    /** The ranges that the relays share: one for each physical partition. */
    int ranges() {
        return physicalPartitions;
    }

    /**
     * Adds relays until there are so many, and waits until they have shared all ranges. Ranges are spread by hashes: a
     * relay may have none.
     */
    void share(int count) {
        while (relays.size() < count) {
            relays.add(RelayProcess.start(
                    store,
                    Map.of(
                            "KAFKA_BOOTSTRAP_SERVERS",
                            kafka.bootstrapServers(),
                            "SLUICE_PREFIX",
                            PREFIX,
                            "SLUICE_TOPIC_PARTITIONS",
                            "4")));
        }
        Wait.until(count + " relays share everything", this::isShared);
    }

    private boolean isShared() {
        return isInState("PUBLISHING")
                && members() == relays.size()
                && relays.stream()
                                .mapToInt(relay -> relay.ranges("PUBLISHING").size())
                                .sum()
                        == ranges();
    }

    /** Of the relays' group that have been assigned partitions. */
    private long members() {
        var group = PREFIX + "-history";
        var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        try {
            return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                    .flatMap(described -> described.members().stream())
                    .filter(member -> !member.assignment().topicPartitions().isEmpty())
                    .count();
        } catch (ExecutionException e) {
            return 0; // the coordinator moves, or no member has come
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking for the relays' group", e);
        } finally {
            admin.close(TurnGroup.CLOSE_LIMIT);
        }
    }

    private boolean isInState(String state) {
        var ranges = new TreeSet<String>();
        relays.forEach(relay -> ranges.addAll(relay.ranges(state)));
        return ranges.size() == ranges();
    }

    /** Lets the relays publish no events, or go on; returns when all have stopped. */
    void pauseEvents(boolean isPaused) {
        relays.forEach(relay -> relay.pauseEvents(isPaused));
        if (isPaused) {
            Wait.until("the relays publish nothing", () -> isInState("PAUSED"));
        }
    }

    /** Kills the one with the most ranges; the seconds until others publish these. */
    Map<String, Double> killOne() {
        var killed = Collections.max(
                relays,
                Comparator.comparingInt(relay -> relay.ranges("PUBLISHING").size()));
        relays.remove(killed);
        long killedNanos = System.nanoTime();
        killed.kill();
        Wait.until("the other relays publish everything", () -> isInState("PUBLISHING"));
        return Map.of("takeoverSeconds", secondsSince(killedNanos));
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    /** The time of processors that the relays have had, in milliseconds. */
    double processorMillis() {
        return relays.stream().mapToDouble(RelayProcess::processorMillis).sum();
    }

    /** The events from now on. */
    PublishedEvents published() {
        return new PublishedEvents(kafka.bootstrapServers(), PREFIX + ".history");
    }

    @Override
    public void close() {
        relays.forEach(RelayProcess::close);
        client.close();
        kafka.close();
        store.close();
    }
}
