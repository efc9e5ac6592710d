package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.BooleanNode;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.setting.KafkaSecuritySettings;
import io.sluice.program.setting.Setting;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.config.RelaySettings;
import io.sluice.testkit.SecuredKafka;
import io.sluice.testkit.process.JavaProgram;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A secret of its own in every setting that takes one, everything logged that anybody logs (ours, the SDK's, Netty's,
 * Kafka's, the JDK's, all at their lowest level), and work of every kind: no secret turns up in any line, answer or
 * exception. One canary is told on purpose in each place, and has to be found.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(0)
class CanaryIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration LOOK = Duration.ofMillis(300);
    private static final String PLANTED = "planted";
    private static final Canaries canaries = new Canaries();
    /** What instances are given: ours log none of it, others do at these levels. */
    private static final Canaries payloads = new Canaries();

    private static final Pattern LOGGED = Pattern.compile("(?:TRACE|DEBUG|INFO|WARN|ERROR) (\\S+) .*", Pattern.DOTALL);

    private static final Pattern DID = Pattern.compile("^did .* of (.*): (\\d)$", Pattern.MULTILINE);

    @TempDir
    static Path folder;

    private static CosmosEmulator cosmos;
    private static SecuredKafka kafka;
    private static CanarySettings settings;
    private static TestStore store;
    private static String planted;
    private static String loud;

    @BeforeAll
    static void open() throws Exception {
        cosmos = CosmosEmulator.start(
                EmulatorConfig.inMemory().withPhysicalPartitions(1).withKey(canaries.key("cosmos.key")));
        kafka = SecuredKafka.start(folder.resolve("authority"));
        for (var right : DocumentedRight.all()) {
            right.resources(CanarySettings.PREFIX)
                    .forEach(resource -> kafka.allow(CanarySettings.USER, resource, right.operations()));
        }
        settings = CanarySettings.of(canaries, kafka, cosmos, folder);
        store = TestStore.provisioned(new CosmosStoreConfig(
                cosmos.endpoint(), cosmos.key(), CanarySettings.DATABASE, CanarySettings.DATABASE));
        planted = canaries.word(PLANTED);
        loud = everythingLogged();
    }

    @AfterAll
    static void close() {
        store.close();
        kafka.close();
        cosmos.close();
    }

    /** Options of a JVM that logs all there is to standard output. */
    private static String everythingLogged() throws Exception {
        var logback = Files.writeString(folder.resolve("loud.xml"), """
                <configuration>
                  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                    <encoder><pattern>%level %logger %marker %mdc %msg %kvp%n%ex</pattern></encoder>
                  </appender>
                  <!-- The names of metrics as they come and go, by the hundred thousand. -->
                  <logger name="org.apache.kafka.common.metrics.Metrics" level="DEBUG"/>
                  <logger name="org.apache.kafka.common.telemetry.internals.KafkaMetricsCollector" level="INFO"/>
                  <root level="TRACE"><appender-ref ref="console"/></root>
                </configuration>
                """);
        var jdk = Files.writeString(folder.resolve("loud.properties"), """
                handlers=java.util.logging.ConsoleHandler
                .level=ALL
                java.util.logging.ConsoleHandler.level=ALL
                # The comings and goings of MBeans, by the ten thousand.
                com.sun.jmx.level=INFO
                """);
        return "-Dlogback.configurationFile=" + logback + " -Djava.util.logging.config.file=" + jdk;
    }

    @Test
    void every_setting_that_takes_a_secret_has_a_canary() {
        var kafkas = AdminClientConfig.configDef().configKeys().values().stream()
                .filter(setting -> setting.type == ConfigDef.Type.PASSWORD)
                .map(setting -> setting.name)
                .collect(Collectors.toSet());
        var secrets = Stream.concat(
                        RelaySettings.CATALOG.all().stream()
                                .filter(setting -> setting.type().secret())
                                .map(Setting::key),
                        KafkaSecuritySettings.names().stream()
                                .filter(kafkas::contains)
                                .map(name -> "kafka." + name))
                .collect(Collectors.toSet());
        var given = new HashMap<>(settings.byPassword());
        given.putAll(settings.byCertificate());

        assertThat(secrets.stream()
                        .filter(name ->
                                canaries.foundIn(given.getOrDefault(name, "")).isEmpty()))
                .as("all but certificates, which anybody may see")
                .containsExactlyInAnyOrder("kafka.ssl.keystore.certificate.chain", "kafka.ssl.truststore.certificates");
        assertThat(secrets).hasSizeGreaterThan(9);
    }

    @Test
    @Tag("thorough")
    void a_relay_at_work_tells_none_however_much_is_logged() throws Exception {
        int port = StreamsReplicas.freePort();
        var environment = CanarySettings.environment(settings.byPassword());
        environment.put("SLUICE_OPS_PORT", String.valueOf(port));
        environment.put("SLUICE_STREAMS", "true");
        environment.put("SLUICE_STREAMS_STATE", folder.resolve("state").toString());
        environment.put("SLUICE_INTENT_MAX_ATTEMPTS", "1");
        environment.put("SLUICE_START_TIMEOUT", "120000");
        environment.put("JAVA_TOOL_OPTIONS", loud);
        try (var relay = RelayProcess.start(environment)) {
            var ops = new OpsClient(port);
            // Its output is too much to look into again and again.
            await().atMost(START)
                    .pollInterval(LOOK)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(
                                    ops.get("/status").json().path("status").path("running"))
                            .isEqualTo(BooleanNode.TRUE));
            var answers = work(ops);

            assertThat(relay.end()).isEqualTo(ExitCode.DONE);
            var lines = relay.lines();
            var output = String.join("\n", lines);
            isLoud(
                    output,
                    "DEBUG io.netty",
                    "TRACE com.azure",
                    "TRACE org.apache.kafka",
                    "ProducerConfig values",
                    "StreamsConfig values");
            tellsWhatWasPlantedAndNothingElse(output);
            tellsWhatWasPlantedAndNothingElse(answers);
            assertThat(payloads.foundIn(output)).as("by the SDK").isNotEmpty();
            assertThat(payloads.foundIn(ours(lines))).as("by us").isEmpty();
        }
    }

    /** What our own loggers said, with the stack traces. */
    private static String ours(List<String> output) {
        var ours = new StringBuilder();
        boolean isOurs = false;
        for (var line : output) {
            var logged = LOGGED.matcher(line);
            isOurs = logged.matches() ? logged.group(1).startsWith("io.sluice.") : isOurs;
            ours.append(isOurs ? line + "\n" : "");
        }
        assertThat(ours).contains("io.sluice.relay.command", "io.sluice.relay.delivery");
        return ours.toString();
    }

    /** Looks seldom, since each look is logged. */
    private static ConditionFactory awaits() {
        return await().atMost(PATIENCE).pollInterval(LOOK);
    }

    /** Something of everything a replica does; returns what it answers to operators. */
    private static String work(OpsClient ops) throws Exception {
        var topics = new TestTopics(kafka.bootstrapServersForAnybody(), CanarySettings.PREFIX);
        var instance = "order-" + planted;
        var events = store.writeHistory(instance, 1, 3);
        store.writeIntents(instance, "child", 1, 2);
        store.writePoison("unlucky", "child", 1);
        var payload = payloads.word("a payload");
        topics.send("told", "c-1", "{\"type\":\"cancel\",\"instance\":\"told\",\"reason\":\"" + payload + "\"}");
        topics.send("told", "c-2", "{\"type\":\"nothing of that kind\",\"input\":\"" + payload + "\"}");
        topics.send("told", "c-3", "{\"type\":\"cancel\",\"instance\":\"told\",\"reason\":\"" + payload + "\\x\"}");
        awaits().until(() -> store.ids("child", "orch_queue").size() == 2);
        awaits().until(() -> store.ids("told", "orch_queue").size() == 1);
        awaits().until(() -> topics.eventIds().equals(events));
        awaits().until(() -> ops.get("/dead-letters").json().path("total").asInt() == 1);
        awaits().until(() -> ops.get("/instances/" + instance).status() == 200);

        var token = settings.byPassword().getOrDefault("sluice.ops.token", "");
        var wrong = canaries.word("a wrong token");
        var basic = Base64.getEncoder().encodeToString(("operator:" + token).getBytes(StandardCharsets.UTF_8));
        var answers = new StringBuilder();
        for (var tried : Map.of("Bearer " + token, 200, "Bearer " + wrong, 401, "Basic " + basic, 401, token, 401)
                .entrySet()) {
            var reply = ops.send(HttpRequest.newBuilder(URI.create(ops.url("/resume/all")))
                    .header("Authorization", tried.getKey())
                    .POST(BodyPublishers.noBody()));
            assertThat(reply.status()).isEqualTo(tried.getValue());
            answers.append(reply.body()).append('\n');
        }
        for (var path : List.of(
                "/health/live",
                "/health/ready",
                "/metrics",
                "/status",
                "/lag",
                "/events",
                "/owners",
                "/",
                "/dead-letters",
                "/dead-letters/" + OpsClient.encoded(TestStore.key("unlucky", 1)),
                "/instances",
                "/instances/" + instance,
                "/statistics",
                "/config",
                "/env")) {
            answers.append(ops.get(path).body()).append('\n');
        }
        for (var given : List.of(token, wrong)) {
            var environment = Map.of("SLUICE_OPS_TOKEN", given);
            for (var verb : List.of("status", "health", "pause all", "resume all")) {
                answers.append(CommandRun.of(environment, (verb + " --url " + ops.url("")).split(" ", -1)));
            }
        }
        return answers.toString();
    }

    /** Loud enough to prove something. */
    private static void isLoud(String output, String... parts) {
        assertThat(Stream.of(parts).filter(part -> !output.contains(part))).isEmpty();
    }

    private static void tellsWhatWasPlantedAndNothingElse(String text) {
        var found = new HashMap<>(canaries.foundIn(text));

        assertThat(found).containsKey(PLANTED + " as it is");
        found.keySet().removeIf(each -> each.startsWith(PLANTED));
        assertThat(found).isEmpty();
    }

    @Test
    void checks_dry_runs_a_provider_alone_and_starts_that_fail_tell_none() throws Exception {
        var good = folder.resolve("good");
        var faulty = folder.resolve("faulty");
        CanarySettings.write(settings.byPassword(), good.resolve("by-password"));
        CanarySettings.write(settings.byCertificate(), good.resolve("by-certificate"));
        for (var wrong : settings.faulty().entrySet()) {
            CanarySettings.write(wrong.getValue(), faulty.resolve(wrong.getKey()));
        }
        // Lines of a key that was not joined to one are names of their own.
        Files.writeString(
                CanarySettings.write(settings.byPassword(), faulty.resolve("key-over-lines")),
                settings.byCertificate().get("kafka.ssl.keystore.key"),
                StandardOpenOption.APPEND);

        try (var program = JavaProgram.of(CanaryProgram.class, planted, good.toString(), faulty.toString())
                .small(256)
                .with(Map.of("JAVA_TOOL_OPTIONS", loud))
                .start()) {
            assertThat(program.awaitEnd()).as(program.lastLines()).isZero();
            var output = String.join("\n", program.lines());

            var codes = codes(output);
            assertThat(codes.get("by-password")).contains(ExitCode.DONE);
            for (var wrong : settings.faulty().keySet()) {
                assertThat(codes.get(wrong)).as(wrong).isNotEmpty().doesNotContain(ExitCode.DONE);
            }
            isLoud(output, "DEBUG io.netty", "TRACE com.azure", "AdminClientConfig values");
            tellsWhatWasPlantedAndNothingElse(output);
        }
    }

    /** How each configuration's verbs ended. */
    private static Map<String, List<Integer>> codes(String output) {
        return DID.matcher(output)
                .results()
                .collect(Collectors.groupingBy(
                        did -> did.group(1),
                        Collectors.mapping(did -> Integer.valueOf(did.group(2)), Collectors.toList())));
    }

    @Test
    void a_secret_that_is_told_is_found_in_every_form() {
        var mine = new Canaries();
        var key = mine.key("key");
        var bytes = key.getBytes(StandardCharsets.UTF_8);

        assertThat(List.of(
                        "a line\nkey=" + key + ", and so on",
                        URLEncoder.encode(key, StandardCharsets.UTF_8),
                        Base64.getEncoder().encodeToString(bytes),
                        Base64.getEncoder().encodeToString(("u:" + key + " and more").getBytes(StandardCharsets.UTF_8)),
                        Base64.getUrlEncoder().encodeToString(("x" + key).getBytes(StandardCharsets.UTF_8)),
                        HexFormat.of().formatHex(bytes),
                        "and then\n"
                                + ByteBufUtil.prettyHexDump(
                                        Unpooled.wrappedBuffer(("?" + key).getBytes(StandardCharsets.UTF_8))),
                        Arrays.toString(bytes),
                        Arrays.toString(key.toCharArray())))
                .allSatisfy(text -> assertThat(mine.foundIn(text)).isNotEmpty());
        assertThat(mine.foundIn(canaries.key("another").repeat(20))).isEmpty();
    }
}
