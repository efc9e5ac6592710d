package io.sluice.relay.ledger;

import io.sluice.client.ClientConfig;
import io.sluice.client.SluiceClient;
import io.sluice.program.cli.ExitCode;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.relay.CommandRun;
import io.sluice.relay.Opened;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.ledger.audit.Audit;
import io.sluice.relay.ledger.audit.Progress;
import io.sluice.relay.ledger.audit.Takeovers;
import io.sluice.relay.ledger.audit.Topic;
import io.sluice.relay.ledger.load.Commands;
import io.sluice.relay.ledger.load.Journal;
import io.sluice.relay.ledger.load.Looks;
import io.sluice.relay.ledger.load.Orders;
import io.sluice.relay.ledger.load.RustWriter;
import io.sluice.relay.ledger.load.Store;
import io.sluice.relay.ledger.process.Fleet;
import io.sluice.relay.ledger.process.Fleet.Kind;
import io.sluice.relay.ledger.process.RuntimeProgram;
import io.sluice.relay.ledger.process.Servers;
import io.sluice.relay.ledger.watch.Watch;
import io.sluice.testkit.KafkaTopics;
import io.sluice.testkit.judge.Finding;
import io.sluice.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of the ledger: orders by commands, relays and runtimes as processes that are killed, paused, cut off and
 * replaced while they work, then the audit. The soak is the same with servers as processes of their own: one relay and
 * one runtime live, and are watched with the servers.
 */
