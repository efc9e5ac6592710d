package io.sluice.relay.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.contract.Examples;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AvroFormatTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Map<TopicContract, String> SCHEMAS = Map.of(
            TopicCatalogue.LIFECYCLE, "lifecycle",
            TopicCatalogue.STATUS, "status",
            TopicCatalogue.STATISTICS, "statistics",
            TopicCatalogue.STUCK, "stuck");

    @TempDir
    Path folder;

    private static Schema schema(String name) throws IOException {
        try (var in = LifecycleEvent.class.getResourceAsStream("/io/sluice/client/schemas/" + name + ".avsc")) {
            return new Schema.Parser().parse(in);
        }
    }

    private static GenericRecord decoded(Schema schema, byte[] value) throws IOException {
        return new BinaryMessageDecoder<GenericRecord>(GenericData.get(), schema).decode(value);
    }

    /** Times are numbers in Avro: a record's own text is not compared with them, but read by its field. */
    private static void assertSame(GenericRecord avro, JsonNode json, String at) {
        json.properties().forEach(field -> {
            var where = at + "." + field.getKey();
            assertThat(avro.getSchema().getField(field.getKey()))
                    .as("%s in the schema", where)
                    .isNotNull();
            var value = avro.get(field.getKey());
            if (value instanceof GenericRecord inner) {
                assertSame(inner, field.getValue(), where);
            } else if (value instanceof Long millis && field.getValue().isTextual()) {
                assertThat(Instant.ofEpochMilli(millis))
                        .as(where)
                        .isEqualTo(Instant.parse(field.getValue().textValue()));
            } else {
                assertThat(String.valueOf(value))
                        .as(where)
                        .isEqualTo(field.getValue().asText());
            }
        });
    }

    @Test
    void everything_that_streams_tell_is_the_same_in_both_forms() throws IOException {
        var avro = AvroFormat.by(SingleObjects.class.getName(), null);
        var inJson = Examples.streams(folder.resolve("json"), ValueFormat.JSON);
        var inAvro = Examples.streams(folder.resolve("avro"), avro);

        for (var topic : SCHEMAS.entrySet()) {
            var schema = schema(topic.getValue());
            var json = inJson.getOrDefault(topic.getKey(), List.of());
            var records = inAvro.getOrDefault(topic.getKey(), List.of());
            assertThat(records).as(topic.getValue()).hasSameSizeAs(json).isNotEmpty();
            for (int i = 0; i < json.size(); i++) {
                assertThat(records.get(i).key()).isEqualTo(json.get(i).key());
                if (json.get(i).value() == null) {
                    assertThat(records.get(i).value()).as("a tombstone").isNull();
                } else {
                    assertSame(
                            decoded(schema, records.get(i).value()),
                            JSON.readTree(json.get(i).value()),
                            topic.getValue());
                }
            }
        }
        assertThat(inAvro.get(TopicCatalogue.LIFECYCLE))
                .extracting(each ->
                        new String(each.headers().lastHeader("content-type").value(), UTF_8))
                .containsOnly("application/avro");
    }

    @Test
    void a_fact_that_is_not_known_is_kept_as_json() throws IOException {
        var form = AvroFormat.by(SingleObjects.class.getName(), null);
        var event = new LifecycleEvent(
                "id",
                "order",
                1,
                2,
                Instant.EPOCH,
                null,
                null,
                null,
                "order",
                new Fact.Unknown("paused", "{\"for\":7}"));

        var record = decoded(schema("lifecycle"), form.encode("t", new RecordHeaders(), event));

        assertThat(record.get("type")).hasToString("paused");
        assertThat(((GenericRecord) record.get("fact")).get("unknown")).hasToString("{\"for\":7}");
        assertThat(record.get("orchestration")).isNull();
    }

    @Test
    void the_serializer_is_given_its_properties_and_the_headers() throws IOException {
        var file = Files.writeString(folder.resolve("avro.properties"), "origin=here\n");
        var headers = new RecordHeaders();
        var event =
                new LifecycleEvent("id", "order", 1, 2, Instant.EPOCH, null, null, null, "order", new Fact.Created());

        AvroFormat.by(SingleObjects.class.getName(), file).encode("t", headers, event);

        assertThat(new String(headers.lastHeader("origin").value(), UTF_8)).isEqualTo("here");
    }

    @ParameterizedTest
    @CsvSource({"io.sluice.NoSuchClass", "java.lang.String", "io.sluice.relay.streams.AvroFormatTest"})
    void a_class_that_is_no_serializer_is_refused_with_the_remedy(String name) {
        assertThatThrownBy(() -> AvroFormat.by(name, null))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("SLUICE_STREAMS_AVRO_SERIALIZER");
    }

    @Test
    void properties_that_it_refuses_or_that_are_not_there_are_told() throws IOException {
        var refused = Files.writeString(folder.resolve("avro.properties"), "origin=nowhere\n");

        assertThatThrownBy(() -> AvroFormat.by(SingleObjects.class.getName(), refused))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("origin must be somewhere")
                .hasMessageContaining("SLUICE_STREAMS_AVRO_PROPERTIES");
        assertThatThrownBy(() -> AvroFormat.by(SingleObjects.class.getName(), folder.resolve("none")))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("SLUICE_STREAMS_AVRO_PROPERTIES");
    }
}
