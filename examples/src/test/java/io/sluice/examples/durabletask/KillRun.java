package io.sluice.examples.durabletask;

import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.examples.ledger.Histories;
import io.sluice.examples.ledger.Ledger;
import io.sluice.examples.ledger.PublishedEvent;
import io.sluice.examples.servers.Servers;
import io.sluice.examples.servers.TopicReader;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.seed.Step;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Orchestrations on three hosts while hosts, workers and relays are killed without warning: each must end once, with
 * the events that it has without kills, and each event must be on Kafka once. As a program it ends with 1 when one is
 * not so.
 */
final class KillRun {
    private static final List<HubWork> KINDS = List.of(HubWork.values());
    private static final int CLIENTS = 24;
    private static final Duration PUBLISHED = Duration.ofMinutes(3);
    private static final Duration READ = Duration.ofSeconds(30);

    private final KillPlan plan;
    private final Servers servers;
    private final HubProcesses processes;
    private final PatientClient client;
    private final List<String> surprises = new ArrayList<>();
    private final List<Duration> durations = new ArrayList<>();
    private final Map<KillPlan.Part, Integer> kills = new EnumMap<>(KillPlan.Part.class);

    private KillRun(KillPlan plan, Servers servers, HubProcesses processes, PatientClient client) {
        this.plan = plan;
        this.servers = servers;
        this.processes = processes;
        this.client = client;
    }

    /** {@code -Dkills.seed} and the like are its settings. */
    public static void main(String[] arguments) throws Exception {
        KillReport report = of(KillPlan.fromProperties());
        System.out.println(report.text());
        System.exit(report.isExact() ? 0 : 1);
    }

    /** Runs a plan. */
    static KillReport of(KillPlan plan) throws IOException, InterruptedException, ExecutionException {
        Instant begun = Instant.now();
        try (Servers servers = Servers.open(Map.of(), "kills", false);
                HubProcesses processes = HubProcesses.start(servers);
                PatientClient client = new PatientClient(processes.ports())) {
            KillRun run = new KillRun(plan, servers, processes, client);
            Map<HubWork, List<String>> undisturbed = run.undisturbed();
            run.disturbed();
            return run.audit(undisturbed, begun);
        }
    }

    /** An orchestration of each kind while nothing is killed, as the others are compared with. */
    private Map<HubWork, List<String>> undisturbed() {
        Map<HubWork, List<String>> shapes = new EnumMap<>(HubWork.class);
        try (CosmosProvider provider = provider()) {
            for (HubWork work : KINDS) {
                String instance = undisturbed(work);
                end(work, instance);
                shapes.put(work, shape(Histories.read(provider, List.of(instance))));
            }
        }
        return shapes;
    }

    private static String undisturbed(HubWork work) {
        return "undisturbed-" + work;
    }

    private CosmosProvider provider() {
        return CosmosProvider.builder().store(servers.cosmos().store()).build();
    }

    private void disturbed() throws InterruptedException, ExecutionException {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<CompletableFuture<Duration>> ends = IntStream.range(0, plan.instances())
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> end(work(i), instance(i)), clients))
                    .toList();
            CompletableFuture<Void> all = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
            for (Step<KillPlan.Part> kill : plan.steps()) {
                if (isDone(all, kill.after())) {
                    break;
                }
                System.out.println(Instant.now() + " killed " + processes.replace(kill));
                kills.merge(kill.action(), 1, Integer::sum);
            }
            all.get();
            ends.forEach(end -> durations.add(end.join()));
        } finally {
            clients.shutdownNow();
        }
    }

    private static boolean isDone(CompletableFuture<Void> all, Duration within)
            throws InterruptedException, ExecutionException {
        try {
            all.get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private Duration end(HubWork work, String instance) {
        Instant begun = Instant.now();
        client.start(instance, work.name(), instance);
        OrchestrationState state = client.awaitEnd(instance);
        String expected = work.resultOf(instance);
        if (state.getOrchestrationStatus() != OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED
                || !state.getOutput().getValue().equals(expected)) {
            surprise(instance + " should have ended with " + expected + ", was " + state);
        }
        return Duration.between(begun, Instant.now());
    }

    private void surprise(String what) {
        synchronized (surprises) {
            surprises.add(what);
        }
    }

    private KillReport audit(Map<HubWork, List<String>> undisturbed, Instant begun) {
        Map<String, List<HistoryEvent>> stored = new LinkedHashMap<>();
        try (CosmosProvider provider = provider()) {
            for (int i = 0; i < plan.instances(); i++) {
                Map<String, List<HistoryEvent>> family = Histories.read(provider, List.of(instance(i)));
                if (!shape(family).equals(undisturbed.get(work(i)))) {
                    surprise(instance(i) + " has the events " + shape(family));
                }
                stored.putAll(family);
            }
            stored.putAll(Histories.read(
                    provider, KINDS.stream().map(KillRun::undisturbed).toList()));
        }
        int events = stored.values().stream().mapToInt(List::size).sum();
        await().atMost(PUBLISHED)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> published().size() >= events);
        processes.requireAlive();
        processes.close();
        return new KillReport(
                plan,
                kills,
                surprises,
                Ledger.audit(stored, published()),
                all("dead-letters", ConsumerRecord::key).size(),
                durations,
                Duration.between(begun, Instant.now()));
    }

    private List<PublishedEvent> published() {
        return all("history", PublishedEvent::of);
    }

    private <T> List<T> all(String topic, Function<ConsumerRecord<String, String>, T> reading) {
        return TopicReader.readAll(
                servers.kafka().bootstrapServers(), servers.kafka().topic(topic), READ, reading);
    }

    /** The kinds of all events of an instance and its children; activities at once end in any order. */
    private static List<String> shape(Map<String, List<HistoryEvent>> family) {
        return family.values().stream()
                .flatMap(List::stream)
                .map(event -> event.kind().getClass().getSimpleName())
                .sorted()
                .toList();
    }

    private HubWork work(int number) {
        return KINDS.get(number % KINDS.size());
    }

    private String instance(int number) {
        return work(number).name().toLowerCase(Locale.ROOT) + "-" + number;
    }
}
