package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.program.cli.ExitCode;
import io.sluice.relay.feed.FeedClient;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.history.RangeState;
import io.sluice.relay.kafka.CommittedRecords;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.TopicReader;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Positions of a release that cut the key space into a fixed number of equal ranges. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConvertedPositionsIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** The one in the middle lies in both of the service's partitions. */
    private static final List<KeyRange> EARLIER = KeyRange.cut(3);

    private static List<String> write(TestStore store, int round) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 24; i++) {
            ids.addAll(store.writeHistory("order-" + i, 1 + 3 * round, 3));
        }
        return ids;
    }

    private static OutboxRelay relay(TestStore store) {
        return OutboxRelay.builder().config(TestConfig.of(store, kafka)).build();
    }

    /** As a relay of that release had read all that there is. */
    private static void writeEarlierPositions(TestStore store) throws Exception {
        var access = new KafkaAccess(kafka.bootstrapServers(), Map.of());
        try (var feed = FeedClient.open(store.config());
                var admin = access.admin();
                var producer = access.idempotent(kafka.prefix() + ".positions")) {
            for (int range = 0; range < EARLIER.size(); range++) {
                var bounds = EARLIER.get(range);
                var position = JsonNodeFactory.instance
                        .objectNode()
                        .put("schemaVersion", 1)
                        .put("min", bounds.min())
                        .put("max", bounds.max())
                        .put("ranges", EARLIER.size())
                        .put("containerRid", feed.containerRid())
                        .put("continuation", end(new RangeReader(feed.container(), bounds, 100)))
                        .put("historyTopicId", new TopicReader(admin).id(kafka.prefix() + ".history"));
                producer.send(new ProducerRecord<>(
                                kafka.prefix() + ".positions",
                                range,
                                ("range-" + range).getBytes(UTF_8),
                                position.toString().getBytes(UTF_8)))
                        .get();
            }
        }
    }

    private static String end(RangeReader reader) {
        FeedPage page = reader.read(null);
        for (var next = reader.read(page.continuation()); !next.isEndAfter(page.continuation()); ) {
            page = next;
            next = reader.read(page.continuation());
        }
        return page.continuation();
    }

    @Test
    void a_relay_goes_on_where_the_earlier_one_stopped_once_its_positions_are_converted() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store)) {
            var environment = CommandRun.environment(store, kafka);
            assertThat(CommandRun.of(environment, "provision").code()).isEqualTo(ExitCode.DONE);
            assertThat(CommandRun.of(environment, "positions", "convert", "--yes")
                            .lines())
                    .containsExactly("there is nothing to convert");
            write(store, 0);
            writeEarlierPositions(store);

            assertThatThrownBy(relay::start)
                    .hasMessageContaining("of an earlier release")
                    .hasMessageContaining("positions convert --yes");
            assertThat(CommandRun.of(environment, "run", "--dry-run").err()).contains("positions convert --yes");
            assertThat(CommandRun.of(environment, "positions", "convert").code())
                    .isEqualTo(ExitCode.SETTINGS);
            assertThat(CommandRun.of(environment, "positions", "convert", "--yes"))
                    .returns(ExitCode.DONE, CommandRun::code)
                    .returns(List.of("3 positions converted"), CommandRun::lines);
            assertThat(CommittedRecords.ofSettled(
                                    new KafkaAccess(kafka.bootstrapServers(), Map.of()), kafka.prefix() + ".positions")
                            .stream()
                            .filter(message -> message.value() == null)
                            .map(message -> message.partition() + " " + new String(message.key(), UTF_8)))
                    .as("a relay of the earlier release finds no position to go on from")
                    .containsExactlyInAnyOrder("0 range-0", "1 range-1", "2 range-2");

            relay.start();
            var events = write(store, 1);
            var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(topics.eventIds()).hasSizeGreaterThanOrEqualTo(events.size()));
            assertThat(topics.eventIds()).containsExactlyInAnyOrderElementsOf(events);
            await("the range in the middle is split")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(relay.status().history().ranges())
                            .hasSize(4)
                            .allMatch(range -> range.state().equals(RangeState.PUBLISHING.name())));
            assertThat(CommandRun.of(environment, "positions", "convert", "--yes"))
                    .returns(ExitCode.OTHER, CommandRun::code)
                    .extracting(CommandRun::err)
                    .asString()
                    .contains("stop them first");
        }
    }
}
