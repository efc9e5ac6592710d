package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.emulator.EmulatorConfig;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The compose file: true to the programs it starts; open to this machine alone, and without secrets. */
class ComposeTest {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(?:env:)?([A-Z_]+)(?::-([^}]*))?}");
    private static final Pattern OURS = Pattern.compile("(COSMOS|SLUICE|KAFKA)_.*");

    static Stream<String> services() {
        return Compose.services().keySet().stream();
    }

    /** By Docker's own check, where it is installed. */
    @Test
    void docker_finds_nothing_to_complain_about() throws Exception {
        var docker = Tool.onPath("docker");
        assumeTrue(
                docker.isPresent()
                        && docker.get()
                                        .run(Repository.ROOT, "compose", "version")
                                        .code()
                                == 0,
                "no docker with compose on the PATH: the compose file is not checked by it");

        assertThat(docker.get().run(Repository.ROOT, "compose", "--profile", "*", "config", "--quiet"))
                .returns(0, Program.Run::code);
    }

    @Test
    void every_variable_of_a_relay_is_one_of_its_settings() {
        var settings = Program.settings();
        assertThat(settings).contains("COSMOS_ENDPOINT", "SLUICE_STREAMS_ADVERTISED");

        Compose.built("relay")
                .forEach((name, service) -> assertThat(
                                Compose.environment(service).keySet())
                        .as("variables of %s", name)
                        .filteredOn(variable -> OURS.matcher(variable).matches())
                        .allSatisfy(variable -> assertThat(settings).contains(variable)));
    }

    @Test
    void every_variable_of_a_host_is_one_of_its_settings_or_of_its_consumers() {
        var variables = Compose.environment(Compose.service("durabletask-host")).keySet();

        assertThat(variables)
                .filteredOn(variable -> OURS.matcher(variable).matches())
                .contains("COSMOS_ENDPOINT", "SLUICE_HOST_ADDRESS")
                .isSubsetOf(Program.hostSettings());
    }

    /** A relay that published another container, or under another prefix, would announce nothing to it. */
    @Test
    void the_host_is_served_by_a_relay_of_its_own() {
        var host = Compose.environment(Compose.service("durabletask-host"));
        for (var name : List.of("durabletask-relay", "durabletask-provision")) {
            var relay = Compose.environment(Compose.service(name));
            assertThat(relay)
                    .containsEntry("COSMOS_CONTAINER", host.get("COSMOS_CONTAINER"))
                    .containsEntry("SLUICE_PREFIX", host.get("SLUICE_HOST_PREFIX"))
                    .containsEntry("SLUICE_DISPATCH_ENABLED", "true")
                    .containsEntry("KAFKA_BOOTSTRAP_SERVERS", host.get("SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS"));
            assertThat(relay.get("SLUICE_PREFIX"))
                    .isNotEqualTo(
                            Compose.environment(Compose.service("relay-1")).get("SLUICE_PREFIX"));
        }
        assertThat(Repository.texts(Compose.service("durabletask-host").path("ports")))
                .allSatisfy(port -> assertThat(port).startsWith("127.0.0.1:"))
                .anySatisfy(port -> assertThat(port).endsWith(":" + Program.hostDefaultOf("SLUICE_HOST_PORT")))
                .anySatisfy(port -> assertThat(port).endsWith(":" + host.get("SLUICE_HOST_OPS_PORT")));
    }

    @Test
    void the_worker_has_exactly_the_variables_that_its_file_and_connectors_ask_for() throws Exception {
        var asked = new TreeSet<String>();
        for (var folder : new String[] {"worker", "source", "sink"}) {
            try (var files = Files.list(Repository.path("connect-config/" + folder))) {
                for (var file : files.toList()) {
                    REFERENCE.matcher(Files.readString(file)).results().forEach(found -> asked.add(found.group(1)));
                }
            }
        }
        var given = Compose.environment(Compose.service("connect")).keySet();

        assertThat(given).containsAll(asked);
        // The others are read by the worker's scripts, or come with the place of the store.
        assertThat(given.stream().filter(variable -> !asked.contains(variable)))
                .containsExactlyInAnyOrder("COSMOS_MODE", "COSMOS_THROUGHPUT", "KAFKA_HEAP_OPTS", "KAFKA_OPTS");
    }

    /**
     * A terminal on this machine has what its programs need, such as an endpoint on localhost: inside of a container it
     * would be wrong.
     */
    @Test
    void what_a_person_may_set_is_a_setting_under_a_name_that_no_program_reads() {
        var names = REFERENCE
                .matcher(Repository.text("docker-compose.yml"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());

        assertThat(names.remove("COSMOS_CONNECTOR_VERSION")).as("of the image").isTrue();
        assertThat(names).isNotEmpty().doesNotContainAnyElementsOf(Program.settings());
        assertThat(names).allSatisfy(name -> {
            assertThat(name).startsWith("STACK_");
            assertThat(Program.settings()).contains(name.substring("STACK_".length()));
        });
    }

    @Test
    void every_command_is_one_the_program_knows() {
        var verbs = Program.relayVerbs();
        Compose.built("relay").values().stream()
                .filter(service -> !service.has("entrypoint") && service.has("command"))
                .forEach(service -> assertThat(verbs)
                        .contains(service.path("command").path(0).asText()));
        var usage = Program.run(Program.EMULATOR, List.of(), "--help").output();
        Compose.built("emulator")
                .values()
                .forEach(service -> assertThat(Repository.texts(service.path("command")))
                        .filteredOn(word -> word.startsWith("--"))
                        .allSatisfy(option -> assertThat(usage).contains(option + " ")));
    }

    /** Otherwise each has an image of its own, and containers are made anew; a registry may have others' images. */
    @Test
    void an_image_of_ours_is_built_by_one_service_and_never_pulled() {
        var ours = Compose.services().values().stream()
                .filter(service -> service.path("image").asText().startsWith("sluice/"))
                .toList();

        assertThat(ours)
                .hasSizeGreaterThan(5)
                .allSatisfy(service ->
                        assertThat(service.path("pull_policy").asText()).isEqualTo("never"));
        assertThat(ours.stream().map(service -> service.path("image").asText()).distinct())
                .containsExactlyInAnyOrderElementsOf(ours.stream()
                        .filter(service -> service.has("build"))
                        .map(service -> service.path("image").asText())
                        .toList());
    }

    /** Every ten seconds a JVM would start, also where nothing happens. */
    @ParameterizedTest
    @MethodSource("services")
    void a_health_check_starts_no_jvm(String name) {
        assertThat(String.join(
                        " ",
                        Repository.texts(
                                Compose.service(name).path("healthcheck").path("test"))))
                .doesNotContain("java", ".sh ")
                .doesNotEndWith(".sh");
    }

    /** A container that is made gives each of them a volume without a name, which nothing removes but `down -v`. */
    @ParameterizedTest
    @ValueSource(strings = {"kafka", "connect-topics", "connect"})
    void what_kafkas_image_declares_as_volumes_is_mounted(String name) {
        var service = Compose.service(name);
        var mounted = Stream.concat(
                        Repository.texts(service.path("volumes")).stream().map(mount -> mount.split(":", -1)[1]),
                        Repository.texts(service.path("tmpfs")).stream().map(mount -> mount.split(":", -1)[0]))
                .toList();

        assertThat(mounted).contains("/etc/kafka/secrets", "/mnt/shared/config", "/var/lib/kafka/data");
    }

    @ParameterizedTest
    @MethodSource("services")
    void what_is_mounted_is_there(String name) {
        for (var mount : Repository.texts(Compose.service(name).path("volumes"))) {
            var source = mount.split(":", 2)[0];
            if (source.startsWith(".")) {
                assertThat(Repository.path(source)).exists();
            } else {
                assertThat(Compose.FILE.path("volumes").has(source))
                        .as("volume %s", source)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("services")
    void a_port_is_open_to_this_machine_alone(String name) {
        assertThat(Repository.texts(Compose.service(name).path("ports")))
                .allSatisfy(port -> assertThat(port).matches("127\\.0\\.0\\.1:\\d+:\\d+"));
    }

    @Test
    void no_secret_is_written_out_but_the_key_that_all_emulators_share() {
        Compose.services()
                .forEach((name, service) -> Compose.environment(service).forEach((variable, value) -> {
                    if (variable.matches(".*(KEY|TOKEN|PASSWORD|SECRET)")) {
                        var rest = REFERENCE
                                .matcher(value)
                                .replaceAll(found -> found.group(2) == null ? "" : found.group(2));
                        boolean emulators = rest.equals(EmulatorConfig.WELL_KNOWN_KEY)
                                || (name.equals("cosmos-vnext") && variable.equals("CERT_SECRET"));
                        assertThat(rest.isEmpty() || emulators)
                                .as("%s of %s", variable, name)
                                .isTrue();
                    }
                }));
    }

    @Test
    void a_relay_is_given_the_time_it_takes_to_drain() {
        var drain = Duration.ofMillis(Long.parseLong(Program.defaultOf("SLUICE_DRAIN_TIMEOUT")));

        relays().forEach(name -> assertThat(Duration.parse("PT"
                        + Compose.service(name)
                                .path("stop_grace_period")
                                .asText()
                                .toUpperCase(Locale.ROOT)))
                .isGreaterThan(drain));
    }

    private static List<String> relays() {
        return Compose.built("relay").keySet().stream()
                .filter(name -> name.startsWith("relay-"))
                .toList();
    }

    /** The token lets nobody in who can't read the file, and the port is open beyond loopback. */
    @Test
    void the_operators_port_has_a_token_that_is_made_and_not_written() {
        var made = Repository.text("deploy/compose/prepare.sh");
        relays().forEach(name -> {
            var environment = Compose.environment(Compose.service(name));
            assertThat(environment).containsEntry("SLUICE_OPS_HOST", "0.0.0.0").doesNotContainKey("SLUICE_OPS_TOKEN");
            var file = environment.getOrDefault("SLUICE_OPS_TOKEN_FILE", "");
            assertThat(made).contains("\"$folder/" + file.substring("/sluice/local/".length()) + "\"");
        });
    }

    @Test
    void the_topics_that_connect_needs_are_made_with_the_names_and_sizes_of_its_configurations() throws Exception {
        var made = Pattern.compile("\\$\\$SLUICE_PREFIX\\.([a-z.-]+)")
                .matcher(Compose.service("connect-topics").path("command").toString())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        var wanted = new TreeSet<String>();
        var sizes = new TreeSet<String>();
        for (var folder : new String[] {"source", "sink"}) {
            try (var files = Files.list(Repository.path("connect-config/" + folder))) {
                for (var file : files.toList()) {
                    Pattern.compile("\\$\\{env:SLUICE_PREFIX}\\.((?:connect|cosmos)\\.[a-z-]+)")
                            .matcher(Files.readString(file))
                            .results()
                            .forEach(found -> wanted.add(found.group(1)));
                    sizes.add(Repository.json("connect-config/" + folder + "/" + file.getFileName())
                            .path("producer.override.max.request.size")
                            .asText());
                }
            }
        }

        assertThat(made).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(sizes)
                .allSatisfy(size -> assertThat(Compose.service("connect-topics")
                                .path("command")
                                .toString())
                        .contains("--config max.message.bytes=" + size + "\\n"));
    }
}
