package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.program.cli.ExitCode;
import io.sluice.relay.cli.Main;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.process.JavaProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The program as an operator meets it: settings from the environment, signals, exit codes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class ProgramIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static JavaProcess runningRelay(TestStore store) throws Exception {
        var relay = RelayProcess.start(store.relayEnvironment(kafka));
        relay.awaitPrinted(RelayProcess.RUNNING);
        return relay;
    }

    @Test
    void a_pause_a_kill_and_a_termination_lose_nothing_and_repeat_nothing() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var unlucky = runningRelay(store);
                var survivor = runningRelay(store)) {
            var ledger = new Ledger(store);
            ledger.write();
            unlucky.freeze();
            ledger.write();
            ledger.awaitAll();
            // It wakes with pages and commands in hand that belong to the other by now.
            unlucky.resume();
            ledger.write();
            ledger.awaitAll();
            unlucky.kill();
            ledger.write();
            ledger.awaitAll();

            assertThat(survivor.end()).isEqualTo(ExitCode.DONE);
            assertThat(survivor.lines()).anySatisfy(line -> assertThat(line).contains("relay closed"));
            assertThat(String.join("\n", survivor.lines()))
                    .doesNotContain(store.config().key());
        }
    }

    /** What was written, and whether exactly that arrived. */
    private static final class Ledger {
        private static final int INSTANCES = 20;
        private static final int EVENTS = 3;
        private static final int INTENTS = 5;

        private final TestStore store;
        private final TestTopics topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        private final List<String> events = new ArrayList<>();
        private int writes;

        Ledger(TestStore store) {
            this.store = store;
        }

        void write() {
            IntStream.range(0, INSTANCES)
                    .forEach(i -> events.addAll(store.writeHistory("order-" + i, 1 + writes * EVENTS, EVENTS)));
            store.writeIntents("parent", "child", 1 + writes * INTENTS, INTENTS);
            writes++;
        }

        void awaitAll() {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(topics.eventIds()).hasSizeGreaterThanOrEqualTo(events.size()));
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(store.ids("child", "orch_queue")).hasSize(writes * INTENTS));
            await().atMost(PATIENCE)
                    .until(() -> store.ids("parent", "outbox_intent").isEmpty());
            assertThat(topics.eventIds()).containsExactlyInAnyOrderElementsOf(events);
        }
    }

    @Test
    void intents_are_released_only_when_somebody_says_that_nothing_runs() {
        try (var store = TestStore.provisioned(cosmos)) {
            store.writeClaimed("parent", "child");
            var environment = store.relayEnvironment(kafka);

            assertThat(Main.run(environment, "intents", "release")).isEqualTo(ExitCode.SETTINGS);
            assertThat(Main.run(environment, "intents", "claim", "--yes")).isEqualTo(ExitCode.SETTINGS);
            assertThat(status(store)).isEqualTo("queued");
            assertThat(Main.run(environment, "intents", "release", "--yes")).isEqualTo(ExitCode.DONE);
            assertThat(status(store)).as("Rust's reconciler finds it again").isEqualTo("pending");
        }
    }

    private static String status(TestStore store) {
        return store.documents("parent", "outbox_intent").get(0).path("status").asText();
    }

    @Test
    void checking_names_what_is_missing_and_provisioning_makes_it() {
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = store.relayEnvironment(kafka);

            assertThat(List.of(
                            Main.run(environment, "check"),
                            Main.run(environment, "provision"),
                            Main.run(environment, "check")))
                    .containsExactly(ExitCode.START, ExitCode.DONE, ExitCode.DONE);
        }
    }
}
