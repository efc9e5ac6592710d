package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import io.sluice.relay.ledger.audit.Delays;
import io.sluice.relay.ledger.process.Replicas;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Two replicas with streams over three brokers, of which one after the other is frozen and killed while events are
 * written. Prints how long they were on their way, and ends with 1 when one took longer than the pages promise, came
 * twice, or never.
 *
 * <p>{@code deeds=freeze1,kill1,…} says what is done, {@code seconds} for how long, and {@code requestTimeoutMillis}
 * how long the brokers wait for one another.
 */
final class BrokerLossRun {
    /**
     * Kafka itself may wait half a minute for a silent broker to end a transaction, see {@code docs/reliability.md}.
     */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration UNHARMED = Duration.ofSeconds(15);
    private static final Duration SETTLE = Duration.ofMinutes(4);
    private static final Duration SETTLE_POLL = Duration.ofSeconds(1);
    private static final Duration LATEST = Duration.ofSeconds(3);
    private static final List<String> SHARED = List.of(Replicas.HISTORY, "__transaction_state", "__consumer_offsets");
    private static final String ALL = "freeze1,kill1,freeze2,kill2,freeze3,kill3";

    private final BrokerBed bed;
    private boolean isKept = true;

    private BrokerLossRun(BrokerBed bed) {
        this.bed = bed;
    }

    /** Runs all of it; says whether what the pages promise was kept. */
    static boolean print(Settings settings) throws Exception {
        var deeds = List.of(settings.text("deeds", ALL).split(","));
        if (!deeds.stream().allMatch(deed -> deed.matches("(freeze|kill)[1-3]"))) {
            throw new IllegalArgumentException("deeds are such as " + ALL + ", not " + deeds);
        }
        var time = Duration.ofSeconds(settings.number("seconds", 45));
        var brokers = Map.of("request.timeout.ms", settings.text("requestTimeoutMillis", "30000"));
        settings.refuseUnknown();
        try (var bed = new BrokerBed(brokers)) {
            return new BrokerLossRun(bed).run(deeds, time);
        }
    }

    private boolean run(List<String> deeds, Duration time) throws InterruptedException {
        settle();
        long from = System.nanoTime();
        bed.replicas().watch(UNHARMED);
        settle();
        say("all brokers well", from, System.nanoTime() - LATEST.toNanos());
        for (var deed : deeds) {
            spreadLeaders();
            long begun = System.nanoTime();
            boolean freezes = deed.startsWith("freeze");
            int broker = Integer.parseInt(deed.replaceAll("\\D", ""));
            if (freezes) {
                bed.cluster().freeze(broker);
            } else {
                bed.cluster().kill(broker);
            }
            bed.replicas().watch(time);
            long until = System.nanoTime();
            if (freezes) {
                bed.cluster().resume(broker);
            } else {
                bed.cluster().restart(broker);
            }
            settle();
            say(deed, begun - LATEST.toNanos(), until);
        }
        if (bed.history().repeated() + bed.lifecycle().repeated() > 0) {
            miss("came twice: %d events and %d facts"
                    .formatted(bed.history().repeated(), bed.lifecycle().repeated()));
        }
        return isKept;
    }

    /** Each broker leads its share again: one that leads nothing is hardly missed. */
    private void spreadLeaders() throws InterruptedException {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bed.cluster().bootstrapServers()))) {
            admin.electLeaders(ElectionType.PREFERRED, null).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof ElectionNotNeededException)) {
                throw new IllegalStateException("leaders can't be elected", e);
            }
        }
    }

    /** Waits until all replicas of the topics are up to date and what was written until now has arrived. */
    private void settle() {
        long until = System.nanoTime();
        try {
            await().atMost(SETTLE)
                    .pollInterval(SETTLE_POLL)
                    .until(() -> isWhole()
                            && waiting(until, bed.history().seenNanos()) == 0
                            && waiting(until, bed.lifecycle().eventsSeenNanos()) == 0);
        } catch (ConditionTimeoutException e) {
            miss("does not come to rest in " + SETTLE);
        }
    }

    private boolean isWhole() {
        return SHARED.stream()
                .allMatch(topic -> IntStream.range(0, Replicas.PARTITIONS)
                        .allMatch(partition ->
                                bed.cluster().inSync(topic, partition).size() == 3));
    }

    private long waiting(long writtenBeforeNanos, Map<String, Long> seen) {
        return bed.writer().writtenNanos().entrySet().stream()
                .filter(event -> event.getValue() - writtenBeforeNanos < 0 && !seen.containsKey(event.getKey()))
                .count();
    }

    private void say(String what, long fromNanos, long toNanos) {
        var events = Delays.between(
                fromNanos, toNanos, bed.writer().writtenNanos(), bed.history().seenNanos());
        var facts = Delays.between(
                fromNanos, toNanos, bed.writer().writtenNanos(), bed.lifecycle().eventsSeenNanos());
        System.out.printf("%-16s history: %s; lifecycle: %s%n", what, events, facts);
        if (events.longest().compareTo(LIMIT) > 0) {
            miss("an event took " + events.longest());
        }
        if (facts.longest().compareTo(LIMIT) > 0) {
            miss("a fact took " + facts.longest());
        }
    }

    private void miss(String what) {
        isKept = false;
        System.out.println("NOT KEPT: " + what);
    }
}
