package io.sluice.relay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BoundedAdminIT {
    private static final Duration MOST = Duration.ofSeconds(4);

    @Test
    void a_client_whose_call_gets_no_answer_closes_at_once() throws IOException {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var admin = new KafkaAccess("localhost:" + silent.getLocalPort(), Map.of()).adminForReading();
            var unused = admin.describeTopics(List.of("orders.history"));

            long begunNanos = System.nanoTime();
            admin.close();

            assertThat(Duration.ofNanos(System.nanoTime() - begunNanos))
                    .as("Kafka's own close waits for the call, up to five minutes")
                    .isLessThan(MOST);
        }
    }
}
