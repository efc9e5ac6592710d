package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The images: their content, their user, how they are probed and stopped. */
class DockerfileTest {
    private static final Dockerfile FILE = Dockerfile.read();
    private static final String POM = Repository.text("pom.xml");

    @ParameterizedTest
    @ValueSource(strings = {"relay", "durabletask-host", "emulator", "connect"})
    void an_image_runs_as_nobody_special_is_stopped_by_signals_and_can_be_asked(String target) {
        assertThat(FILE.stages()).containsKey(target);
        assertThat(FILE.instruction(target, "USER")).matches("[1-9]\\d*:[1-9]\\d*");
        // A list, not a shell's line: signals reach the JVM itself, or a script that hands over to it.
        assertThat(FILE.instruction(target, "ENTRYPOINT")).startsWith("[\"");
        assertThat(FILE.instruction(target, "HEALTHCHECK")).contains("CMD [\"");
        assertThat(FILE.instruction(target, "EXPOSE")).matches("\\d+");
        assertThat(FILE.instruction(target, "LABEL"))
                .contains("org.opencontainers.image.title=", "org.opencontainers.image.version=");
    }

    @Test
    void the_relay_is_asked_by_a_verb_it_has_at_the_port_it_opens() {
        assertThat(FILE.instruction("relay", "HEALTHCHECK")).endsWith("\"/opt/sluice/relay.jar\", \"health\"]");
        assertThat(Program.relayVerbs()).contains("health", "run", "provision");
        assertThat(FILE.instruction("relay", "ENV")).contains("SLUICE_OPS_PORT=" + FILE.instruction("relay", "EXPOSE"));
        assertThat(FILE.instruction("relay", "CMD")).isEqualTo("[\"run\"]");
    }

    @Test
    void the_host_is_asked_by_a_verb_it_has_and_listens_where_it_is_reached() {
        assertThat(FILE.instruction("durabletask-host", "HEALTHCHECK"))
                .endsWith("\"/opt/sluice/durabletask-host.jar\", \"health\"]");
        assertThat(Program.hostVerbs()).contains("health", "serve", "provision");
        assertThat(FILE.instruction("durabletask-host", "ENV"))
                .isEqualTo("SLUICE_HOST_PORT=" + FILE.instruction("durabletask-host", "EXPOSE"));
        assertThat(FILE.instruction("durabletask-host", "CMD")).isEqualTo("[\"serve\"]");
    }

    @Test
    void every_variable_an_image_sets_is_a_setting() {
        assertThat(variables("relay")).isNotEmpty().isSubsetOf(Program.settings());
        assertThat(variables("durabletask-host")).isNotEmpty().isSubsetOf(Program.hostSettings());
    }

    private static List<String> variables(String target) {
        return Pattern.compile("(SLUICE_[A-Z_]+)=")
                .matcher(FILE.instruction(target, "ENV"))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void the_emulator_listens_where_it_is_asked() {
        var port = FILE.instruction("emulator", "EXPOSE");

        assertThat(FILE.instruction("emulator", "CMD")).contains("\"--port\", \"" + port + "\"");
        assertThat(FILE.instruction("emulator", "HEALTHCHECK"))
                .contains("\"--health\", \"http://localhost:" + port + "/\"");
    }

    @ParameterizedTest
    @CsvSource({
        "relay, outbox-relay, sluice-outbox-relay",
        "durabletask-host, durabletask-host, sluice-durabletask-host"
    })
    void what_is_copied_is_what_maven_makes(String target, String module, String artifact) {
        assertThat(FILE.stages().get(target))
                .contains("COPY --from=build /src/" + module + "/target/lib /opt/sluice/lib")
                .anyMatch(line ->
                        line.startsWith("COPY --from=build /src/" + module + "/target/" + artifact + "-*.jar "));
        assertThat(Repository.text(module + "/pom.xml"))
                .contains(
                        "<artifactId>" + artifact + "</artifactId>",
                        "<classpathPrefix>lib/</classpathPrefix>",
                        "<mainClass>");
        assertThat(FILE.instruction("build", "RUN")).contains(module);
    }

    @Test
    void the_emulator_is_one_file() {
        assertThat(FILE.stages().get("emulator"))
                .contains("COPY --from=build /src/cosmos-emulator/target/sluice-cosmos-emulator-*-standalone.jar"
                        + " /opt/sluice/emulator.jar");
        assertThat(Repository.text("cosmos-emulator/pom.xml"))
                .contains(
                        "<artifactId>sluice-cosmos-emulator</artifactId>",
                        "<shadedClassifierName>standalone</shadedClassifierName>",
                        "<mainClass>io.sluice.emulator.Main</mainClass>");
        assertThat(FILE.instruction("build", "RUN")).contains("cosmos-emulator");
    }

    @Test
    void files_of_the_repository_that_are_copied_are_there_and_not_ignored() throws IOException {
        var ignored = Files.readAllLines(Repository.path(".dockerignore"));
        for (var stage : FILE.stages().values()) {
            for (var line : stage) {
                var copy = Pattern.compile("COPY (?!--from)(\\S+) \\S+").matcher(line);
                if (copy.matches() && !copy.group(1).equals(".")) {
                    assertThat(Repository.path(copy.group(1))).exists();
                    assertThat(ignored)
                            .doesNotContain(copy.group(1), copy.group(1).split("/", -1)[0]);
                }
            }
        }
    }

    /** The build needs the file of each module, also of those that it doesn't build. */
    @Test
    void no_module_is_ignored_as_a_whole() throws IOException {
        var ignored = Files.readAllLines(Repository.path(".dockerignore"));
        var modules = Pattern.compile("<module>([^<]+)</module>")
                .matcher(POM)
                .results()
                .map(found -> found.group(1));

        assertThat(modules).allSatisfy(module -> {
            assertThat(ignored).doesNotContain(module);
            if (ignored.contains(module + "/*")) {
                assertThat(ignored).contains("!" + module + "/pom.xml");
            }
        });
    }

    @Test
    void versions_are_those_of_the_build() {
        var version = Pattern.compile("<version>([^<]+)</version>")
                .matcher(POM)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        var kafka = property(Repository.text("bom/pom.xml"), "kafka.version");

        assertThat(FILE.arguments())
                .containsEntry("VERSION", version)
                .containsEntry("KAFKA_IMAGE", "apache/kafka:" + kafka)
                .containsEntry(
                        "COSMOS_CONNECTOR_VERSION",
                        property(Repository.text("connect-config/connector-pom.xml"), "cosmos-connector.version"));
        assertThat(Compose.services().values())
                .extracting(service -> service.path("image").asText())
                .filteredOn(image -> image.startsWith("apache/kafka:") || image.startsWith("sluice/"))
                .allSatisfy(
                        image -> assertThat(image).endsWith(image.startsWith("apache") ? ":" + kafka : ":" + version));
        for (var base : List.of("build", "runtime", "connect")) {
            assertThat(FILE.resolved(FILE.bases().getOrDefault(base, "")))
                    .matches("[a-z/-]+:\\d[A-Za-z0-9._-]+")
                    .doesNotContain("latest");
        }
    }

    private static String property(String pom, String name) {
        var found = Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)</").matcher(pom);
        assertThat(found.find()).as("property %s", name).isTrue();
        return found.group(1);
    }
}
