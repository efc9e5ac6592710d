package io.sluice.connect;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The configuration of one connector, as it is posted to Connect's REST interface.
 *
 * @param path the file it was read from
 * @param name of the connector
 * @param config what it is told
 */
record ConnectorFile(Path path, String name, Map<String, String> config) {
    private static final ObjectMapper JSON = new ObjectMapper();

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
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " can't be read as JSON: " + e.getMessage(), e);
        }
        var name = file.path("name").asText();
        if (name.isBlank() || !file.path("config").isObject()) {
            throw new IllegalArgumentException(path + " must have a name and an object config");
        }
        return new ConnectorFile(path, name, JSON.convertValue(file.path("config"), new TypeReference<>() {}));
    }
}
