package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.program.cli.ExitCode;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code docs/drills.md} has operators do, step by step; {@code verify} is the judge. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("thorough")
class DrillsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PREFIX = "orders";
    private static final String CANCEL = "{\"type\":\"cancel\",\"instance\":\"%s\",\"reason\":\"\"}";

    @RegisterExtension
    final Opened opened = new Opened();

    private TestStore store() {
        var emulator = opened.add(CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(2)));
        return opened.add(
                TestStore.provisioned(new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "sluice", "orders")));
    }

    private static Map<String, String> environment(TestStore store, EmbeddedKafka kafka, String prefix) {
        return RelayEnvironment.of(store.config(), kafka.bootstrapServers(), prefix, RelayEnvironment.SMALL);
    }

    private OutboxRelay run(TestStore store, EmbeddedKafka kafka, String prefix) {
        var relay = opened.add(OutboxRelay.builder()
                .config(RelayConfig.load(environment(store, kafka, prefix), null))
                .build());
        relay.start();
        return relay;
    }

    private static CommandRun done(Map<String, String> environment, String... verb) {
        var run = CommandRun.of(environment, verb);
        assertThat(run.code()).as("%s: %s", List.of(verb), run).isEqualTo(ExitCode.DONE);
        return run;
    }

    /** What {@code verify} counts, which finds nothing wrong. */
    private static JsonNode verified(Map<String, String> environment) throws Exception {
        var report = JSON.readTree(done(environment, "verify", "--json").out());
        assertThat(report.path("exact").asBoolean()).as("%s", report).isTrue();
        return report.path("counts");
    }

    private static List<String> histories(TestStore store, String name, int instances) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < instances; i++) {
            ids.addAll(store.writeHistory(name + i, 1, 4));
        }
        return ids;
    }

    private static void awaitPublished(EmbeddedKafka kafka, String prefix, List<String> events) {
        var topics = new TestTopics(kafka.bootstrapServers(), prefix);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics.eventIds()).containsAll(events));
    }

    private static void command(EmbeddedKafka kafka, String prefix, String instance) throws Exception {
        new TestTopics(kafka.bootstrapServers(), prefix)
                .send(instance, "cancel-" + instance, CANCEL.formatted(instance));
    }

    private static void awaitQueued(TestStore store, String... instances) {
        for (var instance : instances) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(store.ids(instance, "orch_queue")).hasSize(1));
        }
    }

    @Test
    void kafka_is_lost_whole() throws Exception {
        var store = store();
        var events = new ArrayList<>(histories(store, "order-", 20));
        var lost = opened.add(EmbeddedKafka.start());
        done(environment(store, lost, PREFIX), "provision");
        var relay = run(store, lost, PREFIX);
        awaitPublished(lost, PREFIX, events);
        command(lost, PREFIX, "taken");
        awaitQueued(store, "taken");
        lost.close();
        events.addAll(histories(store, "meanwhile-", 5));
        store.writeIntents("source", "target", 1, 1);
        awaitQueued(store, "target");
        relay.close();

        var kafka = opened.add(EmbeddedKafka.start());
        var environment = environment(store, kafka, PREFIX);
        assertThat(CommandRun.of(environment, "check").err()).contains(PREFIX + ".history is missing");
        done(environment, "provision");
        run(store, kafka, PREFIX);
        awaitPublished(kafka, PREFIX, events);
        command(kafka, PREFIX, "taken");
        command(kafka, PREFIX, "new");

        awaitQueued(store, "new");
        var counts = verified(environment);
        assertThat(counts.path("same").asLong()).isEqualTo(events.size());
        assertThat(store.ids("taken", "orch_queue"))
                .as("a command that is sent again is not queued twice")
                .hasSize(1);
    }

    @Test
    void the_store_is_restored_to_a_moment_in_a_new_account() throws Exception {
        var kafka = opened.add(EmbeddedKafka.start());
        var store = store();
        var kept = histories(store, "order-", 20);
        var relay = run(store, kafka, PREFIX);
        awaitPublished(kafka, PREFIX, kept);
        store.writeIntents("source", "target", 1, 1);
        command(kafka, PREFIX, "taken");
        awaitQueued(store, "target", "taken");
        var backup = store.everything();
        awaitPublished(kafka, PREFIX, histories(store, "after-", 5));
        relay.close();

        var restored = store();
        // In the order of events; whether a service's restore keeps it, only its verify can say.
        backup.stream()
                .sorted(Comparator.comparing(document -> document.path("id").asText()))
                .forEach(document -> restored.write((ObjectNode) document));
        var refused = CommandRun.of(environment(restored, kafka, PREFIX), "verify");
        assertThat(refused.code()).as(refused.out()).isNotEqualTo(ExitCode.DONE);
        var prefix = PREFIX + "-2";
        var environment = environment(restored, kafka, prefix);
        done(environment, "provision");
        run(restored, kafka, prefix);
        awaitPublished(kafka, prefix, kept);
        command(kafka, prefix, "taken");
        command(kafka, prefix, "new");

        awaitQueued(restored, "target", "taken", "new");
        assertThat(verified(environment).path("same").asLong()).isEqualTo(kept.size());
    }
}
