package io.sluice.relay.soak;

import static org.awaitility.Awaitility.await;

import io.sluice.relay.RelayEnvironment;
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
    private static final Duration AWAY = Duration.ofSeconds(Long.getLong("failures.awaySeconds", 300));
    private static final Duration STOPPED = Duration.ofSeconds(60);
    private static final Duration WITHOUT_TOPICS = Duration.ofSeconds(20);
    private static final Duration OTHERS_SESSIONS_LAPSE = Duration.ofSeconds(40);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BURST = Integer.getInteger("failures.burst", 200);
    private static final int RELAYS = 4;
    private static final int JOINS = 6;
    private static final Duration LONGEST_STAY = Duration.ofSeconds(12);
    private static final Duration WRONG_FOR = Duration.ofSeconds(60);
    private static final Duration PULSED = Duration.ofSeconds(Long.getLong("failures.pulsedSeconds", 620));
    private static final Duration BETWEEN_LIES = Duration.ofMillis(100);
    private static final int SKEW_SECONDS = 20;

    private Failure(String name, String words, Deed deed) {
        this(name, words, FailureBed.Setup.USUAL, deed);
    }

    /** Brings the failure about, and says when it begins and ends. */
    interface Deed {
        void doTo(FailureBed bed) throws Exception;
    }

    static List<Failure> all() {
        return List.of(
                new Failure("runtime-stopped", "a runtime stands still for 60 s (`SIGSTOP`)", Failure::stopRuntime),
                new Failure("kafka-away", "Kafka away for " + AWAY.toSeconds() + " s, for all", Failure::takeKafkaAway),
                new Failure(
                        "topics-deleted", "all `.work.` topics deleted, made again after 20 s", Failure::deleteTopics),
                new Failure(
                        "runtime-killed",
                        "a runtime killed with " + BURST + " orders at once before it",
                        Failure::killBusyRuntime),
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
                        "relays send pulses and announce nothing for " + PULSED.toSeconds() + " s",
                        Failure::onlyPulse),
                skewed("service-ahead", "the service's clock", EmulatorProgram.CLOCK_SECONDS, SKEW_SECONDS),
                skewed("service-behind", "the service's clock", EmulatorProgram.CLOCK_SECONDS, -SKEW_SECONDS),
                skewed("relay-ahead", "the relay's clock", SkewedRelayProgram.CLOCK_SECONDS, SKEW_SECONDS),
                skewed("relay-behind", "the relay's clock", SkewedRelayProgram.CLOCK_SECONDS, -SKEW_SECONDS),
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
                variable.equals(SkewedRelayProgram.CLOCK_SECONDS) ? Map.of(variable, "" + seconds) : Map.of(),
                variable.equals(RuntimeProgram.CLOCK_SECONDS) ? Map.of(variable, "" + seconds) : Map.of());
        return new Failure(name, words, setup, Failure::goOn);
    }

    private static void stopRuntime(FailureBed bed) throws Exception {
        bed.begins();
        bed.runtime().signal("STOP");
        bed.rest(STOPPED);
        bed.runtime().signal("CONT");
        bed.ends();
    }

    private static void takeKafkaAway(FailureBed bed) throws InterruptedException {
        bed.begins();
        bed.kafka().away(true);
        bed.rest(AWAY);
        bed.kafka().away(false);
        bed.ends();
    }

    private static void deleteTopics(FailureBed bed) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bed.bootstrap()))) {
            bed.begins();
            admin.deleteTopics(workTopics(admin)).all().get();
            await().atMost(PATIENCE).until(() -> workTopics(admin).isEmpty());
            bed.rest(WITHOUT_TOPICS);
            bed.provision();
            bed.ends();
            if (workTopics(admin).isEmpty()) {
                throw new IllegalStateException("the topics were not made again");
            }
        }
    }

    private static Set<String> workTopics(Admin admin) throws Exception {
        return admin.listTopics().names().get().stream()
                .filter(name -> name.startsWith(FailureBed.PREFIX + ".work."))
                .collect(Collectors.toSet());
    }

    private static void killBusyRuntime(FailureBed bed) throws InterruptedException {
        bed.orders().give(BURST);
        var victim = bed.takeRuntime();
        bed.begins();
        victim.kill();
        bed.startRuntime();
    }

    private static void killRelays(FailureBed bed) throws InterruptedException {
        var random = new Random(1);
        bed.begins();
        for (int i = 0; i < RELAYS; i++) {
            bed.replaceRelay();
            bed.rest(Duration.ofMillis(random.nextInt(5_000)));
        }
        bed.ends();
    }

    /** The other runtime is ended first, so that the first one comes to own what the other owned. */
    private static void killSessionOwner(FailureBed bed) throws InterruptedException {
        var owner = bed.takeRuntime();
        bed.takeRuntime().close();
        bed.rest(OTHERS_SESSIONS_LAPSE);
        bed.startRuntime();
        bed.begins();
        owner.kill();
    }

    /** What is wrong was so from the beginning. */
    private static void goOn(FailureBed bed) throws InterruptedException {
        bed.begins();
        bed.rest(WRONG_FOR);
        bed.ends();
    }

    /** It leaves in good order and is killed by turns. */
    private static void joinAndLeave(FailureBed bed) throws InterruptedException {
        var random = new Random(1);
        bed.begins();
        for (int i = 0; i < JOINS; i++) {
            var third = bed.startRuntime();
            bed.takeRuntime(third);
            bed.rest(Duration.ofMillis(random.nextLong(LONGEST_STAY.toMillis())));
            if (i % 2 == 0) {
                third.close();
            } else {
                third.kill();
            }
        }
        bed.ends();
    }

    private static void lie(FailureBed bed) throws InterruptedException {
        try (var liar = new LyingProducer(bed.bootstrap(), FailureBed.PREFIX)) {
            bed.begins();
            long endNanos = System.nanoTime() + WRONG_FOR.toNanos();
            while (System.nanoTime() - endNanos < 0) {
                liar.lie(bed.orders().givenMillis().size());
                bed.rest(BETWEEN_LIES);
            }
            bed.ends();
        }
    }

    private static void onlyPulse(FailureBed bed) throws InterruptedException {
        try (var pulses = PulseStub.start(bed.bootstrap(), FailureBed.PREFIX)) {
            bed.replaceRelay(Map.of(RelayEnvironment.ANNOUNCES, "false"));
            bed.begins();
            bed.rest(PULSED);
            pulses.stop();
            bed.replaceRelay(Map.of());
            bed.ends();
        }
    }
}
