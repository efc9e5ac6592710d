package io.sluice.relay.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.relay.TestContainer;
import io.sluice.relay.TestDocuments;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Looks at a container, one after the other, by a clock of the test's own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LookaheadIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    final TestContainer container = new TestContainer(cosmos);

    private static final long START = 1_000_000_000;
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;

    private final AtomicLong now = new AtomicLong(START);
    private final MockProducer<byte[], byte[]> kafka =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final RangeWork work = work();
    private Lookahead whole;

    @BeforeEach
    void provision() {
        whole = lookAhead(work, KeyRange.cut(1).get(0));
    }

    private RangeWork work() {
        return new RangeWork(
                new RangeWork.Identity(
                        new WorkStore("account", "sluice", "orders", "rid"),
                        KeyRange.cut(1).get(0),
                        100),
                new RangeWork.Sender(
                        new AnnouncementRecords(new Topics("orders")),
                        new AnnouncementProducer(() -> kafka),
                        new DispatchMeters(new SimpleMeterRegistry())),
                new Horizon(MINUTE),
                () -> {});
    }

    private Lookahead lookAhead(RangeWork of, KeyRange bounds) {
        InstantSource clock = () -> Instant.ofEpochMilli(now.get());
        return new Lookahead(
                of,
                bounds,
                new LookaheadQuery(container.get()),
                new DispatchMeters(new SimpleMeterRegistry()),
                new Lookahead.Rhythm(Duration.ofSeconds(30), clock));
    }

    private void write(ObjectNode document) {
        container
                .get()
                .createItem(
                        document,
                        new PartitionKey(document.path("instanceId").asText()),
                        new CosmosItemRequestOptions())
                .block();
    }

    private List<Announcement> look(long at) throws InterruptedException {
        now.set(at);
        kafka.clear();
        whole.step();
        return announced().toList();
    }

    private Stream<Announcement> announced() {
        return kafka.history().stream().map(message -> Announcement.fromJson(message.value()));
    }

    private static List<String> instances(List<Announcement> announced) {
        return announced.stream().map(Announcement::instanceId).toList();
    }

    @Test
    void the_first_look_takes_what_is_overdue_and_what_is_due_soon() throws InterruptedException {
        write(TestDocuments.message("overdue", "m", 5));
        write(TestDocuments.message("soon", "m", START + 59 * SECOND));
        write(TestDocuments.message("far", "m", START + MINUTE));
        write(TestDocuments.message("expired", "m", 5).put("lockedUntil", START - 1));
        write(TestDocuments.message("locked", "m", 5).put("lockedUntil", START + 30 * SECOND));
        write(TestDocuments.message("locked-for-long", "m", 5).put("lockedUntil", START + MINUTE));
        write(TestDocuments.activity("overdue", "a", 5));

        var announced = look(START);

        assertThat(instances(announced)).containsExactlyInAnyOrder("overdue", "overdue", "soon", "expired", "locked");
        assertThat(announced)
                .filteredOn(each -> each.instanceId().equals("soon"))
                .singleElement()
                .satisfies(each -> assertThat(each.documents()).singleElement().satisfies(document -> {
                    assertThat(document.dueAt()).isEqualTo(START + 59 * SECOND);
                    assertThat(document.kind()).isEqualTo("CancelInstance");
                    assertThat(document.workItemLength())
                            .isEqualTo("{\"CancelInstance\":{\"instance\":\"soon\",\"reason\":\"\"}}".length());
                    assertThat(document.etag()).isNotEmpty();
                }));
    }

    @Test
    void later_looks_take_what_has_come_near_and_locks_that_expired_since_the_last_one() throws InterruptedException {
        write(TestDocuments.message("overdue", "m", 5));
        write(TestDocuments.message("near", "m", START + 70 * SECOND));
        assertThat(instances(look(START))).containsExactly("overdue");
        write(TestDocuments.message("short", "m", 5).put("lockedUntil", START + 2 * SECOND));

        var announced = look(START + 30 * SECOND);

        assertThat(instances(announced)).containsExactlyInAnyOrder("near", "short");
        assertThat(announced)
                .filteredOn(each -> each.instanceId().equals("short"))
                .allMatch(Announcement::isCheck);
    }

    @Test
    void a_look_whose_announcements_are_refused_raises_no_horizon_and_is_repeated() throws InterruptedException {
        look(START);
        write(TestDocuments.message("near", "m", START + 70 * SECOND));
        kafka.sendException = new RecordTooLargeException("refused");
        now.set(START + 30 * SECOND);

        assertThatThrownBy(whole::step).isInstanceOf(KafkaException.class);

        assertThat(work.horizon().declared()).isEqualTo(START + MINUTE);
        kafka.sendException = null;
        assertThat(instances(look(START + 31 * SECOND))).containsExactly("near");
        assertThat(work.horizon().declared()).isEqualTo(START + 31 * SECOND + MINUTE);
    }

    @Test
    void after_a_page_that_kafka_refuses_the_next_look_tries_kafka_and_takes_what_is_overdue()
            throws InterruptedException {
        look(START);
        write(TestDocuments.message("dropped", "m", START + SECOND));
        var page = new FeedPage(
                List.of(TestDocuments.message("dropped", "m", START).put("_etag", "\"1\"")), "next");
        kafka.sendException = new RecordTooLargeException("refused");
        work.announce(page, START + SECOND).awaitTaken();
        cosmos.requireEmulator().requests().clear();
        now.set(START + 2 * SECOND);

        assertThatThrownBy(whole::step).isInstanceOf(KafkaException.class);
        assertThat(cosmos.requireEmulator().requests().all())
                .as("nothing is queried for while Kafka takes nothing")
                .isEmpty();
        kafka.sendException = null;
        var announced = look(START + 3 * SECOND);

        assertThat(instances(announced)).as("the trial, and the look").containsExactly("dropped", "dropped");
        assertThat(announced).allMatch(Announcement::isCheck);
        assertThat(work.problem()).isPresent();
        assertThat(instances(look(START + 20 * SECOND))).containsExactly("dropped");
        assertThat(work.problem()).isEmpty();
        assertThat(work.horizon().declared()).isEqualTo(START + 20 * SECOND + MINUTE);
    }

    @Test
    void what_stays_overdue_is_announced_again_every_five_minutes() throws InterruptedException {
        write(TestDocuments.message("overdue", "m", 5));
        write(TestDocuments.activity("overdue", "a", 5));
        look(START);
        assertThat(look(START + 4 * MINUTE)).isEmpty();
        write(TestDocuments.message("fresh", "m", START + 5 * MINUTE - 30 * SECOND));

        var announced = look(START + 5 * MINUTE);

        assertThat(announced)
                .filteredOn(each -> each.instanceId().equals("overdue"))
                .hasSize(2);
        assertThat(look(START + 6 * MINUTE)).isEmpty();
    }

    @Test
    void ranges_divide_the_work() throws InterruptedException {
        IntStream.range(0, 40).forEach(i -> write(TestDocuments.message("order-" + i, "m", START + SECOND)));

        for (var range : KeyRange.cut(4)) {
            lookAhead(work(), range).step();
        }

        assertThat(announced().flatMap(each -> each.documents().stream()).map(AnnouncedDocument::id))
                .hasSize(40);
        assertThat(announced().map(Announcement::instanceId)).doesNotHaveDuplicates();
    }
}
