package io.sluice.relay.takeover;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.Opened;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.kafka.CommittedRecords;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.core.ConditionTimeoutException;
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

    private static Set<KeyRange> shared(Takeover first, Takeover second) {
        var all = new HashSet<>(first.orphans());
        all.addAll(second.orphans());
        return all;
    }

    /** Pulses as another replica, once or again until it is heard and taken for dead. */
    private void die(String name, List<KeyRange> ranges, Callable<Boolean> isHeard) {
        var dead = opened.add(access.bounded(Duration.ofSeconds(10)));
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptionsInstanceOf(ConditionTimeoutException.class)
                .untilAsserted(() -> {
                    dead.send(Takeover.pulse(topic, name, ranges)).get();
                    await().atMost(Duration.ofSeconds(20)).until(isHeard);
                });
    }

    @Test
    void those_that_live_sweep_the_ranges_of_one_that_died_until_another_has_them() {
        var first = start("first", new AtomicReference<>(Set.of()));
        var second = start("second", ofSecond);

        await().until(() -> !pulsesOf("first").isEmpty() && !pulsesOf("second").isEmpty());

        die(
                "dead",
                RANGES,
                () -> shared(first, second).equals(Set.copyOf(RANGES))
                        && first.orphans().size() + second.orphans().size() == RANGES.size());
        assertThat(changes.get()).isPositive();

        ofSecond.set(Set.copyOf(RANGES));

        await().untilAsserted(() -> assertThat(shared(first, second)).isEmpty());
    }

    private List<Presence> pulsesOf(String name) {
        return CommittedRecords.of(access, topic).stream()
                .filter(pulse -> new String(pulse.key(), UTF_8).startsWith(name + "/"))
                .map(pulse -> Presence.fromJson(pulse.value()).orElseThrow())
                .toList();
    }

    @Test
    void the_last_pulse_of_one_that_closes_names_no_ranges() {
        ofSecond.set(Set.copyOf(RANGES));
        var second = start("second", ofSecond);
        await().untilAsserted(() -> assertThat(pulsesOf("second")).contains(Presence.of(RANGES)));

        second.close();

        await().untilAsserted(() -> assertThat(pulsesOf("second")).endsWith(Presence.of(Set.of())));
    }
}
