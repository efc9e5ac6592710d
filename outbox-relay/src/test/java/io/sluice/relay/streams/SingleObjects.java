package io.sluice.relay.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Avro's own form of single objects: the schema's fingerprint, then the record. Made as a registry's serializer would
 * be, by its class name.
 */
public final class SingleObjects implements Serializer<Object> {
    private String origin = "";

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (isKey) {
            throw new IllegalArgumentException("made for values");
        }
        if ("nowhere".equals(configs.get("origin"))) {
            throw new IllegalArgumentException("origin must be somewhere");
        }
        origin = String.valueOf(configs.get("origin"));
    }

    @Override
    public byte[] serialize(String topic, Object data) {
        throw new IllegalStateException("headers are there to be written");
    }

    @Override
    public byte[] serialize(String topic, Headers headers, Object data) {
        headers.add("origin", origin.getBytes(UTF_8));
        try {
            var record = (GenericRecord) data;
            var bytes = new BinaryMessageEncoder<GenericRecord>(GenericData.get(), record.getSchema()).encode(record);
            var value = new byte[bytes.remaining()];
            bytes.get(value);
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
