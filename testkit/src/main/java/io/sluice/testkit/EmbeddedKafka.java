package io.sluice.testkit;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka broker, with its KRaft controller, inside this JVM.
 *
 * <p>It is the broker of the Kafka distribution, not a copy of its behaviour: transactions, groups, compaction and
 * deletion are Kafka's own. It is set up for one node (every internal topic has one replica and few partitions), topics
 * are never created by a mere mention, and a transaction past its timeout is aborted within a second. Both listeners
 * are on the loopback address.
 *
 * <pre>{@code
 * try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
 *     Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
 *     …
 * }
 * }</pre>
 *
 * <p>Several brokers may run in one JVM, each in its own folder. Their threads are not daemons: a program that forgets
 * to close its broker does not end. Thread-safe.
 */
public final class EmbeddedKafka implements AutoCloseable {
    /**
     * Broker settings for {@link #start(Map)}, with which consumer groups and share groups miss a killed member after
     * 6 s instead of 45 s.
     */
    public static final Map<String, String> SHORT_GROUP_SESSIONS = Map.ofEntries(
            Map.entry("group.consumer.min.heartbeat.interval.ms", "1000"),
            Map.entry("group.consumer.heartbeat.interval.ms", "1000"),
            Map.entry("group.consumer.min.session.timeout.ms", "6000"),
            Map.entry("group.consumer.session.timeout.ms", "6000"),
            Map.entry("group.share.min.heartbeat.interval.ms", "1000"),
            Map.entry("group.share.heartbeat.interval.ms", "1000"),
            Map.entry("group.share.min.session.timeout.ms", "6000"),
            Map.entry("group.share.session.timeout.ms", "6000"));

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);
    private static final int ANY_FREE_PORT = 0;
    /**
     * A broker that its controller misses for nine seconds, as on a machine at full load, loses the lead of all its
     * partitions, and a transaction that ends in this moment stays open for ever (Kafka 4, KAFKA-20734). A broker alone
     * has no successor, so nothing is gained by it. One in a folder of its own keeps Kafka's default: after a crash it
     * is refused for so long.
     */
    private static final Map<String, String> NEVER_MISSED = Map.of("broker.session.timeout.ms", "300000");

    private final BrokerFolder folder;
    private final BrokerNode node;
    private boolean closed;

    private EmbeddedKafka(BrokerFolder folder, BrokerNode node) {
        this.folder = folder;
        this.node = node;
    }

    /**
     * A broker on a free port whose data lives in a temporary folder, deleted by {@link #close()}. Returns when the
     * broker answers its clients.
     *
     * @throws UncheckedIOException when the folder can't be made
     * @throws IllegalStateException when the broker does not start; nothing is left running
     */
    public static EmbeddedKafka start() {
        return start(Map.of());
    }

    /**
     * As {@link #start()}, with settings of the broker in place of those it is set up with here, such as
     * {@code auto.create.topics.enable}; its folder, node and listeners stay its own.
     *
     * @throws IllegalStateException when the broker does not start, for instance because it does not understand a
     *     setting
     */
    public static EmbeddedKafka start(Map<String, String> brokerSettings) {
        return start(brokerSettings, List.of());
    }

    /** The same with further listeners, on free ports. */
    static EmbeddedKafka start(Map<String, String> brokerSettings, List<String> moreListeners) {
        Map<String, String> settings = new HashMap<>(NEVER_MISSED);
        settings.putAll(brokerSettings);
        return start(BrokerFolder.temporary(), ANY_FREE_PORT, moreListeners, settings);
    }

    /**
     * A broker on a free port whose data stays in {@code folder}: topics, records, transactions and group offsets are
     * there again at the next start. An empty or missing folder is formatted first.
     *
     * @throws IllegalArgumentException when the folder holds something else than a broker's data
     * @throws IllegalStateException when the broker does not start, for instance because another one uses the folder
     */
    public static EmbeddedKafka start(Path folder) {
        return start(folder, ANY_FREE_PORT);
    }

    /**
     * As {@link #start(Path)}, on a given port: clients that lost a broker find the next one at the same address.
     *
     * @param port 1 to 65535, or 0 for any free one
     * @throws IllegalArgumentException when the port is out of range or the folder holds something else
     * @throws IllegalStateException when the broker does not start, for instance because the port is taken
     */
    public static EmbeddedKafka start(Path folder, int port) {
        return start(folder, port, Map.of());
    }

    /**
     * As {@link #start(Path, int)}, with settings of the broker as in {@link #start(Map)}.
     *
     * @throws IllegalArgumentException when the port is out of range or the folder holds something else
     * @throws IllegalStateException when the broker does not start
     */
    public static EmbeddedKafka start(Path folder, int port, Map<String, String> brokerSettings) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be 0 to 65535, was " + port);
        }
        return start(BrokerFolder.at(folder), port, List.of(), brokerSettings);
    }

    private static EmbeddedKafka start(
            BrokerFolder folder, int port, List<String> moreListeners, Map<String, String> brokerSettings) {
        long startedNanos = System.nanoTime();
        try {
            EmbeddedKafka kafka =
                    new EmbeddedKafka(folder, BrokerNode.start(folder.path(), port, moreListeners, brokerSettings));
            LOG.atInfo()
                    .addKeyValue("bootstrapServers", kafka.bootstrapServers())
                    .addKeyValue("folder", folder.path())
                    .addKeyValue("tookMillis", (System.nanoTime() - startedNanos) / 1_000_000)
                    .log("embedded broker started");
            return kafka;
        } catch (RuntimeException | Error e) {
            folder.release();
            throw e;
        }
    }

    /** The address for {@code bootstrap.servers}, of the shape {@code 127.0.0.1:<port>}. */
    public String bootstrapServers() {
        return BrokerNode.LOOPBACK + ":" + port();
    }

    /** The same of a further listener, of the shape {@code localhost:<port>}. */
    String bootstrapServers(String listener) {
        return node.address(listener);
    }

    /** The port of {@link #bootstrapServers()}, to start a broker on again after this one. */
    public int port() {
        return node.port();
    }

    /** Where the broker keeps its data. */
    public Path folder() {
        return folder.path();
    }

    /**
     * Shuts the broker down in good order and returns when its threads have ended and its files are released; a
     * temporary folder is gone then. Clients still connected see a lost connection. Closing again does nothing.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            node.close();
        } finally {
            folder.release();
        }
        LOG.atInfo().addKeyValue("folder", folder.path()).log("embedded broker stopped");
    }

    @Override
    public String toString() {
        return "EmbeddedKafka[" + bootstrapServers() + " in " + folder.path() + "]";
    }
}
