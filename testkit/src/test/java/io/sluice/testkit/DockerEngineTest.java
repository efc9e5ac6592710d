package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DockerEngineTest {

    @BeforeAll
    static void only_without_docker() {
        assumeFalse(DockerEngine.isReachable(), "a Docker engine is reachable here, so its absence can't be shown");
    }

    @Test
    void cosmos_in_docker_without_an_engine_says_what_to_do() {
        assertThatThrownBy(() -> new CosmosSource.Docker().open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("asks for a Cosmos emulator in Docker, but no Docker engine is reachable")
                .hasMessageContaining("DOCKER_HOST")
                .hasMessageContaining("unset SLUICE_TEST_BACKEND");
    }

    @Test
    void kafka_in_docker_without_an_engine_says_what_to_do() {
        assertThatThrownBy(() -> new KafkaSource.Docker().open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("asks for a Kafka broker in Docker, but no Docker engine is reachable");
    }
}
