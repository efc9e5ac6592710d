package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.program.cli.ExitCode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.process.JavaProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The log of a relay that starts well: nothing in it asks for an operator. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class QuietStartIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    /** Of a folder for temporary files Kafka Streams warns, and is right. */
    private static final Path STATE =
            Path.of("target", "streams-of-quiet-start").toAbsolutePath();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LONGEST_LINE = 600;

    @Test
    void a_relay_with_streams_warns_of_nothing_when_all_is_well() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            Map<String, String> environment = new HashMap<>(store.relayEnvironment(kafka));
            environment.putAll(Map.of(
                    "SLUICE_STREAMS", "true",
                    "SLUICE_STREAMS_STATE", STATE.toString(),
                    "SLUICE_DISPATCH_ENABLED", "true"));

            try (var provision = RelayProcess.start(environment, "provision")) {
                assertThat(provision.awaitEnd()).isEqualTo(ExitCode.DONE);
                assertThat(alarms(provision)).isEmpty();
            }
            try (var check = RelayProcess.start(environment, "check")) {
                assertThat(check.awaitEnd()).isEqualTo(ExitCode.DONE);
                assertThat(alarms(check)).isEmpty();
                assertThat(check.lines())
                        .as("opened once each")
                        .containsOnlyOnce("all is well")
                        .areExactly(1, said("CosmosStore the store is open"))
                        .areExactly(1, said("KafkaConnectivity Kafka answered"));
            }
            try (var relay = RelayProcess.start(environment)) {
                relay.awaitPrinted(RelayProcess.RUNNING);
                await().atMost(PATIENCE)
                        .until(() -> relay.lines().stream().anyMatch(line -> line.contains("state=\"RUNNING\"")));
                assertThat(relay.end()).isEqualTo(ExitCode.DONE);

                assertThat(alarms(relay)).isEmpty();
                assertThat(relay.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(LONGEST_LINE));
            }
        }
    }

    private static Condition<String> said(String words) {
        return new Condition<>(line -> line.contains(words), "says %s", words);
    }

    /** But those of a machine that is too busy: an answer that came late, an operation that was slow. */
    private static List<String> alarms(JavaProcess program) {
        return program.lines().stream()
                .filter(line -> line.matches("\\S+ (WARN|ERROR) .*"))
                .filter(line -> !line.matches("\\S+ WARN +(StartRetry|Operations) .*"))
                .toList();
    }
}
