package io.sluice.connect;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The configurations of connectors that are shipped. */
final class Shipped {
    static final Path SERVICE_PRINCIPAL = Path.of("service-principal");

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Shipped() {}

    /** Those that sign in by the account's key. */
    static List<Path> byKey() {
        return Stream.of("source", "sink").flatMap(Shipped::filesIn).toList();
    }

    /** All. */
    static Stream<Path> all() {
        return Stream.of("source", "sink", "service-principal/source", "service-principal/sink")
                .flatMap(Shipped::filesIn);
    }

    private static Stream<Path> filesIn(String folder) {
        try (var files = Files.list(Path.of(folder))) {
            return files.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A configuration, to be changed at will; fails where a value is no text. */
    static Map<String, String> config(Path file) {
        try {
            return JSON.readValue(file.toFile(), new TypeReference<TreeMap<String, String>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is no configuration", e);
        }
    }
}
