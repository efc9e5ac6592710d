package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BrokerClusterIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Thorough as the tests that use such a cluster are. */
    @Test
    @Tag("thorough")
    void records_outlive_a_broker_that_freezes_and_one_that_dies_and_both_come_back() throws Exception {
        // By default brokers wait half a minute for one that is frozen.
        try (BrokerCluster cluster = BrokerCluster.start(3, Map.of("request.timeout.ms", "5000"))) {
            KafkaUser user = new KafkaUser(cluster.bootstrapServers());
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
                KafkaTopics.create(admin, new NewTopic("orders", 1, (short) 3));
            }
            user.commit("writer", "orders", "before");
            int frozen = leader(cluster);

            cluster.freeze(frozen);
            await("another leads").atMost(TIMEOUT).until(() -> leader(cluster) != frozen);
            user.commit("writer", "orders", "while one is frozen");
            await("others lead all").atMost(TIMEOUT).until(() -> cluster.isReplaced(frozen));
            assertThat(cluster.isReplaced(leader(cluster))).isFalse();
            cluster.resume(frozen);
            awaitAllInSync(cluster);

            int killed = leader(cluster);
            cluster.kill(killed);
            user.commit("writer", "orders", "while one is dead");
            cluster.restart(killed);
            awaitAllInSync(cluster);

            assertThat(user.readCommitted("orders"))
                    .containsExactly("before", "while one is frozen", "while one is dead");
        }
    }

    @Test
    void no_broker_outlives_a_JVM_that_is_killed_not_even_a_frozen_one() throws Exception {
        List<ProcessHandle> brokers;
        try (JavaProcess program =
                JavaProgram.of(ClusterProgram.class).small(128).start()) {
            brokers = Arrays.stream(program.awaitPrinted(ClusterProgram.PIDS).split(" "))
                    .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                    .toList();
            program.kill();
        }

        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(brokers).hasSize(2).noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void a_number_of_brokers_out_of_range_is_refused() {
        assertThatThrownBy(() -> BrokerCluster.start(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("brokers must be 1 to 5, was 0");
    }

    private static int leader(BrokerCluster cluster) {
        return await().atMost(TIMEOUT)
                .until(() -> cluster.leader("orders", 0), OptionalInt::isPresent)
                .getAsInt();
    }

    private static void awaitAllInSync(BrokerCluster cluster) {
        await("all follow")
                .atMost(TIMEOUT)
                .until(() -> cluster.inSync("orders", 0).size() == 3);
    }
}
