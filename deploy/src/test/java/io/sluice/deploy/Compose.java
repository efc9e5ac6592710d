package io.sluice.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The compose file, service by service. */
final class Compose {
    static final JsonNode FILE = Repository.yaml("docker-compose.yml");

    private Compose() {}

    static Map<String, JsonNode> services() {
        var services = new LinkedHashMap<String, JsonNode>();
        FILE.path("services").properties().forEach(field -> services.put(field.getKey(), field.getValue()));
        return services;
    }

    static JsonNode service(String name) {
        var service = FILE.path("services").path(name);
        if (service.isMissingNode()) {
            throw new AssertionError("no service " + name);
        }
        return service;
    }

    /** Those made of one of our images, by the target that one of them builds. */
    static Map<String, JsonNode> built(String target) {
        var images = services().values().stream()
                .filter(service -> service.path("build").path("target").asText().equals(target))
                .map(service -> service.path("image").asText())
                .toList();
        var built = services();
        built.values()
                .removeIf(service -> !images.contains(service.path("image").asText()));
        return built;
    }

    static Map<String, String> environment(JsonNode service) {
        var environment = new TreeMap<String, String>();
        service.path("environment")
                .properties()
                .forEach(field ->
                        environment.put(field.getKey(), field.getValue().asText()));
        return environment;
    }
}
