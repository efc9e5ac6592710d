package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
import org.junit.jupiter.params.provider.ValueSource;

/** The files that are shipped, each as an operator would post it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShippedConfigurationsTest {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([A-Z_]+)}");
    private static final Path SERVICE_PRINCIPAL = Path.of("service-principal");
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

    @ParameterizedTest
    @MethodSource("configurations")
    void a_sink_reads_only_what_was_committed_and_sets_aside_what_it_cannot_read(Path file) throws IOException {
        var config = read(file);
        assumeTrue(config.containsKey("topics"), "a source");

        assertThat(config)
                .containsEntry("consumer.override.isolation.level", "read_committed")
                .containsEntry("errors.tolerance", "all")
                .containsEntry("errors.deadletterqueue.context.headers.enable", "true")
                .containsKey("errors.deadletterqueue.topic.name");
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void no_converter_infers_a_schema(Path file) throws IOException {
        var config = read(file);

        assertThat(config.getOrDefault("value.converter", ""))
                .isIn(
                        "org.apache.kafka.connect.json.JsonConverter",
                        "org.apache.kafka.connect.storage.StringConverter");
        if (config.getOrDefault("value.converter", "").endsWith("JsonConverter")) {
            assertThat(config).containsEntry("value.converter.schemas.enable", "false");
        }
    }

    /** The topic is compacted and has tombstones, of which the connector can make no item: it would end its task. */
    @ParameterizedTest
    @ValueSource(strings = {"sink/status.json", "service-principal/sink/status.json"})
    void the_read_model_is_written_in_order_by_the_instance_and_without_tombstones(Path file) {
        var config = read(file);

        assertThat(config)
                .containsEntry("azure.cosmos.sink.write.strategy", "ItemOverwrite")
                .containsEntry("azure.cosmos.sink.id.strategy", "ProvidedInValueStrategy")
                .containsEntry("azure.cosmos.sink.bulk.enabled", "false");
        var filter = "transforms.living";
        assertThat(config.getOrDefault("transforms", "")).startsWith("living,");
        assertThat(config).containsEntry(filter + ".type", "org.apache.kafka.connect.transforms.Filter");
        assertThat(config)
                .containsEntry(
                        "predicates." + config.get(filter + ".predicate") + ".type",
                        "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone");
        assertThat(config).doesNotContainKey(filter + ".negate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sink/lifecycle.json", "service-principal/sink/lifecycle.json"})
    void facts_are_appended_under_their_own_ids(Path file) {
        assertThat(read(file))
                .containsEntry("azure.cosmos.sink.write.strategy", "ItemAppend")
                .containsEntry("azure.cosmos.sink.id.strategy", "ProvidedInValueStrategy");
    }

    /**
     * A document has 2 MB at most, Kafka's producers give up at 1 MB; a record that is set aside carries headers
     * beside.
     */
    @ParameterizedTest
    @MethodSource("configurations")
    void whatever_is_written_to_a_topic_may_be_as_large_as_a_record_of_ours(Path file) throws IOException {
        var config = read(file);
        int least = config.containsKey("topics") ? (4 << 20) + 1 : 4 << 20;

        assertThat(Integer.parseInt(config.getOrDefault("producer.override.max.request.size", "1048576")))
                .isGreaterThanOrEqualTo(least);
    }

    /**
     * The connector makes items of objects alone, and ends its task at anything else; a transform's failure is
     * tolerated.
     */
    @ParameterizedTest
    @ValueSource(strings = {"sink/history-audit.json", "sink/lifecycle.json", "sink/status.json"})
    void what_is_no_object_fails_before_the_connector(Path file) {
        var config = read(file);

        assertThat(config.getOrDefault("transforms", "")).endsWith("object");
        assertThat(config)
                .containsEntry("transforms.object.type", "org.apache.kafka.connect.transforms.ReplaceField$Value");
    }

    @Test
    void a_dead_letter_that_no_item_can_hold_is_set_aside_and_does_not_stop_the_others() {
        assertThat(read(Path.of("sink", "dead-letters.json")))
                .containsEntry("azure.cosmos.sink.errors.tolerance.level", "All")
                .containsKey("errors.deadletterqueue.topic.name");
    }

    @Test
    void every_container_a_sink_writes_to_is_one_that_can_be_made() throws IOException {
        assertThat(byKey().stream()
                        .map(file -> read(file).getOrDefault("azure.cosmos.sink.containers.topicMap", ""))
                        .filter(pair -> !pair.isEmpty())
                        .map(pair -> pair.substring(pair.indexOf('#') + 1)))
                .containsExactlyInAnyOrderElementsOf(ContainersCommand.PARTITION_KEYS.keySet());
    }

    @Test
    void no_two_connectors_share_a_name_or_a_container() throws IOException {
        assertThat(byKey())
                .extracting(file -> Shipped.file(file).path("name").asText())
                .doesNotHaveDuplicates();
        assertThat(byKey())
                .extracting(file -> read(file).getOrDefault("azure.cosmos.sink.containers.topicMap", file.toString()))
                .extracting(pair -> pair.substring(pair.indexOf('#') + 1))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void a_variant_for_a_service_principal_differs_in_how_it_signs_in_alone(Path file) throws IOException {
        var byPrincipal = read(file);
        var byKey = read(SERVICE_PRINCIPAL.relativize(file));

        assertThat(withoutSigningIn(byPrincipal)).isEqualTo(withoutSigningIn(byKey));
        assertThat(byPrincipal).containsEntry("azure.cosmos.auth.type", "ServicePrincipal");
    }

    @Test
    void every_configuration_has_both_variants() throws IOException {
        assertThat(variants()).map(SERVICE_PRINCIPAL::relativize).isEqualTo(byKey());
    }

    private static Map<String, String> withoutSigningIn(Map<String, String> config) {
        var rest = new HashMap<>(config);
        rest.keySet()
                .removeIf(key -> key.startsWith("azure.cosmos.auth.")
                        || key.equals("azure.cosmos.account.key")
                        || key.equals("azure.cosmos.account.tenantId"));
        return rest;
    }

    private static List<Path> configurations() throws IOException {
        return Stream.concat(byKey().stream(), variants().stream()).toList();
    }

    private static List<Path> byKey() throws IOException {
        return Stream.concat(filesIn(Path.of("source")), filesIn(Path.of("sink")))
                .toList();
    }

    private static List<Path> variants() throws IOException {
        return Stream.concat(filesIn(SERVICE_PRINCIPAL.resolve("source")), filesIn(SERVICE_PRINCIPAL.resolve("sink")))
                .toList();
    }

    private static Stream<Path> filesIn(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.sorted().toList().stream();
        }
    }

    private static Map<String, String> read(Path file) {
        assertThat(Shipped.file(file).path("name").asText())
                .as("name of the connector in %s", file)
                .isNotBlank();
        return Shipped.config(file);
    }

    private static Properties worker() throws IOException {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(WORKER)) {
            properties.load(reader);
        }
        return properties;
    }
}
