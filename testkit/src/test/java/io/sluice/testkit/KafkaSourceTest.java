package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KafkaSourceTest {

    @Test
    void nothing_named_is_embedded() {
        assertThat(KafkaSource.firstAvailable(Map.of())).isEqualTo(new KafkaSource.Embedded());
        assertThat(KafkaSource.firstAvailable(Map.of("KAFKA_BOOTSTRAP_SERVERS", " ")))
                .isEqualTo(new KafkaSource.Embedded());
    }

    @Test
    void docker_is_taken_when_asked_for() {
        assertThat(KafkaSource.firstAvailable(Map.of("SLUICE_TEST_BACKEND", "docker")))
                .isEqualTo(new KafkaSource.Docker());
    }

    @Test
    void a_named_cluster_goes_before_docker() {
        Map<String, String> environment =
                Map.of("KAFKA_BOOTSTRAP_SERVERS", "one:9092,two:9092", "SLUICE_TEST_BACKEND", "docker");

        assertThat(KafkaSource.firstAvailable(environment)).isEqualTo(new KafkaSource.Cluster("one:9092,two:9092"));
    }

    @Test
    void a_wrong_backend_is_refused_beside_a_cluster_too() {
        Map<String, String> environment = Map.of("KAFKA_BOOTSTRAP_SERVERS", "one:9092", "SLUICE_TEST_BACKEND", "moon");

        assertThatThrownBy(() -> KafkaSource.firstAvailable(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("embedded, docker");
    }
}
