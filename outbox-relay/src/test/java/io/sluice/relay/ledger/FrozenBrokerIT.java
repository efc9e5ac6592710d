package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import io.sluice.relay.ledger.audit.Arrivals;
import io.sluice.relay.ledger.load.EventWriter;
import io.sluice.testkit.BrokerCluster;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broker of three that falls silent without a word: what it did is done by others, and the relay goes on with them.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("thorough")
class FrozenBrokerIT {
    /**
     * Long for a busy machine; it is no figure of the relay's: the broker stays frozen to the end of the test, so that
     * whatever comes has come without it. How late that is on a quiet machine is in the page on reliability. Whether a
     * transaction lasts until Kafka has replaced the broker, or is given up and begun again, depends on the machine.
     */
    private static final Duration WAIT = Duration.ofMinutes(2);
    /** Of all instances, so that every range and every partition has some. */
    private static final int EVENTS = 100;

    /**
     * How long brokers wait for one another: by Kafka's default half a minute, which holds what was just being
     * committed.
     */
    private static final Map<String, String> BROKERS = Map.of("request.timeout.ms", "5000");

    private static final Duration POLL = Duration.ofMillis(200);

    @Test
    void events_and_facts_come_by_the_next_leaders_while_the_broker_is_still_frozen() throws Exception {
        try (var bed = new BrokerBed(BROKERS)) {
            var before = writtenUntil(EVENTS, bed.writer());
            awaitSeen(before, bed.history(), bed.history()::seenNanos);
            awaitSeen(before, bed.lifecycle(), bed.lifecycle()::eventsSeenNanos);

            int frozen = besidesTheController(bed.cluster());
            bed.cluster().freeze(frozen);
            awaitNextLeaders(bed.cluster(), frozen);
            var during = writtenUntil(bed.writer().writtenNanos().size() + EVENTS, bed.writer());

            // Facts are made of the history: when these have come, so has that.
            awaitSeen(during, bed.lifecycle(), bed.lifecycle()::eventsSeenNanos);
            awaitSeen(during, bed.history(), bed.history()::seenNanos);
        }
    }

    private static void awaitNextLeaders(BrokerCluster cluster, int frozen) {
        await("next leaders").atMost(WAIT).pollInterval(POLL).until(() -> cluster.isReplaced(frozen));
    }

    /** Without its active controller a cluster takes longer, as it needs another one first. */
    private static int besidesTheController(BrokerCluster cluster) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            return 1 + admin.describeMetadataQuorum().quorumInfo().get().leaderId() % 3;
        }
    }

    private static Set<String> writtenUntil(int events, EventWriter writer) {
        await("events in the store")
                .atMost(WAIT)
                .until(() -> writer.writtenNanos().size() >= events);
        return Set.copyOf(writer.writtenNanos().keySet());
    }

    private static void awaitSeen(Set<String> events, Arrivals topic, Supplier<Map<String, Long>> seenNanos)
            throws Exception {
        try {
            await().atMost(WAIT)
                    .pollInterval(POLL)
                    .until(() -> missing(events, seenNanos.get()).isEmpty());
        } catch (ConditionTimeoutException e) {
            var missing = missing(events, seenNanos.get());
            throw new AssertionError(
                    "%d of %d events are missing of %s: %s"
                            .formatted(missing.size(), events.size(), topic.offsets(), missing),
                    e);
        }
    }

    private static Set<String> missing(Set<String> events, Map<String, Long> seen) {
        return events.stream().filter(event -> !seen.containsKey(event)).collect(Collectors.toCollection(TreeSet::new));
    }
}
