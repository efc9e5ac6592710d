package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.ledger.process.BrokerProgram;
import io.sluice.relay.ledger.process.EmulatorProgram;
import io.sluice.relay.ledger.process.Fleet.Kind;
import io.sluice.relay.ledger.process.RelayProgram;
import io.sluice.relay.ledger.process.RuntimeProgram;
import io.sluice.relay.ledger.process.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/**
 * A failure of dispatch that is done to running processes.
 *
 * @param name by which it is chosen
 * @param words for the table
 * @param setup what is wrong from the beginning
 */
record Failure(String name, String words, FailureBed.Setup setup, Deed deed) {
    private static final Duration STOPPED = Duration.ofSeconds(60);
    private static final Duration WITHOUT_TOPICS = Duration.ofSeconds(20);
    private static final Duration OTHERS_SESSIONS_LAPSE = Duration.ofSeconds(40);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int RELAYS = 4;
    private static final int JOINS = 6;
    private static final Duration LONGEST_STAY = Duration.ofSeconds(12);
    private static final Duration WRONG_FOR = Duration.ofSeconds(60);
    private static final Duration BETWEEN_LIES = Duration.ofMillis(100);
    private static final int SKEW_SECONDS = 20;

    private Failure(String name, String words, Deed deed) {
        this(name, words, FailureBed.Setup.USUAL, deed);
    }

    /** Brings the failure about, and says when it begins. */
    interface Deed {
        void doTo(FailureBed bed) throws Exception;
    }

    static List<Failure> all(Settings settings) {
        var away = Duration.ofSeconds(settings.number("awaySeconds", 300));
        var pulsed = Duration.ofSeconds(settings.number("pulsedSeconds", 620));
        int burst = settings.number("burst", 200);
        return List.of(
                new Failure("runtime-stopped", "a runtime stands still for 60 s (`SIGSTOP`)", Failure::stopRuntime),
                new Failure(
                        "kafka-away",
                        "Kafka away for " + away.toSeconds() + " s, for all",
                        bed -> takeKafkaAway(bed, away)),
                new Failure(
                        "topics-deleted", "all `.work.` topics deleted, made again after 20 s", Failure::deleteTopics),
                new Failure(
                        "runtime-killed",
                        "a runtime killed with " + burst + " orders at once before it",
                        bed -> killBusyRuntime(bed, burst)),
                new Failure("relay-killed", RELAYS + " relays killed one after the other", Failure::killRelays),
                new Failure("session-owner-killed", "the owner of all sessions killed", Failure::killSessionOwner),
                new Failure("rebalance", "a third runtime joins and leaves " + JOINS + " times", Failure::joinAndLeave),
                new Failure(
                        "no-share-groups",
                        "a broker without share groups",
                        FailureBed.Setup.servers(BrokerProgram.SHARE_GROUPS, false),
                        Failure::goOn),
                new Failure("lies", "wrong announcements for " + WRONG_FOR.toSeconds() + " s", Failure::lie),
                new Failure(
                        "pulses-only",
                        "relays send pulses and announce nothing for " + pulsed.toSeconds() + " s",
                        bed -> onlyPulse(bed, pulsed)),
                skewed("service-ahead", "the service's clock", EmulatorProgram.CLOCK_SECONDS, SKEW_SECONDS),
                skewed("service-behind", "the service's clock", EmulatorProgram.CLOCK_SECONDS, -SKEW_SECONDS),
                skewed("relay-ahead", "the relay's clock", RelayProgram.CLOCK_SECONDS, SKEW_SECONDS),
                skewed("relay-behind", "the relay's clock", RelayProgram.CLOCK_SECONDS, -SKEW_SECONDS),
                skewed("runtime-ahead", "the clock of one of two runtimes", RuntimeProgram.CLOCK_SECONDS, SKEW_SECONDS),
                skewed(
                        "runtime-behind",
                        "the clock of one of two runtimes",
                        RuntimeProgram.CLOCK_SECONDS,
                        -SKEW_SECONDS));
    }

