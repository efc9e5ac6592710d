package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.OutboxRelay;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.EmbeddedKafka;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every metric that alerts and dashboard name, with its labels, is shown by a real relay, a real provider that has done
 * some work, or a real DurableTask host.
 */
class ExportedMetricsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_0-9]+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");
    private static final Pattern BLANK_VALUE = Pattern.compile("=\"[^\"]*\\s[^\"]*\"");
    private static final int THROTTLED = 429;
    /** Of partitions of the store that are sick, which none is here; the relay's own tests see them. */
    private static final Set<String> SHOWN_WHILE_SICK = Set.of("sluice_relay_partition_unavailable");

    @TempDir
    static Path folder;

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<AutoCloseable> OPEN = new ArrayList<>();
    private static final PrometheusMeterRegistry REGISTRY = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private static OutboxRelay relay;

    @BeforeAll
    static void letARelayWork() throws Exception {
        var emulator = closed(CosmosEmulator.start(EmulatorConfig.inMemory()));
        var kafka = closed(EmbeddedKafka.start());
        var config = RelayConfig.load(
                Map.of(
                        "COSMOS_ENDPOINT", emulator.endpoint(),
                        "COSMOS_KEY", emulator.key(),
                        "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                        "SLUICE_OPS_PORT", "0",
                        "SLUICE_STREAMS", "true",
                        "SLUICE_STREAMS_STATE", folder.toString()),
                null);
        CosmosStore.provision(config.cosmos());
        var store = closed(CosmosStore.open(config.cosmos()));
        relay = closed(OutboxRelay.builder().config(config).build());
        relay.start();
        var provider = closed(
                CosmosProvider.builder().store(store).meterRegistry(REGISTRY).build());
        closed(DurableTaskHost.start(provider, HostConfig.local(0).withMeters(REGISTRY)));
        oneTurn(provider);
        emulator.faults().refuse(request -> request.operation() == RequestKind.BATCH, 1, THROTTLED, 3200);
        oneCommand(kafka);
    }

    /** Its batch is the one that is refused, and tried again. */
    private static void oneCommand(EmbeddedKafka kafka) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        var command = "{\"type\":\"raiseEvent\",\"instance\":\"order-1\",\"name\":\"paid\",\"data\":\"yes\"}";
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("sluice.commands", "order-1", command))
                    .get();
        }
    }

    private static void oneTurn(Provider provider) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration("order-1", "Order", "{}", "1.0.0", null, null, null, 1), null);
        var turn = provider.fetchOrchestrationItem(Duration.ofSeconds(30), Duration.ofSeconds(30), null)
                .orElseThrow();
        var started = new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(HistoryEvent.of(1, "order-1", 1, System.currentTimeMillis(), "0.1.32", started))));
        assertThatThrownBy(() -> provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)))
                .isInstanceOf(ProviderException.class);
    }

    private static <T extends AutoCloseable> T closed(T part) {
        OPEN.add(0, part);
        return part;
    }

    @AfterAll
    static void close() throws Exception {
        for (var part : OPEN) {
            part.close();
        }
    }

    @Test
    void every_metric_that_is_named_is_exported_with_its_labels() throws Exception {
        var named = MonitoringTest.queries()
                .flatMap(query -> query.metrics().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        named.removeAll(SHOWN_WHILE_SICK);
        assertThat(named).hasSizeGreaterThan(20);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(exported().keySet()).containsAll(named));

        var exported = exported();
        MonitoringTest.queries()
                .filter(query -> !SHOWN_WHILE_SICK.containsAll(query.metrics()))
                .forEach(query -> {
                    query.metrics()
                            .forEach(metric -> assertThat(exported.getOrDefault(metric, Set.of()))
                                    .as("labels of %s", metric)
                                    .containsAll(query.chosenBy(metric).keySet()));
                    assertThat(query.metrics().stream()
                                    .flatMap(metric -> exported.getOrDefault(metric, Set.of()).stream()))
                            .as("labels of %s", query.text())
                            .containsAll(query.groupedBy());
                });
    }

    @Test
    void no_label_has_a_value_with_a_blank() throws Exception {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(exported()).containsKey("sluice_relay_cosmos_requests_seconds_count"));

        assertThat(samples().lines().filter(line -> line.startsWith("sluice_")))
                .isNotEmpty()
                .noneMatch(line -> BLANK_VALUE.matcher(line).find());
    }

    private static String samples() throws Exception {
        return get("/metrics").body() + REGISTRY.scrape();
    }

    /** What a relay and a provider show, with all labels that occur. */
    private static Map<String, Set<String>> exported() throws Exception {
        var exported = new TreeMap<String, Set<String>>();
        SAMPLE.matcher(samples()).results().forEach(sample -> {
            var labels = exported.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
            if (sample.group(2) != null) {
                LABEL.matcher(sample.group(2)).results().forEach(label -> labels.add(label.group(1)));
            }
        });
        return exported;
    }

    @Test
    void every_call_of_the_runbook_is_answered() {
        var paths = Pattern.compile("curl http://relay-\\d:8080(/[a-z/]*)")
                .matcher(Repository.text("docs/runbook.md"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());

        assertThat(paths).contains("/lag", "/owners", "/health/ready");
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (var path : paths) {
                // An instance by its id: any path beneath is one.
                var asked = path.equals("/instances/") ? "/instances/order-1" : path;
                assertThat(get(asked).statusCode()).as(asked).isIn(200, 503);
            }
        });
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + relay.opsPort() + path))
                        .build(),
                BodyHandlers.ofString());
    }
}
