package io.sluice.relay.streams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.client.lifecycle.StuckInstance;
import io.sluice.program.PrerequisiteException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Values as Avro records, written by a configured serializer class, such as a schema registry's. The operator
 * puts this class and Avro's library on the class path; the schemas are in the client's jar.
 */
public final class AvroFormat implements ValueFormat {
    private static final String SCHEMAS = "/io/sluice/client/schemas/";
    private static final Map<Class<?>, String> FILES = Map.of(
            LifecycleEvent.class, "lifecycle.avsc",
            InstanceStatus.class, "status.avsc",
            OrchestrationStatistics.class, "statistics.avsc",
            StuckInstance.class, "stuck.avsc");
    private static final JsonMapper JSON = new JsonMapper();

    private final Serializer<Object> serializer;
    private final Map<Class<?>, Schema> schemas = new HashMap<>();

    private AvroFormat(Serializer<Object> serializer) {
        this.serializer = serializer;
        FILES.forEach((type, file) -> schemas.put(type, schema(file)));
    }

    /**
     * By the serializer of this class.
     *
     * @param properties file of what it is configured with; null for nothing
     * @throws PrerequisiteException when the class can't be found, is no serializer or refuses its properties, or the
     *     file can't be read
     */
    public static ValueFormat by(String className, @Nullable Path properties) {
        var configuration = configuration(properties);
        try {
            var serializer = serializer(className);
            serializer.configure(configuration, false);
            return new AvroFormat(serializer);
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            throw new PrerequisiteException(
                    "can't use " + className + " as the streams' serializer (" + e
                            + "); SLUICE_STREAMS_AVRO_SERIALIZER names a public class that implements"
                            + " Kafka's Serializer; put its jar and those it needs, Avro's among them, on the class path",
                    e);
        } catch (RuntimeException e) {
            throw new PrerequisiteException(
                    className + " refuses what it is configured with: " + e.getMessage()
                            + "; check the file that SLUICE_STREAMS_AVRO_PROPERTIES names",
                    e);
        }
    }

    @SuppressWarnings("unchecked") // the operator configures a serializer that takes records
    private static Serializer<Object> serializer(String className) throws ReflectiveOperationException {
        return (Serializer<Object>) Class.forName(className)
                .asSubclass(Serializer.class)
                .getConstructor()
                .newInstance();
    }

    private static Map<String, String> configuration(@Nullable Path file) {
        Map<String, String> configuration = new LinkedHashMap<>();
        if (file != null) {
            var properties = new Properties();
            try (var in = Files.newBufferedReader(file)) {
                properties.load(in);
            } catch (IOException | IllegalArgumentException e) {
                throw new PrerequisiteException(
                        "can't read the file that SLUICE_STREAMS_AVRO_PROPERTIES names: " + e, e);
            }
            properties.stringPropertyNames().forEach(name -> configuration.put(name, properties.getProperty(name)));
        }
        return configuration;
    }

    private static Schema schema(String file) {
        try (var in = Objects.requireNonNull(LifecycleEvent.class.getResourceAsStream(SCHEMAS + file), file)) {
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String contentType() {
        return "application/avro";
    }

    @Override
    public byte[] encode(String topic, Headers headers, Object value) {
        var schema = Objects.requireNonNull(schemas.get(value.getClass()), value.getClass()::getName);
        return serializer.serialize(topic, headers, AvroRecords.record(schema, tree(value)));
    }

    /** A fact that this version does not know has no fields of its own, but its JSON. */
    private static JsonNode tree(Object value) {
        try {
            var tree = (ObjectNode) JSON.readTree(LifecycleJson.encode(value));
            if (value instanceof LifecycleEvent event && event.fact() instanceof Fact.Unknown unknown) {
                tree.putObject("fact").put("unknown", unknown.json());
            }
            return tree;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        serializer.close();
    }
}
