package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.sluice.emulator.EmulatorConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The compose file: well formed, and true to the programs it starts. */
class ComposeTest {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(?:env:)?([A-Z_]+)(?::-([^}]*))?}");
    private static final Pattern OURS = Pattern.compile("(COSMOS|SLUICE|KAFKA)_.*");

    static Stream<String> services() {
        return Compose.services().keySet().stream();
    }

    @Test
    void it_is_what_the_compose_specification_asks_for() throws IOException {
        assertThat(schema().validate(Compose.FILE)).isEmpty();
    }

    @Test
    void the_schema_would_find_a_key_that_is_none() throws IOException {
        JsonNode broken = Compose.FILE.deepCopy();
        ((ObjectNode) broken.path("services").path("kafka")).put("depend_on", "x");

        assertThat(schema().validate(broken)).isNotEmpty();
    }

    private static JsonSchema schema() throws IOException {
        try (var in = Objects.requireNonNull(ComposeTest.class.getResourceAsStream("/compose-spec.json"))) {
            var schema = (ObjectNode) new ObjectMapper().readTree(in);
            // A name relative to nothing, which the validator takes for none.
            schema.remove("$id");
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(schema);
        }
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
        for (var name : List.of("durabletask-host", "durabletask-relay", "durabletask-provision")) {
            assertThat(Repository.texts(Compose.service(name).path("profiles"))).containsExactly("durabletask");
        }
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

    @Test
    void every_health_check_asks_by_a_command_that_exists() {
        assertThat(Repository.texts(
                        Compose.service("cosmos").path("healthcheck").path("test")))
                .contains("/opt/sluice/emulator.jar", "--health");
        assertThat(Program.run(Program.EMULATOR, List.of(), "--help").output()).contains("--health <url>");
    }

    @ParameterizedTest
    @MethodSource("services")
    void it_waits_only_for_what_can_come(String name) {
        var service = Compose.service(name);
        service.path("depends_on").properties().forEach(each -> {
            var on = Compose.service(each.getKey());
            boolean optional = each.getValue().path("required").isBoolean()
                    && !each.getValue().path("required").asBoolean();
            if (!optional && on.has("profiles")) {
                assertThat(Repository.texts(service.path("profiles")))
                        .as("%s waits for %s, which starts only with its profile", name, each.getKey())
                        .containsAll(Repository.texts(on.path("profiles")));
            }
            switch (each.getValue().path("condition").asText()) {
                case "service_healthy" ->
                    assertThat(hasHealthCheck(on))
                            .as("%s has a health check", each.getKey())
                            .isTrue();
                case "service_completed_successfully" ->
                    assertThat(Compose.isJob(on)).as("%s ends", each.getKey()).isTrue();
                default -> fail("%s just starts, and says nothing of when it is of use", each.getKey());
            }
        });
    }

    private static boolean hasHealthCheck(JsonNode service) {
        if (service.path("healthcheck").path("disable").asBoolean()) {
            return false;
        }
        var target = service.path("build").path("target").asText();
        return service.path("healthcheck").has("test")
                || !Dockerfile.read().instruction(target, "HEALTHCHECK").isEmpty();
    }

    @ParameterizedTest
    @MethodSource("services")
    void an_image_is_named_by_its_version(String name) {
        assertThat(Compose.service(name).path("image").asText())
                .matches("[a-z0-9./-]+:[A-Za-z0-9._-]*\\d[A-Za-z0-9._-]*")
                .doesNotContain("latest", "preview");
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

    @Test
    void every_volume_is_used() {
        var used = Compose.services().values().stream()
                .flatMap(service -> Repository.texts(service.path("volumes")).stream())
                .map(mount -> mount.split(":", 2)[0])
                .collect(Collectors.toSet());

        assertThat(Compose.FILE.path("volumes").fieldNames())
                .toIterable()
                .allSatisfy(name -> assertThat(used).contains(name));
    }

    @ParameterizedTest
    @MethodSource("services")
    void a_port_is_open_to_this_machine_alone(String name) {
        assertThat(Repository.texts(Compose.service(name).path("ports")))
                .allSatisfy(port -> assertThat(port).matches("127\\.0\\.0\\.1:\\d+:\\d+"));
    }

    @Test
    void no_two_services_want_the_same_port() {
        assertThat(Compose.services().values().stream()
                        .flatMap(service -> Repository.texts(service.path("ports")).stream())
                        .map(port -> port.split(":", -1)[1]))
                .doesNotHaveDuplicates();
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
    void our_own_containers_write_nothing_but_what_is_mounted_and_have_no_rights() {
        Stream.of("relay", "durabletask-host", "emulator", "connect")
                .flatMap(target -> Compose.built(target).entrySet().stream())
                .forEach(each -> {
                    assertThat(each.getValue().path("read_only").asBoolean())
                            .as("%s is read-only", each.getKey())
                            .isTrue();
                    assertThat(Repository.texts(each.getValue().path("cap_drop")))
                            .containsExactly("ALL");
                    // Native libraries are unpacked there: without exec RocksDB does not start.
                    assertThat(Repository.texts(each.getValue().path("tmpfs")))
                            .singleElement()
                            .asString()
                            .startsWith("/tmp:exec,");
                });
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

    @Test
    void replicas_differ_in_where_they_are_reached_and_in_their_folders_alone() {
        assertThat(relays()).containsExactly("relay-1", "relay-2");
        relays().forEach(name -> {
            var service = Compose.service(name);
            var environment = Compose.environment(service);
            assertThat(environment)
                    .containsEntry("SLUICE_STREAMS_ADVERTISED", name + ":" + environment.get("SLUICE_OPS_PORT"))
                    .containsEntry("SLUICE_STREAMS_STATE", "/sluice/state");
            assertThat(Repository.texts(service.path("volumes"))).contains(name + ":/sluice/state");
            assertThat(Repository.texts(service.path("ports")))
                    .singleElement()
                    .asString()
                    .endsWith(":" + environment.get("SLUICE_OPS_PORT"));
        });
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
    void the_topics_that_connect_needs_are_made_with_the_names_its_configurations_have() throws Exception {
        var made = Pattern.compile("\\$\\$SLUICE_PREFIX\\.([a-z.-]+)")
                .matcher(Compose.service("connect-topics").path("command").toString())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        var wanted = new TreeSet<String>();
        for (var folder : new String[] {"source", "sink"}) {
            try (var files = Files.list(Repository.path("connect-config/" + folder))) {
                for (var file : files.toList()) {
                    Pattern.compile("\\$\\{env:SLUICE_PREFIX}\\.((?:connect|cosmos)\\.[a-z-]+)")
                            .matcher(Files.readString(file))
                            .results()
                            .forEach(found -> wanted.add(found.group(1)));
                }
            }
        }

        assertThat(made).containsExactlyInAnyOrderElementsOf(wanted);
    }

    /** The artifact may be out of reach, and a relay needs none of it. */
    @Test
    void only_those_who_ask_for_connect_build_and_start_it() {
        Compose.services().forEach((name, service) -> {
            if (name.startsWith("connect")) {
                assertThat(Repository.texts(service.path("profiles"))).as(name).containsExactly("connect");
            } else {
                assertThat(service.path("depends_on").fieldNames())
                        .toIterable()
                        .as(name)
                        .noneMatch(on -> on.startsWith("connect"));
            }
        });
        assertThat(Repository.texts(Compose.service("connect").path("volumes")))
                .contains("./connect-config/plugins:/opt/connect/plugins/own:ro");
    }

    @Test
    void a_job_that_fails_is_tried_again() {
        assertThat(List.of("prepare", "provision", "connect-topics", "connect-containers", "connect-apply"))
                .allSatisfy(
                        job -> assertThat(Compose.isJob(Compose.service(job))).isTrue());
    }

    @Test
    void topics_that_connect_writes_take_records_as_large_as_its_producers_send() {
        var command = Compose.service("connect-topics").path("command").path(0).asText();

        assertThat(command.lines().filter(line -> line.contains("connect.dead-letters")))
                .singleElement()
                .asString()
                .contains("--config max.message.bytes=5242880");
        assertThat(command.lines().filter(line -> line.contains("cosmos.documents")))
                .singleElement()
                .asString()
                .contains("--config max.message.bytes=4194304");
    }

    @Test
    void nothing_makes_topics_in_silence() {
        assertThat(Compose.environment(Compose.service("kafka")))
                .containsEntry("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
    }
}
