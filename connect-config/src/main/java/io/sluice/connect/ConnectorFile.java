package io.sluice.connect;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one connector, as it is posted to Connect's REST interface.
 *
 * @param path the file it was read from
 * @param name of the connector
 * @param config what it is told
 */
record ConnectorFile(Path path, String name, Map<String, String> config) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    ConnectorFile {
        config = Map.copyOf(config);
    }

    /** With these keys in place of its own. */
    ConnectorFile with(Map<String, String> keys) {
        var changed = new HashMap<>(config);
        changed.putAll(keys);
        return new ConnectorFile(path, name, changed);
    }

    /** Those in files, and in the files {@code *.json} of folders, by name. */
    static List<ConnectorFile> in(List<Path> paths) {
        return paths.stream()
                .flatMap(ConnectorFile::filesOf)
                .map(ConnectorFile::read)
                .toList();
    }

    private static Stream<Path> filesOf(Path path) {
        if (!Files.isDirectory(path)) {
            return Stream.of(path);
        }
        try (var files = Files.list(path)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException("can't list " + path, e);
        }
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it is no configuration
     */
    static ConnectorFile read(Path path) {
        JsonNode file;
        try {
            file = JSON.readTree(path.toFile());
        } catch (JsonProcessingException e) {
            // Its own words quote what stands there, which may be a secret.
            throw new IllegalArgumentException(path + " is no JSON" + place(e.getLocation()), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " can't be read: " + e, e);
        }
        var name = file.path("name").asText();
        if (name.isBlank() || !file.path("config").isObject()) {
            throw new IllegalArgumentException(path + " must have a name and an object config");
        }
        var config = new HashMap<String, String>();
        file.path("config").properties().forEach(entry -> {
            if (!entry.getValue().isValueNode() || entry.getValue().isNull()) {
                throw new IllegalArgumentException(path + ": " + entry.getKey() + " must be a text");
            }
            config.put(entry.getKey(), entry.getValue().asText());
        });
        return new ConnectorFile(path, name, config);
    }

    private static String place(@Nullable JsonLocation at) {
        return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }
}
