package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.InstanceStatusDeserializer;
import io.sluice.client.lifecycle.LifecycleEvents;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.client.lifecycle.OrchestrationStatisticsDeserializer;
import io.sluice.client.lifecycle.ReaderConfig;
import io.sluice.client.lifecycle.StartAt;
import io.sluice.client.lifecycle.StuckInstanceDeserializer;
import io.sluice.relay.kafka.CommittedRecords;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.KafkaCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas of the streams that are killed, restarted and robbed of their folders while history flows: what they tell is
 * exact all the same, and they answer or say when to ask again.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("thorough")
class StreamsRestartIT {
    private static final int PARTITIONS = 4;
    private static final long SEED = 4_711;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private StreamsReplicas replicas;

    private final Map<String, List<String>> facts = new ConcurrentHashMap<>();

    @BeforeEach
    void makeHistory() throws Exception {
        replicas = new StreamsReplicas(
                kafka,
                folder,
                Map.of(
                        "SLUICE_STATISTICS_WINDOW", String.valueOf(HistoryLoad.WINDOW.toMillis()),
                        "SLUICE_STUCK_AFTER", "2000",
                        "SLUICE_TOPIC_REPLICATION", "1"));
        replicas.makeHistory(PARTITIONS);
    }

    @AfterEach
    void close() {
        replicas.close();
    }

    @Test
    void kills_restarts_and_lost_folders_change_nothing_of_what_is_told() throws Exception {
        var steady = replicas.start("steady");
        int unluckyPort = StreamsReplicas.freePort();
        try (var load = new HistoryLoad(kafka.bootstrapServers(), kafka.prefix() + ".history", SEED);
                var reader = LifecycleEvents.start(
                        ReaderConfig.alone(kafka.bootstrapServers(), kafka.prefix(), StartAt.beginning()),
                        event -> facts.computeIfAbsent(event.instance(), key -> new ArrayList<>())
                                .add(event.id()));
                var unlucky =
                        RelayProcess.start(replicas.environment("unlucky", unluckyPort), "run", "--streams-only");
                var prober = new StreamsProber(facts::keySet)) {
            unlucky.awaitPrinted("streams are running");
            awaitShare(unluckyPort);
            awaitShare(steady.port());
            prober.ask(steady.port());
            load.start();
            awaitMoreFacts(200);

            unlucky.kill();
            await().atMost(PATIENCE).until(() -> share(steady.port()) == PARTITIONS);
            awaitMoreFacts(200);
            awaitList(steady.port());

            deleteFolder("unlucky");
            var heir = replicas.start("unlucky");
            awaitShare(heir.port());
            prober.ask(heir.port());
            awaitMoreFacts(200);

            prober.leave(steady.port());
            steady.close();
            var restarted = replicas.start("steady");
            awaitShare(restarted.port());
            prober.ask(restarted.port());
            awaitMoreFacts(200);
            await().atMost(PATIENCE)
                    .until(() -> last(".stuck", new StuckInstanceDeserializer()).get(HistoryLoad.SLEEPER) != null);
            load.finish();

            assertExact(load, reader);
            for (int port : List.of(heir.port(), restarted.port())) {
                assertAnswers(port, load.states());
            }
            assertThat(prober.faults()).isEmpty();
            assertThat(prober.answers()).as("answers while all that went on").isGreaterThan(100);
        }
    }

    private void awaitMoreFacts(int more) {
        int before = told();
        await().atMost(PATIENCE).until(() -> told() >= before + more);
    }

    private int told() {
        return facts.values().stream().mapToInt(List::size).sum();
    }

    private void assertExact(HistoryLoad load, LifecycleEvents reader) {
        int expected = load.facts().values().stream().mapToInt(List::size).sum();
        await().atMost(PATIENCE).until(() -> told() >= expected);
        assertThat(reader.ended()).isNotDone();
        assertThat(facts).as("each fact once, in order per instance").isEqualTo(load.facts());
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(states()).isEqualTo(load.states()));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(counts()).isEqualTo(load.counts()));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                last(".stuck", new StuckInstanceDeserializer()).values())
                        .as("all have ended, none is stuck")
                        .isNotEmpty()
                        .containsOnlyNulls());
    }

    private Map<String, @Nullable State> states() {
        var states = new HashMap<String, @Nullable State>();
        last(".status", new InstanceStatusDeserializer())
                .forEach((instance, status) -> states.put(instance, status == null ? null : status.state()));
        return states;
    }

    private Map<String, HistoryLoad.Counts> counts() {
        return last(".statistics", new OrchestrationStatisticsDeserializer()).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, window -> counts(window.getValue())));
    }

    private static HistoryLoad.Counts counts(OrchestrationStatistics window) {
        return new HistoryLoad.Counts(
                window.started(), window.completed(), window.failed(), window.cancelled(), window.continuedAsNew());
    }

    /** What a compacted topic says of each key in the end. */
    private <T> Map<String, @Nullable T> last(String suffix, Deserializer<T> deserializer) {
        var topic = kafka.prefix() + suffix;
        var last = new HashMap<String, @Nullable T>();
        CommittedRecords.of(new KafkaAccess(kafka.bootstrapServers(), Map.of()), topic)
                .forEach(message -> last.put(
                        new String(message.key(), UTF_8),
                        message.value() == null ? null : deserializer.deserialize(topic, message.value())));
        return last;
    }

    private void assertAnswers(int port, Map<String, @Nullable State> states) {
        var ids = states.keySet().stream().sorted().limit(40).toList();
        for (var id : ids) {
            var state = states.get(id);
            await().atMost(PATIENCE)
                    .until(
                            () -> replicas.get(port, "/instances/" + id),
                            answer -> state == null
                                    ? answer.statusCode() == 404
                                    : answer.statusCode() == 200
                                            && StreamsReplicas.json(answer)
                                                    .path("state")
                                                    .asText()
                                                    .equals(state.name()));
        }
        long deleted = states.values().stream().filter(state -> state == null).count();
        await().atMost(PATIENCE)
                .until(
                        () -> StreamsReplicas.json(replicas.get(port, "/instances?limit=1000"))
                                .path("instances")
                                .size(),
                        size -> size == Math.min(1_000, states.size() - deleted));
    }

    private void awaitList(int port) {
        await().atMost(PATIENCE)
                .until(() -> replicas.get(port, "/instances?limit=1").statusCode() == 200);
        await().atMost(PATIENCE).until(() -> replicas.get(port, "/statistics").statusCode() == 200);
    }

    private void awaitShare(int port) {
        await().atMost(PATIENCE).until(() -> share(port) > 0);
    }

    /** How many partitions a replica has ready. */
    private int share(int port) throws InterruptedException {
        var answer = replicas.get(port, "/instances?limit=1&local=true");
        return answer.statusCode() == 200
                ? StreamsReplicas.json(answer).path("partitions").size()
                : 0;
    }

    private void deleteFolder(String name) throws IOException {
        try (var files = Files.walk(folder.resolve(name))) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
