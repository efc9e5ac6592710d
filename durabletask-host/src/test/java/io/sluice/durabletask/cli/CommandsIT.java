package io.sluice.durabletask.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.Empty;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.durabletask.hub.OtherRuntime;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.program.cli.ExitCode;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.outbox.PublishedPrefix;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;

/** The commands of the program, in this process. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern SERVING =
            Pattern.compile("127\\.0\\.0\\.1:(\\d+), operators at 127\\.0\\.0\\.1:(\\d+)");

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void settings() {
        environment.put("COSMOS_ENDPOINT", account.endpoint());
        environment.put("COSMOS_KEY", account.key());
        environment.put("COSMOS_DATABASE", account.database());
        environment.put("SLUICE_HOST_TASK_HUBS", account.container() + "-a," + account.container() + "-b");
        environment.put("SLUICE_HOST_PORT", "0");
        environment.put("SLUICE_HOST_OPS_PORT", "0");
    }

    private int run(String... arguments) {
        CommandLine commands = Main.commandLine(environment);
        commands.setOut(new PrintWriter(out, true));
        commands.setErr(new PrintWriter(err, true));
        return commands.execute(arguments);
    }

    @Test
    void containers_are_provisioned_once_and_then_all_is_well() {
        assertThat(run("check")).as("nothing is there yet").isEqualTo(ExitCode.START);
        assertThat(err.toString()).contains(account.container() + "-a");

        assertThat(run("provision")).isEqualTo(ExitCode.DONE);
        assertThat(run("provision")).as("a second time").isEqualTo(ExitCode.DONE);
        assertThat(run("check")).isEqualTo(ExitCode.DONE);

        assertThat(out.toString()).contains("all is there", "all is well");
    }

    @Test
    void a_variable_that_is_no_setting_of_the_host_is_a_warning() {
        run("provision");
        environment.put("SLUICE_HUBS", "orders");

        assertThat(run("check")).isEqualTo(ExitCode.DONE);

        assertThat(out.toString())
                .contains("warning: SLUICE_HUBS is no setting; the nearest is ", "it works, but see the warnings");
    }

    @Test
    void a_container_that_another_runtime_uses_is_a_warning() {
        run("provision");
        var store = new CosmosStoreConfig(
                account.endpoint(), account.key(), account.database(), account.container() + "-b");
        try (var provider = CosmosProvider.builder().config(store).build()) {
            var runtime = new OtherRuntime(provider);
            runtime.start("order-1");
            runtime.turn(ExecutionMetadata.NONE);
        }

        assertThat(run("check")).isEqualTo(ExitCode.DONE);

        assertThat(out.toString())
                .contains("warning: container " + account.container() + "-b: instance 'order-1' of 'Order'")
                .doesNotContain("container " + account.container() + "-a", "all is well");
    }

    @Test
    void a_container_that_a_relay_publishes_is_a_warning_where_no_purge_waits_for_it() {
        run("provision");
        var config = new CosmosStoreConfig(
                account.endpoint(), account.key(), account.database(), account.container() + "-a");
        try (var store = CosmosStore.open(config)) {
            store.container()
                    .createItem(JsonNodeFactory.instance
                            .objectNode()
                            .put("id", PublishedPrefix.id(store.workStore().rid()))
                            .put("instanceId", PublishedPrefix.PARTITION)
                            .put("type", "relay_prefix")
                            .put(PublishedPrefix.FIELD, "orders"))
                    .block();
        }

        assertThat(run("check")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).as("purges wait by default").contains("all is well");

        environment.put("SLUICE_HOST_RELAY_TIMEOUT", "0");
        assertThat(run("check")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString())
                .contains("warning: container " + account.container() + "-a: a relay publishes it under the prefix"
                        + " orders, and SLUICE_HOST_RELAY_TIMEOUT is 0")
                .doesNotContain("container " + account.container() + "-b: a relay");
    }

    @Test
    void what_kafka_lacks_is_a_warning() {
        run("provision");
        environment.put("SLUICE_HOST_PREFIX", kafka.prefix() + "-a," + kafka.prefix() + "-b");
        environment.put("SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());

        assertThat(run("check")).isEqualTo(ExitCode.DONE);

        assertThat(out.toString())
                .contains("warning: task hub " + account.container() + "-b: topic " + kafka.prefix()
                        + "-b.work.pulse is missing: enable dispatch at the relay")
                .doesNotContain("share groups", "all is well");

        environment.put("SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1");
        assertThat(run("check")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).contains("warning: task hub " + account.container() + "-a: Kafka can't be asked: ");
    }

    @Test
    void every_fault_of_the_settings_is_named_and_the_exit_code_says_so() {
        environment.put("SLUICE_HOST_PORT", "many");
        environment.put("SLUICE_HOST_CALL_THREADS", "0");

        for (String command : new String[] {"serve", "check", "provision"}) {
            assertThat(run(command)).as(command).isEqualTo(ExitCode.SETTINGS);
        }

        assertThat(err.toString()).contains("SLUICE_HOST_PORT", "SLUICE_HOST_CALL_THREADS");
    }

    @Test
    void a_store_that_is_not_there_is_told_and_the_exit_code_says_so() {
        environment.put("COSMOS_ENDPOINT", "http://127.0.0.1:9/");
        environment.put("COSMOS_OPEN_TIMEOUT", "1000");

        assertThat(run("check")).isEqualTo(ExitCode.START);
        assertThat(err.toString()).contains("127.0.0.1");
    }

    @Test
    void a_host_that_is_not_there_is_not_well() {
        assertThat(run("health", "--url", "http://127.0.0.1:9")).isEqualTo(ExitCode.START);
        assertThat(err.toString()).contains("no host answers at http://127.0.0.1:9/health/ready");
    }

    @Test
    void a_command_that_is_none_and_no_command_are_wrong_usage() {
        assertThat(run("swim")).isEqualTo(ExitCode.SETTINGS);
        assertThat(err.toString()).contains("swim");
    }

    @Test
    void the_settings_are_listed_with_their_ranges() {
        assertThat(run("settings")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString())
                .contains("SLUICE_HOST_PORT ", "0 to 65535, 0 for any", "default 4001", "COSMOS_ENDPOINT", "required");
    }

    @Test
    void help_and_version_are_there() {
        assertThat(run("--help")).isEqualTo(ExitCode.DONE);
        assertThat(run("--version")).isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).contains("serve", "check", "provision", "Exit codes", "SLUICE_HOST_PORT");
    }

    @Test
    void the_program_serves_sdks_and_operators_until_it_is_told_to_stop() throws Exception {
        assertThat(run("provision")).isEqualTo(ExitCode.DONE);
        Thread serving = new Thread(() -> run("serve"), "serve");
        serving.setDaemon(true);
        serving.start();
        await().atMost(PATIENCE).until(() -> SERVING.matcher(out.toString()).find());
        Matcher ports = SERVING.matcher(out.toString());
        assertThat(ports.find()).isTrue();

        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", Integer.parseInt(ports.group(1)))
                .usePlaintext()
                .build();
        try {
            var refused = org.assertj.core.api.Assertions.catchThrowable(
                    () -> TaskHubSidecarServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(60, TimeUnit.SECONDS)
                            .hello(Empty.getDefaultInstance()));
            assertThat(refused).hasMessageContaining("taskhub");
        } finally {
            channel.shutdownNow();
        }
        HttpResponse<String> metrics = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.group(2) + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        String operators = "http://127.0.0.1:" + ports.group(2);
        assertThat(run("health", "--url", operators)).isEqualTo(ExitCode.DONE);
        assertThat(run("health", "--live", "--url", operators)).isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).contains("\"well\":true");
        assertThat(metrics.body())
                .contains(
                        "sluice_host_workers{hub=\"" + account.container() + "-a\"} 0.0",
                        "jvm_memory_used_bytes{",
                        "process_uptime_seconds ",
                        "sluice_build_info{");
        serving.interrupt();
        serving.join(PATIENCE.toMillis());
        assertThat(serving.isAlive()).isFalse();
    }
}
