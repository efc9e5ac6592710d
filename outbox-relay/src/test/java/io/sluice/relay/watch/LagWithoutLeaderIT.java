package io.sluice.relay.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.BrokerCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A topic one of whose partitions lies on a broker that died. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("thorough")
class LagWithoutLeaderIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DYING = 3;
    private static final String TOPIC = "orders.history";

    @Test
    void offsets_of_the_partitions_that_have_a_leader_stay_known() throws Exception {
        try (var cluster = BrokerCluster.start(DYING)) {
            var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
            try (var admin = kafka.admin()) {
                KafkaTopics.create(admin, new NewTopic(TOPIC, Map.of(0, List.of(1), 1, List.of(DYING))));
            }
            var offsets = new GroupOffsets(kafka, "orders-streams", TOPIC);
            assertThat(offsets.now().known()).containsOnlyKeys(0, 1);

            cluster.kill(DYING);
            await().atMost(PATIENCE).until(() -> cluster.leader(TOPIC, 1).isEmpty());

            await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
                var now = offsets.now();
                assertThat(now.unknown()).containsExactly(1);
                assertThat(now.known()).containsOnlyKeys(0);
            });
        }
    }
}
