package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.ledger.process.KafkaProxy;
import io.sluice.relay.ledger.process.KafkaProxy.Loss;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher takes a range over and publishes two pages; each request of it to Kafka is lost, or its answer is, and
 * the process lives on or dies of it and another takes its place. Each event is on the topic once and in order, every
 * time.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PublishingEnumerationIT {
    private static final Logger LOG = LoggerFactory.getLogger(PublishingEnumerationIT.class);

    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final RangeId ONLY = TestRanges.range(0, 1, "rid");
    private static final int EVENTS = 4;
    private static final int MOST_REQUESTS = 100;

    /** Of four faults in the first tier each meets another request of four; in a thorough run all of them. */
    private static final int STRIDE = Tier.times(FaultKind.values().length, 1);

    /** Four faults, and at least four kinds of requests that change something. */
    private static final int LEAST_COMBINATIONS = 16 / STRIDE;

    private enum FaultKind {
        REQUEST_LOST(Loss.REQUEST, false),
        ANSWER_LOST(Loss.ANSWER, false),
        DEATH_BEFORE(Loss.REQUEST, true),
        DEATH_AFTER(Loss.ANSWER, true);

        private final Loss loss;
        private final boolean isDeath;

        FaultKind(Loss loss, boolean isDeath) {
            this.loss = loss;
            this.isDeath = isDeath;
        }
    }

    /** One fault at the n-th request. */
    private static final class FaultAt {
        private final FaultKind fault;
        private final int nth;
        private final AtomicInteger counted = new AtomicInteger();
        private final AtomicReference<@Nullable ApiKeys> struck = new AtomicReference<>();

        private FaultAt(FaultKind fault, int nth) {
            this.fault = fault;
            this.nth = nth;
        }

        private Loss judge(ApiKeys request) {
            if (struck.get() != null) {
                return fault.isDeath ? Loss.REQUEST : Loss.NONE;
            }
            if (counted.incrementAndGet() != nth) {
                return Loss.NONE;
            }
            struck.set(request);
            return fault.loss;
        }

        private boolean isDeath() {
            return fault.isDeath && struck.get() != null;
        }

        @Override
        public String toString() {
            return fault + " at request " + nth + ", " + struck.get();
        }
    }

    @Test
    void each_event_is_published_once_whichever_request_is_lost() throws Exception {
        var pool = Executors.newFixedThreadPool(FaultKind.values().length);
        int combinations = 0;
        try {
            var faults = List.of(FaultKind.values());
            var stages = IntStream.range(0, faults.size())
                    .mapToObj(i -> new Stage(faults.get(i), 1 + i % STRIDE))
                    .toList();
            for (var played : pool.invokeAll(stages)) {
                combinations += played.get();
            }
        } finally {
            pool.shutdownNow();
        }
        LOG.atWarn().addKeyValue("combinations", combinations).log("requests met losses");
        assertThat(combinations).isGreaterThan(LEAST_COMBINATIONS);
    }

    /** One fault at one request after the other, on topics of its own. */
    private static final class Stage implements Callable<Integer> {
        private final FaultKind fault;
        private final int first;
        private final ListFeed feed = new ListFeed();
        private final Topics topics;
        private final KafkaAccess direct = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        private final Ledger ledger;

        private Stage(FaultKind fault, int first) {
            this.fault = fault;
            this.first = first;
            this.topics = new Topics(cluster.prefix() + "-" + fault);
            this.ledger = new Ledger(direct, topics);
        }

        /** How many requests there were to strike. */
        @Override
        public Integer call() throws Exception {
            try (var admin = direct.admin()) {
                ledger.makeTopics(admin, 1);
                new PositionSetup(direct, admin, topics, new PositionLog(direct, admin, topics, PATIENCE))
                        .ensure(TestRanges.whole("rid"), FirstPosition.AT_FIRST_START);
                int met = 0;
                for (int nth = first; nth < MOST_REQUESTS; nth += STRIDE) {
                    var strike = new FaultAt(fault, nth);
                    play(strike, admin);
                    if (strike.struck.get() == null) {
                        return met;
                    }
                    met++;
                }
            }
            throw new IllegalStateException("taking over and publishing does not end");
        }

        private void play(FaultAt strike, Admin admin) throws Exception {
            feed.write(EVENTS);
            try (var proxy = KafkaProxy.before(cluster.bootstrapServers())) {
                var through = new KafkaAccess(proxy.bootstrapServers(), Map.of());
                var throughAdmin = through.admin();
                proxy.judge(strike::judge);
                var publisher = publisher(through, throughAdmin);
                var thread = started(publisher);
                awaitPublished(strike, strike::isDeath);
                publisher.stop();
                if (strike.isDeath()) {
                    // What is left of it is cut off permanently, and not waited for.
                    proxy.away(true);
                    thread.interrupt();
                } else {
                    thread.join(PATIENCE.toMillis());
                }
                throughAdmin.close(Duration.ZERO);
            }
            if (strike.isDeath()) {
                var successor = publisher(direct, admin);
                var thread = started(successor);
                awaitPublished(strike, () -> false);
                successor.stop();
                thread.join(PATIENCE.toMillis());
            }
            assertThat(ledger.eventIds()).as("%s", strike).isEqualTo(feed.eventIds());
        }

        private void awaitPublished(FaultAt strike, BooleanSupplier orElse) {
            await(strike.toString())
                    .dontCatchUncaughtExceptions()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> orElse.getAsBoolean()
                            || ledger.eventIds().size() >= feed.eventIds().size());
        }

        private RangePublisher publisher(KafkaAccess kafka, Admin admin) {
            return new TestPublishers(
                            ONLY, topics, new PositionLog(kafka, admin, topics, PATIENCE), TestPublishers.FAST)
                    .publisher(feed, range -> kafka.transactional(topics.historyTransactionalId(range.key())));
        }

        private static Thread started(RangePublisher publisher) {
            var thread = new Thread(publisher, "publisher");
            thread.setDaemon(true);
            thread.start();
            return thread;
        }
    }
}
