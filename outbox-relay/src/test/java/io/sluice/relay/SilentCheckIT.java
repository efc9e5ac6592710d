package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.program.cli.ExitCode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A check of what hangs, is not there, or has no address: it ends soon, and names all of it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SilentCheckIT {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final String NOBODY = "127.0.0.1:1";
    private static final String UNKNOWN = "no-such-host.invalid:8081";

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @RegisterExtension
    final Opened opened = new Opened();

    /** Where connections are taken, and nothing is ever said. */
    private String silent() throws IOException {
        return "127.0.0.1:"
                + opened.add(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()))
                        .getLocalPort();
    }

    private static Map<String, String> environment(String endpoint, String brokers) {
        return new HashMap<>(Map.of(
                "COSMOS_ENDPOINT",
                endpoint,
                "COSMOS_KEY",
                "c2VjcmV0",
                "KAFKA_BOOTSTRAP_SERVERS",
                brokers,
                "SLUICE_PREFIX",
                kafka.prefix()));
    }

    private static String check(Map<String, String> environment, String... more) {
        var verb = Stream.concat(Stream.of("check"), Stream.of(more)).toArray(String[]::new);
        long begunNanos = System.nanoTime();

        var run = CommandRun.of(environment, verb);

        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(LIMIT);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.START);
        assertThat(run.err().lines()).as("one line").hasSize(1);
        assertThat(run.err()).doesNotContain("is busy (408)", "TimeoutException");
        return run.err();
    }

    @Test
    void a_store_and_a_kafka_that_hang_are_both_named() throws Exception {
        for (var scheme : List.of("http", "https")) {
            var store = scheme + "://" + silent() + "/";
            var brokers = silent();

            assertThat(check(environment(store, brokers)))
                    .contains(
                            "the store at " + store + " did not answer within ",
                            "can't reach Kafka at " + brokers + " (no broker answered within 4 s)");
        }
    }

    @Test
    void the_time_that_is_waited_is_the_operators() throws Exception {
        assertThat(check(environment("http://" + silent() + "/", NOBODY), "--timeout=2"))
                .contains("the store at ", "did not answer within 2 s", "Kafka at " + NOBODY);
        assertThat(CommandRun.of(environment("http://" + NOBODY + "/", NOBODY), "check", "--timeout=601"))
                .returns(ExitCode.SETTINGS, CommandRun::code)
                .extracting(CommandRun::err)
                .asString()
                .contains("--timeout must be from 1 to 600");
    }

    @Test
    void a_store_and_a_kafka_that_are_not_there_are_both_named() {
        assertThat(check(environment("http://" + NOBODY + "/", NOBODY)))
                .contains("no connection to " + NOBODY, "can't reach Kafka at " + NOBODY);
    }

    @Test
    void names_without_an_address_are_both_named() {
        assertThat(check(environment("https://" + UNKNOWN + "/", UNKNOWN)))
                .contains("no connection to " + UNKNOWN, "No resolvable bootstrap urls", "KAFKA_BOOTSTRAP_SERVERS");
    }

    @Test
    void what_kafka_lacks_is_named_though_the_store_hangs_and_the_other_way_round() throws Exception {
        assertThat(check(environment("http://" + silent() + "/", kafka.bootstrapServers())))
                .contains("topic " + kafka.prefix() + ".history is missing; run provision", "the store at ");
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = CommandRun.environment(store, kafka);
            environment.put("COSMOS_CONTAINER", "not-there");
            environment.put("KAFKA_BOOTSTRAP_SERVERS", silent());

            assertThat(check(environment)).contains("'not-there'", "provision it first", "no broker answered");
        }
    }

    /** A store that takes connections, answers for the account, and hangs from then on. */
    @Test
    void a_store_that_hangs_in_the_middle_is_named() throws Exception {
        var answers = new CountDownLatch(1);
        try (var store = TestStore.provisioned(cosmos)) {
            var silence = cosmos.requireEmulator()
                    .faults()
                    .runBefore(
                            request -> store.config().container().equals(request.container()),
                            0,
                            request -> SickPartition.await(answers));
            try {
                assertThat(check(CommandRun.environment(store, kafka)))
                        .contains("the store at ", "did not answer within ");
                assertThat(silence.hits()).isPositive();
            } finally {
                silence.remove();
                answers.countDown();
            }
        }
    }
}
