package io.sluice.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of this repository. */
final class Repository {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int MOST_ALIASES = 500;
    private static final ObjectMapper JSON = new ObjectMapper();

    private Repository() {}

    static Path path(String relative) {
        return ROOT.resolve(relative);
    }

    static String text(String relative) {
        try {
            return Files.readString(path(relative));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(String relative) {
        try {
            return JSON.readTree(text(relative));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A document of YAML with its anchors and merges resolved. */
    static JsonNode yaml(String relative) {
        var options = new LoaderOptions();
        // Ours are no attack: what services share is written once and merged into each.
        options.setMaxAliasesForCollections(MOST_ALIASES);
        return JSON.valueToTree(new Yaml(new SafeConstructor(options)).load(text(relative)));
    }

    static List<String> texts(JsonNode array) {
        var texts = new ArrayList<String>();
        array.forEach(element -> texts.add(element.asText()));
        return texts;
    }
}
