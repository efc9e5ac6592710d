package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The real containers. They pull large images, so a run has to be asked for. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DockerIT {

    @BeforeAll
    static void only_when_asked_for() {
        assumeTrue(
                LocalBackend.chosenBy(System.getenv()) == LocalBackend.DOCKER,
                "set SLUICE_TEST_BACKEND=docker on a machine with a Docker engine to run the real containers");
    }

    @Test
    void kafka_in_docker_has_transactions() throws Exception {
        try (KafkaBackend kafka = new KafkaSource.Docker().open()) {
            KafkaUser user = new KafkaUser(kafka.bootstrapServers());
            user.createTopic("orders");

            user.commit("writer", "orders", "kept");
            user.abort("writer", "orders", "dropped");

            assertThat(user.readCommitted("orders")).containsExactly("kept");
        }
    }

    @Test
    void cosmos_in_docker_takes_a_document() {
        try (CosmosBackend cosmos = new CosmosSource.Docker().open();
                var client = cosmos.clientBuilder().buildClient()) {
            var database = client.getDatabase(cosmos.account().database());
            database.createContainer("orders", "/id");

            var written = database.getContainer("orders").createItem(Map.of("id", "one"));

            assertThat(written.getStatusCode()).isEqualTo(201);
        }
    }
}
