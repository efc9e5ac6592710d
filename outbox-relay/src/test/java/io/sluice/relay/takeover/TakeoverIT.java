package io.sluice.relay.takeover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.Opened;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replicas that tell each other that they live, by a real topic. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TakeoverIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final List<KeyRange> RANGES = KeyRange.cut(8);

    @RegisterExtension
    final Opened opened = new Opened();

    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicReference<Set<KeyRange>> ofSecond = new AtomicReference<>(Set.of());

    @SuppressWarnings("NullAway.Init") // before each test
    private KafkaAccess access;

    @SuppressWarnings("NullAway.Init") // before each test
    private String topic;

    @BeforeEach
    void open() throws Exception {
        access = new KafkaAccess(kafka.bootstrapServers(), Map.of());
        topic = new Topics(kafka.prefix()).relays();
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            KafkaTopics.create(
                    admin,
                    new NewTopic(topic, 1, (short) 1)
                            .configs(TopicCatalogue.RELAYS.storage().settings()));
        }
    }

    private Takeover start(String name, AtomicReference<Set<KeyRange>> own) {
        var takeover = opened.add(new Takeover(access, topic, name, own::get, changes::incrementAndGet));
        takeover.start();
        return takeover;
    }

    private Set<KeyRange> shared(Takeover first, Takeover second) {
        var all = new HashSet<>(first.orphans());
        all.addAll(second.orphans());
        return all;
    }

    @Test
    void those_that_live_sweep_the_ranges_of_one_that_died_until_another_has_them() throws Exception {
        var first = start("first", new AtomicReference<>(Set.of()));
        var second = start("second", ofSecond);
        Producer<byte[], byte[]> dead = opened.add(access.bounded(Duration.ofSeconds(10)));

        // It pulses until the others hear it: they begin at the topic's end.
        await().untilAsserted(() -> {
            dead.send(Takeover.pulse(topic, "dead", RANGES)).get();
            assertThat(dead.partitionsFor(topic)).isNotEmpty();
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(shared(first, second)).containsExactlyInAnyOrderElementsOf(RANGES));
        });
        await().untilAsserted(() ->
                assertThat(first.orphans()).as("each is one's").doesNotContainAnyElementsOf(second.orphans()));
        assertThat(changes.get()).isPositive();

        ofSecond.set(Set.copyOf(RANGES));

        await().untilAsserted(() -> assertThat(shared(first, second)).isEmpty());
    }

    @Test
    void one_that_closes_leaves_no_orphans() throws Exception {
        var first = start("first", new AtomicReference<>(Set.of()));
        var second = start("second", ofSecond);
        ofSecond.set(Set.copyOf(RANGES));
        Producer<byte[], byte[]> third = opened.add(access.bounded(Duration.ofSeconds(10)));

        second.close();
        // Whoever dies after it is seen to: the first one has heard all.
        await().untilAsserted(() -> {
            third.send(Takeover.pulse(topic, "third", List.of(KeyRange.cut(1).get(0))))
                    .get();
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(first.orphans())
                            .containsExactly(KeyRange.cut(1).get(0)));
        });
    }
}
