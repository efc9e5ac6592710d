package io.sluice.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One of the charts, as far as its files tell without Helm. */
record Chart(String name, JsonNode values, String templates) {
    static final Chart RELAY = of("sluice-relay");
    static final Chart HOST = of("sluice-durabletask-host");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Za-z.]+)` \\| (?:`(.*?)`)? \\| .* \\|$");

    private static Chart of(String name) {
        return new Chart(name, Repository.yaml(folder(name) + "values.yaml"), templates(folder(name) + "templates/"));
    }

    private static String folder(String name) {
        return "deploy/helm/" + name + "/";
    }

    private static String templates(String folder) {
        try (var files = Files.list(Repository.path(folder))) {
            return files.sorted()
                    .map(file -> Repository.text(folder + file.getFileName()))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Chart> all() {
        return Stream.of(RELAY, HOST);
    }

    /** One of its files. */
    String file(String path) {
        return folder(name) + path;
    }

    /** Every value by its path, with its default as the README writes it. */
    Map<String, String> defaults() {
        var defaults = new TreeMap<String, String>();
        leaves("", values, defaults);
        return defaults;
    }

    private static void leaves(String prefix, JsonNode values, Map<String, String> to) {
        values.properties().forEach(each -> {
            var path = prefix + each.getKey();
            var value = each.getValue();
            if (value.isObject() && !value.isEmpty() && !path.equals("resources")) {
                leaves(path + ".", value, to);
            } else {
                to.put(path, value.isTextual() ? value.asText() : spaced(value.toString()));
            }
        });
    }

    private static String spaced(String json) {
        return json.replace(":", ": ").replace(",", ", ");
    }

    /** Every value by its path, with its default, as the README says. */
    Map<String, String> documented() {
        var documented = new TreeMap<String, String>();
        ROW.matcher(Repository.text(file("README.md")))
                .results()
                .forEach(row -> documented.put(row.group(1), row.group(2) == null ? "" : row.group(2)));
        return documented;
    }

    /** What the templates say where this is found, by its first group. */
    Stream<String> found(String pattern) {
        return Pattern.compile(pattern).matcher(templates).results().map(found -> found.group(1));
    }

    @Override
    public String toString() {
        return name;
    }
}
