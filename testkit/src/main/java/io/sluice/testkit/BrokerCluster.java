package io.sluice.testkit;

import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka cluster of a few brokers, each a process of its own that a test can freeze, kill and start again.
 *
 * <p>Every broker is a controller as well, and its JVM is started from this one's class path with 256 MB of heap.
 * Topics, Kafka's own too, have three replicas unless they are created with another number, and two of them must have a
 * record before it counts as written. Sessions and elections keep Kafka's defaults: the others notice a silent broker
 * after about nine seconds.
 *
 * <pre>{@code
 * try (BrokerCluster cluster = BrokerCluster.start(3)) {
 *     …                      // clients of cluster.bootstrapServers()
 *     cluster.freeze(2);     // takes connections, answers nobody: SIGSTOP
 *     …
 *     cluster.resume(2);
 *     cluster.kill(3);       // SIGKILL
 *     cluster.restart(3);    // the same data, the same address
 * }
 * }</pre>
 *
 * <p>Brokers are numbered from 1. Their data lies in a temporary folder that {@link #close()} deletes. No broker
 * outlives this JVM, not even a frozen one when this JVM is killed. Needs a POSIX shell. Thread-safe; calls wait for
 * one another.
 */
public final class BrokerCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerCluster.class);
    private static final int MOST = 5;
    private static final int HEAP_MEGABYTES = 256;
    private static final Duration START = Duration.ofMinutes(3);

    private final Path folder;
    private final Map<Integer, BrokerSettings.MemberPorts> ports;
    private final Map<String, String> told;
    private final Map<Integer, JavaProcess> brokers = new TreeMap<>();
    private final Thread atExit = new Thread(this::tryEnd, "broker-cluster-close");
    private boolean closed;

    private BrokerCluster(Path folder, Map<Integer, BrokerSettings.MemberPorts> ports, Map<String, String> told) {
        this.folder = folder;
        this.ports = ports;
        this.told = Map.copyOf(told);
    }

    /**
     * Starts a cluster and returns when all of its brokers are in it, which takes about ten seconds on a quiet machine.
     *
     * @param brokers 1 to 5; below three, topics have as many replicas as there are brokers
     * @throws IllegalArgumentException when the number is out of range
     * @throws IllegalStateException when a broker does not start; nothing is left running
     */
    public static BrokerCluster start(int brokers) {
        return start(brokers, Map.of());
    }

    /**
     * As {@link #start(int)}, with settings of all brokers in place of those they are set up with here, such as {@code
     * request.timeout.ms}; their folders, numbers and listeners stay their own.
     */
    public static BrokerCluster start(int brokers, Map<String, String> brokerSettings) {
        if (brokers < 1 || brokers > MOST) {
            throw new IllegalArgumentException("brokers must be 1 to " + MOST + ", was " + brokers);
        }
        BrokerCluster cluster;
        try {
            cluster = new BrokerCluster(
                    Files.createTempDirectory("sluice-kafka-cluster-"), FreePorts.ofMembers(brokers), brokerSettings);
        } catch (IOException e) {
            throw new UncheckedIOException("no folder and ports for a cluster", e);
        }
        Runtime.getRuntime().addShutdownHook(cluster.atExit);
        try {
            cluster.startAll();
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    private synchronized void startAll() {
        Uuid clusterId = Uuid.randomUuid();
        for (int broker : ports.keySet()) {
            BrokerFolder.format(data(broker), broker, clusterId);
            writeSettings(broker);
            brokers.put(broker, startProcess(broker));
        }
        awaitMembers(ports.keySet());
        LOG.atInfo().addKeyValue("bootstrapServers", bootstrapServers()).log("cluster of brokers started");
    }

    /**
     * The address of all brokers for {@code bootstrap.servers}, of the shape {@code
     * 127.0.0.1:<port>,127.0.0.1:<port>}.
     */
    public String bootstrapServers() {
        return ports.keySet().stream().map(this::address).collect(Collectors.joining(","));
    }

    /** The address of one broker, the same in all of its lives. */
    public String address(int broker) {
        return BrokerNode.LOOPBACK + ":"
                + Objects.requireNonNull(ports.get(broker), "no broker " + broker)
                        .client();
    }

    /** The number of each broker's process. */
    public synchronized Set<Long> pids() {
        return brokers.values().stream().map(JavaProcess::pid).collect(Collectors.toSet());
    }

    /**
     * Freezes a broker (SIGSTOP): its machine still accepts connections and bytes, but nothing answers. To its clients
     * it looks like a host that vanished. Does nothing when it is frozen already.
     *
     * @throws IllegalStateException when it does not run
     */
    public synchronized void freeze(int broker) {
        running(broker).freeze();
    }

    /** Resumes a frozen broker (SIGCONT) and returns at once; does nothing when it is not frozen. */
    public synchronized void resume(int broker) {
        running(broker).resume();
    }

    /** Ends a broker without a warning (SIGKILL), frozen or not, and returns when its process is gone. */
    public synchronized void kill(int broker) {
        process(broker).kill();
    }

    /**
     * Starts a broker that was killed, with the data and at the address that it had; returns when it is in the cluster.
     * Its replicas catch up afterwards.
     *
     * @throws IllegalStateException when it runs, or does not start
     */
    public synchronized void restart(int broker) {
        if (process(broker).isAlive()) {
            throw new IllegalStateException("a broker must be killed before it is started again: broker " + broker);
        }
        brokers.put(broker, startProcess(broker));
        awaitMembers(Set.of(broker));
    }

    /**
     * The leader of a partition, as the answering brokers know it.
     *
     * @return empty when it has no leader, does not exist, or no broker answers within a few seconds
     */
    public OptionalInt leader(String topic, int partition) {
        return state(topic, partition)
                .map(TopicPartitionInfo::leader)
                .filter(leader -> !leader.isEmpty())
                .map(leader -> OptionalInt.of(leader.id()))
                .orElse(OptionalInt.empty());
    }

    /**
     * The brokers whose replicas of a partition are in sync, as the answering brokers know it; none when
     * {@link #leader} has no answer either.
     */
    public Set<Integer> inSync(String topic, int partition) {
        return state(topic, partition)
                .map(state -> state.isr().stream().map(Node::id).collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    /**
     * Whether every partition, of Kafka's own topics too, has a leader that is not this broker. So say the answering
     * brokers; false when none answers within a few seconds.
     */
    public boolean isReplaced(int broker) {
        try (ClusterView view = ClusterView.of(answering())) {
            return view.isLedWithout(broker);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while brokers were asked for their leaders", e);
        }
    }

    private Optional<TopicPartitionInfo> state(String topic, int partition) {
        try (ClusterView view = ClusterView.of(answering())) {
            return view.partition(topic, partition);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while brokers were asked for " + topic, e);
        }
    }

    private synchronized String answering() {
        return brokers.entrySet().stream()
                .filter(broker ->
                        broker.getValue().isAlive() && !broker.getValue().isFrozen())
                .map(broker -> address(broker.getKey()))
                .collect(Collectors.joining(","));
    }

    private JavaProcess startProcess(int broker) {
        return JavaProgram.of(BrokerProgram.class, settings(broker).toString())
                .named("broker-" + broker)
                .small(HEAP_MEGABYTES)
                .start(folder.resolve("broker-" + broker + ".log"));
    }

    private JavaProcess running(int broker) {
        JavaProcess process = process(broker);
        process.requireAlive();
        return process;
    }

    private JavaProcess process(int broker) {
        return Objects.requireNonNull(brokers.get(broker), "no broker " + broker);
    }

    private void awaitMembers(Set<Integer> expected) {
        long deadlineNanos = System.nanoTime() + START.toNanos();
        try (ClusterView view = ClusterView.of(bootstrapServers())) {
            while (!view.members().containsAll(expected)) {
                expected.forEach(this::running);
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException("not in the cluster after " + START + ": one of " + expected);
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while brokers started", e);
        }
    }

    private void writeSettings(int broker) {
        Properties settings = new Properties();
        settings.putAll(BrokerSettings.ofMember(broker, data(broker), ports, told));
        try (Writer file = Files.newBufferedWriter(settings(broker))) {
            settings.store(file, null);
        } catch (IOException e) {
            throw new UncheckedIOException("no settings for broker " + broker, e);
        }
    }

    private Path data(int broker) {
        return folder.resolve("broker-" + broker);
    }

    private Path settings(int broker) {
        return folder.resolve("broker-" + broker + ".properties");
    }

    /** Kills all brokers, waits until they are gone and deletes their data. Closing again does nothing. */
    @Override
    public void close() {
        if (tryEnd()) {
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
    }

    /** Returns false when it was closed before. */
    private synchronized boolean tryEnd() {
        if (closed) {
            return false;
        }
        closed = true;
        brokers.values().forEach(JavaProcess::close);
        brokers.values().forEach(JavaProcess::kill);
        try {
            Utils.delete(folder.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("something of a cluster stays behind in " + folder, e);
        }
        return true;
    }

    @Override
    public String toString() {
        return "BrokerCluster[" + bootstrapServers() + " in " + folder + "]";
    }
}