    private static Failure skewed(String name, String whose, String variable, int seconds) {
        var words = whose + " " + Math.abs(seconds) + " s " + (seconds > 0 ? "ahead" : "behind");
        var setup = new FailureBed.Setup(
                variable.equals(EmulatorProgram.CLOCK_SECONDS) ? Map.of(variable, "" + seconds) : Map.of(),
                variable.equals(RelayProgram.CLOCK_SECONDS) ? Map.of(variable, "" + seconds) : Map.of(),
                variable.equals(RuntimeProgram.CLOCK_SECONDS) ? Map.of(variable, "" + seconds) : Map.of());
        return new Failure(name, words, setup, Failure::goOn);
    }

    private static void stopRuntime(FailureBed bed) throws InterruptedException {
        bed.begins();
        var runtime = bed.fleet().members(Kind.RUNTIME).get(0);
        runtime.freeze();
        bed.rest(STOPPED);
        runtime.resume();
    }

    private static void takeKafkaAway(FailureBed bed, Duration away) throws InterruptedException {
        bed.begins();
        bed.servers().kafka().away(true);
        bed.rest(away);
        bed.servers().kafka().away(false);
    }

    private static void deleteTopics(FailureBed bed) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bed.servers().bootstrap()))) {
            bed.begins();
            admin.deleteTopics(workTopics(admin)).all().get();
            await().atMost(PATIENCE).until(() -> workTopics(admin).isEmpty());
            bed.rest(WITHOUT_TOPICS);
            bed.fleet().provision();
            if (workTopics(admin).isEmpty()) {
                throw new IllegalStateException("the topics were not made again");
            }
        }
    }

    private static Set<String> workTopics(Admin admin) throws Exception {
        return admin.listTopics().names().get().stream()
                .filter(name -> name.startsWith(Servers.PREFIX + ".work."))
                .collect(Collectors.toSet());
    }

    private static void killBusyRuntime(FailureBed bed, int burst) {
        bed.orders().give(burst);
        var victim = bed.fleet().takeOldest(Kind.RUNTIME);
        bed.begins();
        victim.kill();
        bed.startRuntime();
    }

    private static void killRelays(FailureBed bed) throws InterruptedException {
        var random = new Random(1);
        bed.begins();
        for (int i = 0; i < RELAYS; i++) {
            bed.replaceRelay(Map.of());
            bed.rest(Duration.ofMillis(random.nextInt(5_000)));
        }
    }

    /** The other runtime is ended first, so that the first one comes to own what the other owned. */
    private static void killSessionOwner(FailureBed bed) throws InterruptedException {
        var owner = bed.fleet().takeOldest(Kind.RUNTIME);
        bed.fleet().takeOldest(Kind.RUNTIME).end();
        bed.rest(OTHERS_SESSIONS_LAPSE);
        bed.startRuntime();
        bed.begins();
        owner.kill();
    }

    /** What is wrong was so from the beginning. */
    private static void goOn(FailureBed bed) throws InterruptedException {
        bed.begins();
        bed.rest(WRONG_FOR);
    }

    /** It leaves in good order and is killed by turns. */
    private static void joinAndLeave(FailureBed bed) throws InterruptedException {
        var random = new Random(1);
        bed.begins();
        for (int i = 0; i < JOINS; i++) {
            var third = bed.fleet().take(bed.startRuntime());
            bed.rest(Duration.ofMillis(random.nextLong(LONGEST_STAY.toMillis())));
            if (i % 2 == 0) {
                third.end();
            } else {
                third.kill();
            }
        }
    }

    private static void lie(FailureBed bed) throws InterruptedException {
        try (var liar = new LyingProducer(bed.servers().bootstrap(), Servers.PREFIX)) {
            bed.begins();
            long endNanos = System.nanoTime() + WRONG_FOR.toNanos();
            while (System.nanoTime() - endNanos < 0) {
                liar.lie(bed.orders().given());
                bed.rest(BETWEEN_LIES);
            }
        }
    }

    private static void onlyPulse(FailureBed bed, Duration pulsed) throws InterruptedException {
        try (var pulses = PulseStub.start(bed.servers().bootstrap(), Servers.PREFIX)) {
            bed.replaceRelay(Map.of(RelayEnvironment.ANNOUNCES, "false"));
            bed.begins();
            bed.rest(pulsed);
            pulses.stop();
            bed.replaceRelay(Map.of());
        }
    }
}
