package io.sluice.relay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.http.Endpoint;
import io.sluice.program.http.OpsPort;
import io.sluice.program.http.OpsServer;
import io.sluice.relay.CommandRun;
import io.sluice.relay.TestStore;
import io.sluice.relay.runtime.OpsRoutes;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Verbs of the command line that refuse what would do harm, or say that nothing was done. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class VerbsIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @Test
    void a_start_in_the_future_is_refused() {
        var later = Instant.now().plus(Duration.ofDays(1));

        var refused = CommandRun.of(environment(), "run", "--from=" + later);

        assertThat(refused.code()).isEqualTo(ExitCode.SETTINGS);
        assertThat(refused.err()).contains("must be in the past");
    }

    @Test
    void a_usage_error_says_its_reason_last_and_little_else() {
        var refused = CommandRun.of(environment(), "replay");

        assertThat(refused.code()).isEqualTo(ExitCode.SETTINGS);
        assertThat(refused.err().lines()).hasSize(2).last().asString().contains("either --instance or --from");
    }

    @Test
    void check_finds_what_run_would_refuse_of_the_port() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var onTakenPort = environment();
            onTakenPort.put("SLUICE_OPS_PORT", String.valueOf(taken.getLocalPort()));
            var open = environment();
            open.put("SLUICE_OPS_PORT", "0");
            open.put("SLUICE_OPS_HOST", "0.0.0.0");

            assertThat(CommandRun.of(onTakenPort, "check")).satisfies(run -> {
                assertThat(run.code()).isEqualTo(ExitCode.SETTINGS);
                assertThat(run.err()).contains("can't open port " + taken.getLocalPort());
            });
            assertThat(CommandRun.of(open, "check")).satisfies(run -> {
                assertThat(run.code()).isEqualTo(ExitCode.SETTINGS);
                assertThat(run.err()).contains("SLUICE_OPS_TOKEN");
            });
        }
    }

    @Test
    void check_takes_a_port_that_a_relay_has_for_no_fault() {
        var relay = new OpsServer(
                new OpsPort("127.0.0.1", 0, null),
                List.of(Endpoint.probe("/health/live", call -> OpsRoutes.health(List.of(), List.of()))));
        relay.start();
        try (relay) {
            var environment = environment();
            environment.put("SLUICE_OPS_PORT", String.valueOf(relay.port()));

            var run = CommandRun.of(environment, "check");

            assertThat(run.out()).contains("a relay runs here already");
            assertThat(run.code()).as("nothing else answers here").isEqualTo(ExitCode.START);
        }
    }

    @Test
    void an_instance_without_history_is_not_replayed_in_silence_nor_into_a_new_topic() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            var topic = kafka.prefix() + ".replay.nope";

            var run = CommandRun.of(CommandRun.environment(store, kafka), "replay", "--instance=nope", "--to=" + topic);

            assertThat(run.code()).isEqualTo(ExitCode.OTHER);
            assertThat(run.err()).contains("no history of an instance nope");
            assertThat(admin.listTopics().names().get()).doesNotContain(topic);
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void malformed_documents_of_the_queues_are_listed_with_what_is_wrong_with_them() {
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = CommandRun.environment(store, kafka);
            assertThat(CommandRun.of(environment, "queue", "malformed").out()).contains("0 malformed documents");
            store.write(JsonNodeFactory.instance
                    .objectNode()
                    .put("id", "m-1")
                    .put("type", "orch_queue")
                    .put("instanceId", "order-1")
                    .put("attemptCount", 1e20));

            var listed = CommandRun.of(environment, "queue", "malformed");

            assertThat(listed.code()).isEqualTo(ExitCode.DONE);
            assertThat(listed.out()).contains("orch_queue  partition \"order-1\"  id m-1", "1 malformed documents");
            assertThat(CommandRun.of(environment, "queue", "malformed", "--json")
                            .out())
                    .contains("\"id\":\"m-1\"", "\"field\":");
            assertThat(CommandRun.of(environment, "queue", "malformed", "--limit=1")
                            .out())
                    .contains("1 malformed documents, or more");
            assertThat(CommandRun.of(environment, "queue", "malformed", "--limit=0")
                            .code())
                    .isEqualTo(ExitCode.SETTINGS);
        }
    }

    /** Of what nobody needs to reach. */
    private static Map<String, String> environment() {
        return new HashMap<>(Map.of(
                "COSMOS_ENDPOINT",
                "http://127.0.0.1:1",
                "COSMOS_KEY",
                "a2V5",
                "KAFKA_BOOTSTRAP_SERVERS",
                "127.0.0.1:1"));
    }
}