final class LedgerRun {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerRun.class);
    private static final String REPLIES = "ledger.replies";
    private static final Duration REPLY = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Watch.Pace PACE = new Watch.Pace(Duration.ofSeconds(5), Duration.ofSeconds(30));
    private static final int SERVER_MEGABYTES = 512;
    private static final int ORDERS_PER_RUST_TURN = 25;

    private final Plan plan;
    private final Path folder;
    private final long startedNanos = System.nanoTime();

    private LedgerRun(Plan plan) {
        this.plan = plan;
        this.folder = Servers.folder("ledger", String.valueOf(plan.seed()));
    }

    /** Runs a plan and prints what it came to; says whether all is well. */
    static boolean print(Plan plan) throws Exception {
        var summary = of(plan);
        System.out.println(summary.text());
        return summary.isSound();
    }

    /** Runs a plan from beginning to end. */
    static Summary of(Plan plan) throws Exception {
        return new LedgerRun(plan).run();
    }

    private Summary run() throws Exception {
        LOG.atWarn().addKeyValue("plan", plan).addKeyValue("folder", folder).log("ledger begins");
        try (var opened = new Opened()) {
            var servers = opened.add(
                    plan.watched() ? Servers.apart(folder, SERVER_MEGABYTES, true, Map.of()) : Servers.here());
            var fleet = opened.add(new Fleet(folder, environment(servers)));
            var watched = Stream.concat(servers.programs().stream(), startFleet(fleet).stream())
                    .map(program -> new Watch.Watched(program.name(), program.pid()))
                    .toList();
            fleet.awaitWorking();
            makeReplyTopic(servers.bootstrap());
            var bed = new Bed(servers, opened);
            var watch = opened.add(new Watch(watched, servers.ports(), bed.store()::documents, PACE));
            var injector = opened.add(new FaultInjector(plan, servers, fleet));
            return work(servers, fleet, bed, watch, injector);
        }
    }

    /** What the run's own process works with. */
    private record Bed(Store store, Topic topic, Topic deadLetters, CosmosProvider looker, SluiceClient client) {
        Bed(Servers servers, Opened opened) {
            this(
                    opened.add(new Store(servers.store())),
                    opened.add(new Topic(servers.bootstrap(), Servers.PREFIX + ".history")),
                    opened.add(new Topic(servers.bootstrap(), Servers.PREFIX + ".dead-letters")),
                    opened.add(Servers.retry(() ->
                            CosmosProvider.builder().config(servers.store()).build())),
                    opened.add(SluiceClient.open(ClientConfig.of(servers.bootstrap(), Servers.PREFIX)
                            .withReplyTopic(REPLIES)
                            .withAllowedReplyTopics(List.of(REPLIES))
                            .withReplyTimeout(REPLY))));
        }
    }

    private Map<String, String> environment(Servers servers) {
        var kafka = plan.watched() ? servers.bootstrap() : servers.kafka().bootstrapServers();
        var environment = RelayEnvironment.of(servers.store(), kafka, Servers.PREFIX, RelayEnvironment.SMALL);
        environment.put("SLUICE_SWEEP_INTERVAL", "15000");
        environment.put(RelayEnvironment.ANNOUNCES, String.valueOf(plan.dispatched()));
        environment.put(RuntimeProgram.IMMEDIATE, "false");
        environment.put(RuntimeProgram.KEEP_SECONDS, String.valueOf(plan.keep().toSeconds()));
        return environment;
    }

    /** Starts relays and runtimes; returns those that are watched. A watched runtime delivers intents where it can. */
    private List<JavaProcess> startFleet(Fleet fleet) {
        for (int i = plan.watched() ? 1 : 0; i < plan.relays(); i++) {
            fleet.join(Kind.RELAY);
        }
        for (int i = plan.watched() ? 1 : 0; i < plan.runtimes(); i++) {
            fleet.join(Kind.RUNTIME);
        }
        return plan.watched()
                ? List.of(
                        fleet.join(Kind.RELAY, true, Map.of()),
                        fleet.join(Kind.RUNTIME, true, Map.of(RuntimeProgram.IMMEDIATE, "true")))
                : List.of();
    }

    private static void makeReplyTopic(String bootstrap) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            KafkaTopics.create(admin, new NewTopic(REPLIES, 2, (short) 1));
        }
    }

    private Summary work(Servers servers, Fleet fleet, Bed bed, Watch watch, FaultInjector injector) throws Exception {
        var progress = new Progress(bed.topic(), bed.store());
        var commands = new Commands(bed.client());
        var rust = new RustWriter(bed.store());
        var looks = new Looks(bed.looker(), plan.seed());
        try (var orders = new Orders(commands, progress::finished, number -> {
            if (number % ORDERS_PER_RUST_TURN == 0) {
                rust.write(number / ORDERS_PER_RUST_TURN);
            }
        })) {
            watch.start();
            orders.start(plan.orders(), plan.load().dividedBy(plan.orders()));
            injector.start();
            while (!orders.awaitAllGiven(LOOK)) {
                progress.look();
                looks.look(orders.given());
            }
            orders.stop();
        }
        var samples = watch.end();
        injector.awaitEnd();
        samples.writeCsv(folder.resolve("samples.csv"));
        var left = progress.drain(
                plan.orders(),
                isDeleted() ? 2 * plan.orders() : 0,
                () -> supervise(fleet)
                        && commands.counts().accepted() == commands.counts().asked());
        var report = Audit.of(bed.topic().read(), truth(bed.store(), plan.orders(), folder, isDeleted()))
                .with(verify(servers));
        return new Summary(
                plan,
                report,
                commands.counts(),
                injector.done(),
                servers.kafka().lostAnswers(),
                fleet.endedAlone(),
                left,
                bed.deadLetters().read().size(),
                Takeovers.of(fleet.all(), injector.killedMillis()),
                samples,
                Duration.ofNanos(System.nanoTime() - startedNanos));
    }

    /** What the relay's own verb says beside the audit. */
    private List<Finding> verify(Servers servers) {
        var run = CommandRun.of(environment(servers), "verify", "--request-units", "10000");
        return run.code() == ExitCode.DONE
                ? List.of()
                : Stream.concat(run.lines().stream(), run.err().lines())
                        .map(line -> new Finding(Finding.Kind.UNEXPECTED, "verify: " + line))
                        .toList();
    }

    private boolean isDeleted() {
        return !plan.keep().isZero();
    }

    /** Looks after the processes also when nobody harms them any more. */
    private static boolean supervise(Fleet fleet) {
        return Stream.of(Kind.values()).noneMatch(kind -> fleet.members(kind).isEmpty());
    }

    /** What the audit compares the topic with. */
    static Audit.Truth truth(Store store, int orders, Path folder, boolean isDeleted) throws IOException {
        List<HistoryEvent> stored =
                store.histories().values().stream().flatMap(List::stream).toList();
        return new Audit.Truth(orders, Journal.readAll(folder), stored, isDeleted);
    }
}
