package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The images: what is copied into them is there, and they start and ask programs by what those have. */
class DockerfileTest {
    private static final Dockerfile FILE = Dockerfile.read();
    private static final String POM = Repository.text("pom.xml");

    @Test
    void the_relay_starts_by_a_verb_it_has_and_opens_its_port() {
        assertThat(Program.relayVerbs()).contains("run", "provision");
        assertThat(FILE.instruction("relay", "ENV")).contains("SLUICE_OPS_PORT=" + FILE.instruction("relay", "EXPOSE"));
        assertThat(FILE.instruction("relay", "CMD")).isEqualTo("[\"run\"]");
    }

    @Test
    void the_host_starts_by_a_verb_it_has_and_listens_where_it_is_reached() {
        assertThat(FILE.instruction("durabletask-host", "HEALTHCHECK"))
                .contains("{SLUICE_HOST_OPS_PORT:-" + Program.hostDefaultOf("SLUICE_HOST_OPS_PORT") + "}");
        assertThat(Program.hostVerbs()).contains("serve", "provision");
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
        assertThat(FILE.instruction("emulator", "HEALTHCHECK")).endsWith("/dev/tcp/127.0.0.1/" + port + "\"]");
    }

    @ParameterizedTest
    @CsvSource({
        "relay, outbox-relay, sluice-outbox-relay-*.jar, lib/</classpathPrefix>",
        "durabletask-host, durabletask-host, sluice-durabletask-host-*.jar, lib/</classpathPrefix>",
        "emulator, cosmos-emulator, sluice-cosmos-emulator-*-standalone.jar, standalone</shadedClassifierName>"
    })
    void what_is_copied_is_what_maven_makes(String target, String module, String jar, String made) {
        assertThat(FILE.stages().get(target))
                .anyMatch(line -> line.startsWith("COPY --from=build /src/" + module + "/target/" + jar + " "));
        assertThat(Repository.text(module + "/pom.xml"))
                .contains("<artifactId>" + jar.replaceAll("-\\*.*", "") + "</artifactId>", "<mainClass>", made);
        assertThat(FILE.instruction("build", "RUN")).contains(module);
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

    /** If one of these files were in the build context, a change of it would rebuild every layer of the images. */
    @Test
    void what_no_image_needs_is_ignored() throws IOException {
        assertThat(Files.readAllLines(Repository.path(".dockerignore")))
                .contains("docker-compose.yml", "docs", "**/src/test", "benchmarks/*", "deploy/*", "examples/*");
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
    }

    private static String property(String pom, String name) {
        var found = Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)</").matcher(pom);
        assertThat(found.find()).as("property %s", name).isTrue();
        return found.group(1);
    }
}
