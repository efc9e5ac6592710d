package io.sluice.relay.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.provider.history.EventKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the relay's own code makes is what the catalogue and the schemas say, and what they don't say they refuse. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContractTest {
    private static Map<TopicContract, List<ProducerRecord<byte[], byte[]>>> examples = Map.of();

    @BeforeAll
    static void make(@TempDir Path folder) {
        examples = Examples.all(folder);
    }

    private static List<ProducerRecord<byte[], byte[]>> of(TopicContract contract) {
        return Optional.ofNullable(examples.get(contract)).orElseThrow();
    }

    static Stream<TopicContract> topics() {
        return Stream.concat(TopicCatalogue.OWN.stream(), Stream.of(TopicCatalogue.REPLIES));
    }

    static Stream<String> schemas() {
        return Stream.concat(topics(), Stream.of(TopicCatalogue.REPLAY))
                .flatMap(contract -> contract.values().stream())
                .map(TopicValue::schema)
                .filter(Objects::nonNull)
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("topics")
    void every_form_of_a_topics_records_is_as_promised(TopicContract contract) {
        assertThat(of(contract)).isNotEmpty().allSatisfy(message -> ContractCheck.fits(contract, message));
    }

    @Test
    void the_id_of_a_fact_ends_as_the_catalogue_promises() {
        var promised = TopicCatalogue.LIFECYCLE.promises().identity();
        var betweenIdAndType = promised.substring(promised.indexOf('>') + 1, promised.indexOf("<type>"));

        assertThat(of(TopicCatalogue.LIFECYCLE)).isNotEmpty().allSatisfy(message -> {
            var type = LifecycleJson.event(message.value()).fact().type();
            assertThat(new String(message.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8))
                    .endsWith(betweenIdAndType + type);
        });
    }

    @Test
    void a_header_of_the_catalogue_stands_on_some_record_of_its_topic() {
        topics().filter(contract -> !contract.equals(TopicCatalogue.COMMANDS)).forEach(contract -> {
            var seen = of(contract).stream()
                    .flatMap(message -> Arrays.stream(message.headers().toArray()))
                    .map(header -> header.key())
                    .collect(Collectors.toSet());
            assertThat(seen)
                    .as("headers of %s", contract.suffix())
                    .containsAll(
                            contract.headers().stream().map(TopicHeader::name).toList());
        });
    }

    @Test
    void every_type_of_event_and_of_fact_is_among_them() {
        assertThat(EveryEvent.histories().stream()
                        .<Class<?>>map(event -> event.kind().getClass())
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(List.of(EventKind.class.getPermittedSubclasses()));
        assertThat(of(TopicCatalogue.LIFECYCLE).stream()
                        .<Class<?>>map(message ->
                                LifecycleJson.event(message.value()).fact().getClass())
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Fact.class.getPermittedSubclasses())
                        .filter(type -> !type.equals(Fact.Unknown.class))
                        .toList());
        assertThat(of(TopicCatalogue.STATUS))
                .as("a state and a tombstone")
                .anyMatch(message -> message.value() == null)
                .anyMatch(message -> message.value() != null);
        assertThat(of(TopicCatalogue.STUCK)).anyMatch(message -> message.value() == null);
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void a_schema_is_one_and_says_of_every_object_whether_it_is_open(String schema) {
        var metaSchema =
                JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(SchemaLocation.of(SchemaId.V202012));

        assertThat(metaSchema.validate(Schemas.tree(schema))).isEmpty();
        assertThat(Schemas.tree(schema).path("$id").asText())
                .isEqualTo("urn:sluice:" + schema.replace(".schema.json", "") + ":1");
        undecided(schema, Schemas.tree(schema));
    }

    private static void undecided(String place, JsonNode schema) {
        if (schema.path("type").asText().equals("object") && schema.has("properties")) {
            assertThat(schema.has("additionalProperties") || schema.has("unevaluatedProperties"))
                    .as("%s is open or closed: %s", place, schema)
                    .isTrue();
        }
        schema.properties().forEach(part -> undecided(place + "/" + part.getKey(), part.getValue()));
        schema.elements().forEachRemaining(part -> undecided(place, part));
    }

    @Test
    void the_folder_holds_the_schemas_of_the_catalogue_and_no_other() throws IOException {
        try (var files = Files.list(Path.of("../client/src/main/resources" + TopicValue.FOLDER))) {
            var avro = TopicCatalogue.STREAMS.stream()
                    .flatMap(contract -> contract.values().stream())
                    .map(TopicValue::schema)
                    .filter(Objects::nonNull)
                    .map(schema -> schema.replace(".schema.json", ".avsc"));
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(schemas(), avro).toList());
        }
    }

    private record Valued(String schema, ObjectNode value) {}

    private static List<Valued> values() {
        return topics().flatMap(contract -> of(contract).stream()
                        .filter(message -> message.value() != null)
                        .flatMap(message -> contract.values().stream()
                                .map(TopicValue::schema)
                                .filter(Objects::nonNull)
                                .flatMap(schema -> valued(schema, message.value()).stream())))
                .toList();
    }

    private static Optional<Valued> valued(String schema, byte[] value) {
        return object(value)
                .filter(json -> Schemas.faultsOfOurs(schema, json).isEmpty())
                .map(json -> new Valued(schema, json));
    }

    private static Optional<ObjectNode> object(byte[] value) {
        try {
            return Schemas.JSON.readTree(value) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_record_without_one_of_its_fields_or_with_another_type_in_it_is_refused() {
        var broken = new TreeSet<String>();
        for (var each : values()) {
            var required = new TreeSet<String>();
            Schemas.tree(each.schema()).path("required").forEach(name -> required.add(name.asText()));
            each.value().fieldNames().forEachRemaining(name -> {
                broken.add(each.schema());
                var other = each.value().deepCopy();
                other.putArray(name).add(true);
                assertThat(Schemas.faults(each.schema(), other))
                        .as("%s with a list as %s", each.schema(), name)
                        .isNotEmpty();
                if (required.contains(name)) {
                    assertThat(Schemas.faults(
                                    each.schema(), each.value().deepCopy().without(name)))
                            .as("%s without %s", each.schema(), name)
                            .isNotEmpty();
                }
            });
        }
        assertThat(broken).containsExactlyInAnyOrderElementsOf(schemas().toList());
    }

    @Test
    void what_a_later_relay_adds_is_taken_by_a_consumer_and_refused_when_we_write_it() {
        for (var each : values()) {
            var grown = each.value().deepCopy().put("later", "added");
            assertThat(Schemas.faultsOfOurs(each.schema(), grown))
                    .as("%s", grown)
                    .isNotEmpty();
            if (!each.schema().equals("position.schema.json")) {
                assertThat(Schemas.faults(each.schema(), grown)).as("%s", grown).isEmpty();
            }
        }
        for (var schema : List.of("history.schema.json", "lifecycle.schema.json")) {
            var later = values().stream()
                    .filter(each -> each.schema().equals(schema))
                    .findFirst()
                    .orElseThrow()
                    .value()
                    .deepCopy()
                    .put("type", "walked-on-the-moon");
            assertThat(Schemas.faults(schema, later)).isEmpty();
            assertThat(Schemas.faultsOfOurs(schema, later)).isNotEmpty();
        }
    }

    static Stream<List<String>> nonsense() {
        return Stream.of(
                List.of("history.schema.json", "timestamp_ms", "-1"),
                List.of("history.schema.json", "event_id", "1.5"),
                List.of("history.schema.json", "event_id", "18446744073709551616"),
                List.of("lifecycle.schema.json", "time", "\"yesterday\""),
                List.of("lifecycle.schema.json", "parent", "{\"execution\":1}"),
                List.of("lifecycle.schema.json", "orchestration", "null"),
                List.of("status.schema.json", "state", "\"running\""),
                List.of(
                        "status.schema.json",
                        "failure",
                        "{\"category\":\"bad luck\",\"message\":\"\",\"retryable\":true}"),
                List.of("status.schema.json", "activities", "{\"started\":1,\"completed\":0}"),
                List.of("statistics.schema.json", "started", "-1"),
                List.of("statistics.schema.json", "duration", "{\"count\":0}"),
                List.of("stuck.schema.json", "threshold", "3600"),
                List.of("reply.schema.json", "status", "\"\""),
                List.of("dead-letter-intent.schema.json", "type", "\"history\""),
                List.of("position.schema.json", "max", "\"ff\""));
    }

    @ParameterizedTest
    @MethodSource("nonsense")
    void values_that_no_relay_writes_are_refused(List<String> broken) throws IOException {
        var value = values().stream()
                .filter(each -> each.schema().equals(broken.get(0)))
                .findFirst()
                .orElseThrow()
                .value()
                .deepCopy();
        value.set(broken.get(1), Schemas.JSON.readTree(broken.get(2)));

        assertThat(Schemas.faults(broken.get(0), value)).isNotEmpty();
    }
}
