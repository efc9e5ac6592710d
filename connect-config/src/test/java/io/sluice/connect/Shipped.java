package io.sluice.connect;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The configurations of connectors that are shipped. */
final class Shipped {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Shipped() {}

    /** The whole file: a name, and the configuration. */
    static JsonNode file(Path file) {
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A configuration, to be changed at will. */
    static Map<String, String> config(Path file) {
        return JSON.convertValue(file(file).path("config"), new TypeReference<HashMap<String, String>>() {});
    }
}
