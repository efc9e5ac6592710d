package io.sluice.testkit;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.SharedServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Broker and controller of one node, assembled as {@code KafkaRaftServer} does, with two differences: a fatal fault is
 * logged and does not end the JVM; and nothing is registered in JMX, where the names of two nodes would clash.
 */
final class BrokerNode implements AutoCloseable {
    static final String LOOPBACK = "127.0.0.1";
    static final String LOOPBACK_NAME = "localhost";

    private static final Logger LOG = LoggerFactory.getLogger(BrokerNode.class);
    private static final int ANSWER_TIMEOUT_SECONDS = 30;

    private final ListenerSockets sockets;
    private final ControllerServer controller;
    private final BrokerServer broker;

    private BrokerNode(ListenerSockets sockets, ControllerServer controller, BrokerServer broker) {
        this.sockets = sockets;
        this.controller = controller;
        this.broker = broker;
    }

    /** Starts a node on a formatted folder and returns when it answers; a failed start leaves nothing running. */
    static BrokerNode start(Path folder, int clientPort, List<String> moreListeners, Map<String, String> overrides) {
        BrokerNode node = assemble(folder, ListenerSockets.bind(clientPort, moreListeners), overrides);
        try {
            node.startup();
            return node;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw node.closeAfter(new IllegalStateException("interrupted while a broker started in " + folder, e));
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            throw node.closeAfter(new IllegalStateException(
                    "the embedded broker did not start in " + folder + ": " + e.getMessage(), e));
        }
    }

    private static BrokerNode assemble(Path folder, ListenerSockets sockets, Map<String, String> overrides) {
        try {
            InetSocketAddress controllerAddress = sockets.controller();
            KafkaConfig config = new KafkaConfig(BrokerSettings.of(folder, sockets, overrides), false);
            var storage = KafkaRaftServer.initializeLogDirs(config, LOG, "");
            MetaPropertiesEnsemble identity = storage._1();
            BootstrapMetadata bootstrap = storage._2();
            SharedServer shared = new SharedServer(
                    config,
                    identity,
                    Time.SYSTEM,
                    new Metrics(),
                    CompletableFuture.completedFuture(Map.of(BrokerSettings.NODE_ID, controllerAddress)),
                    List.of(),
                    (name, fatal, action) -> (message, cause) -> fault(name, message, cause, action),
                    sockets);
            BrokerServer broker = new BrokerServer(shared);
            ControllerServer controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), bootstrap);
            return new BrokerNode(sockets, controller, broker);
        } catch (RuntimeException | Error e) {
            sockets.close();
            throw e;
        }
    }

    private static RuntimeException fault(String component, String message, Throwable cause, Runnable action) {
        LOG.atError()
                .addKeyValue("component", component)
                .setCause(cause)
                .log("fault in the embedded broker: " + message);
        action.run();
        return new IllegalStateException(component + ": " + message, cause);
    }

    /** Starts the controller first: the broker learns its address from it. */
    private void startup() throws InterruptedException, ExecutionException, TimeoutException {
        controller.startup();
        broker.startup();
        Admin admin = Admin.create(Map.of("bootstrap.servers", LOOPBACK + ":" + port()));
        try {
            admin.describeCluster().nodes().get(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } finally {
            admin.close(KafkaTopics.CLOSE_LIMIT);
        }
    }

    int port() {
        return sockets.client().getPort();
    }

    /** The address of one of the listeners. */
    String address(String listener) {
        return ListenerSockets.host(listener) + ":" + sockets.address(listener).getPort();
    }

    /** Stops the broker first: it signs off from the controller. */
    @Override
    public void close() {
        try {
            broker.shutdown();
            broker.awaitShutdown();
        } finally {
            try {
                controller.shutdown();
                controller.awaitShutdown();
            } finally {
                sockets.close();
            }
        }
    }

    private IllegalStateException closeAfter(IllegalStateException failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }
}
