package io.sluice.relay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.relay.contract.TopicCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The sinks of connect-config read this relay's topics and write to the containers that it provisions. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectFilesTest {
    private static final String PREFIX = "${env:SLUICE_PREFIX}";

    @Test
    void every_sink_reads_a_topic_of_the_catalogue() throws IOException {
        assertThat(sinks())
                .extracting(sink -> sink.path("topics").asText())
                .allSatisfy(topic -> assertThat(TopicCatalogue.OWN)
                        .extracting(contract -> contract.name(PREFIX))
                        .contains(topic));
    }

    @Test
    void every_container_of_a_sink_is_provisioned_and_no_other() throws IOException {
        assertThat(sinks())
                .allSatisfy(sink -> assertThat(topicMap(sink))
                        .startsWith(sink.path("topics").asText() + "#"))
                .extracting(sink -> topicMap(sink).substring(topicMap(sink).indexOf('#') + 1))
                .containsExactlyInAnyOrderElementsOf(SinkContainers.PARTITION_KEYS.keySet());
    }

    private static String topicMap(JsonNode sink) {
        return sink.path("azure.cosmos.sink.containers.topicMap").asText();
    }

    private static List<JsonNode> sinks() throws IOException {
        var sinks = new ArrayList<JsonNode>();
        try (var files = Files.list(Path.of("..", "connect-config", "sink"))) {
            for (var file : files.toList()) {
                sinks.add(new ObjectMapper().readTree(file.toFile()));
            }
        }
        return sinks;
    }
}
