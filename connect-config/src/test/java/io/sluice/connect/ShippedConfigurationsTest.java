package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files that are shipped, each as an operator would post it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShippedConfigurationsTest {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([A-Z_]+)}");
    private static final Path WORKER = Path.of("worker", "connect-distributed.properties");

    @ParameterizedTest
    @MethodSource("configurations")
    void a_shipped_configuration_has_no_faults(Path file) throws IOException {
        assertThat(ConnectorCheck.faultsOf(read(file))).as("faults of %s", file).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void every_variable_is_one_that_the_worker_lets_through(Path file) throws IOException {
        var allowed = Pattern.compile(worker().getProperty("config.providers.env.param.allowlist.pattern"));

        var variables = VARIABLE.matcher(Files.readString(file)).results().map(match -> match.group(1));

        assertThat(variables)
                .isNotEmpty()
                .allMatch(variable -> allowed.matcher(variable).matches());
    }

    @Test
    void the_source_is_keyed_by_instance_so_that_order_per_instance_holds() throws IOException {
        var source = read(Path.of("source", "cosmos-documents.json"));

        assertThat(source).containsEntry("azure.cosmos.source.messageKey.field", "instanceId");
        assertThat(source).containsEntry("value.converter.schemas.enable", "false");
    }

    @Test
    void the_sink_reads_only_what_the_relay_committed() throws IOException {
        var sink = read(Path.of("sink", "history-audit.json"));

        assertThat(sink).containsEntry("consumer.override.isolation.level", "read_committed");
    }

    private static List<Path> configurations() throws IOException {
        try (Stream<Path> sources = Files.list(Path.of("source"));
                Stream<Path> sinks = Files.list(Path.of("sink"))) {
            return Stream.concat(sources, sinks).sorted().toList();
        }
    }

    private static Map<String, String> read(Path file) throws IOException {
        var json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.path("name").asText())
                .as("name of the connector in %s", file)
                .isNotBlank();
        return new ObjectMapper().convertValue(json.path("config"), new TypeReference<>() {});
    }

    private static Properties worker() throws IOException {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(WORKER)) {
            properties.load(reader);
        }
        return properties;
    }
}
