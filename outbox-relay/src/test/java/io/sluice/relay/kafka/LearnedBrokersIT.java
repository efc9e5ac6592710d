package io.sluice.relay.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LearnedBrokersIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A broker that is frozen: its machine takes connections, and nobody answers. */
    private static final class FrozenBroker implements AutoCloseable {
        private final ServerSocket socket;
        private final AtomicInteger met = new AtomicInteger();
        private final List<Socket> connections = new ArrayList<>();

        FrozenBroker() throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            var accepting = new Thread(this::accept, "frozen-broker");
            accepting.setDaemon(true);
            accepting.start();
        }

        private void accept() {
            try {
                while (true) {
                    connections.add(socket.accept());
                    met.incrementAndGet();
                }
            } catch (SocketException e) {
                assertThat(socket.isClosed()).as("ended by the test").isTrue();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        String address() {
            return "127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void clients_of_a_takeover_do_not_meet_a_frozen_broker_that_another_has_learned_of() throws Exception {
        var topic = kafka.prefix() + ".positions";
        try (var admin = new KafkaAccess(kafka.bootstrapServers(), Map.of()).admin()) {
            KafkaTopics.create(admin, new NewTopic(topic, 1, (short) 1));
        }
        try (var frozen = new FrozenBroker()) {
            var access = new KafkaAccess(frozen.address() + "," + kafka.bootstrapServers(), Map.of());
            // The first may meet it, more than once.
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(KafkaException.class)
                    .until(() -> {
                        access.transactional(kafka.prefix() + "-0", topic).close(Duration.ZERO);
                        return true;
                    });
            int metByTheFirst = frozen.met.get();

            for (int i = 0; i < 8; i++) {
                try (var producer = access.transactional(kafka.prefix() + "-" + i, topic);
                        var reader = access.reader()) {
                    producer.initTransactions();
                    assertThat(reader.partitionsFor(topic)).hasSize(1);
                }
            }

            assertThat(frozen.met.get() - metByTheFirst)
                    .as("connections of 8 takeovers to the frozen broker")
                    .isZero();
        }
    }
}
