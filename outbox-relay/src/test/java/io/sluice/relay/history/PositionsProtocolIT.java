package io.sluice.relay.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.history.RangeOwnership.Owner;
import io.sluice.relay.history.RangeTakeover.Producers;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.RepeatedCheck;
import io.sluice.relay.topic.TopicReader;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each trace that the model prints for a weaker protocol, tried on the real one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(0)
class PositionsProtocolIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final RangeId ONLY = TestRanges.range(0, 1, "rid");

    private final List<Thread> threads = new ArrayList<>();
    private final List<RangePublisher> publishers = new ArrayList<>();
    private final ListFeed feed = new ListFeed();

    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"));
    private Ledger ledger = new Ledger(kafka, topics);

    @BeforeEach
    void topics() throws Exception {
        admin.close(Duration.ZERO);
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        admin = kafka.admin();
        ledger = new Ledger(kafka, topics);
        ledger.makeTopics(admin, 1);
    }

    @AfterEach
    void stop() throws InterruptedException {
        publishers.forEach(RangePublisher::stop);
        for (var thread : threads) {
            thread.join(PATIENCE.toMillis());
        }
        admin.close();
    }

    private PositionLog positions(Duration timeout) {
        return new PositionLog(kafka, admin, topics, timeout);
    }

    private Position beginning() {
        return Position.beginning(ONLY, new TopicReader(admin).id(topics.history()));
    }

    private void ensurePositions(boolean fromBeginning) throws InterruptedException {
        new PositionSetup(kafka, admin, topics, positions(PATIENCE))
                .ensure(
                        TestRanges.whole("rid"),
                        fromBeginning ? FirstPosition.BEGINNING : FirstPosition.AT_FIRST_START);
    }

    private Producer<byte[], byte[]> producer() {
        return kafka.transactional(topics.historyTransactionalId(ONLY.key()));
    }

    private RangePublisher publisher(ListFeed reader, Producers producers, RangeOwnership ownership) {
        return publisher(reader, producers, ownership, ChangeListener.NONE);
    }

    private RangePublisher publisher(
            ListFeed reader, Producers producers, RangeOwnership ownership, ChangeListener changes) {
        var tuning = new RangePublisher.Tuning(Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(20), 2);
        var publisher = new TestPublishers(ONLY, topics, positions(PATIENCE), tuning)
                .publisher(reader, producers, ownership, changes);
        publishers.add(publisher);
        return publisher;
    }

    private Thread run(RangePublisher publisher) {
        var thread = new Thread(publisher, "publisher-" + threads.size());
        threads.add(thread);
        thread.start();
        return thread;
    }

    private void stop(RangePublisher publisher, Thread thread) throws InterruptedException {
        publisher.stop();
        thread.join(PATIENCE.toMillis());
    }

    private void awaitPublished(int count) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ledger.eventIds()).hasSizeGreaterThanOrEqualTo(count));
    }

    @Test
    void replicas_that_start_together_fence_each_other_and_all_start() throws Exception {
        var pool = Executors.newFixedThreadPool(6);
        try {
            var starts = pool.invokeAll(Collections.nCopies(6, () -> {
                ensurePositions(false);
                return true;
            }));

            for (var start : starts) {
                assertThat(start.get()).as("the start of a replica").isEqualTo(true);
            }
            assertThat(positions(PATIENCE).read(ONLY)).isPresent();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void a_producer_that_can_not_be_opened_is_tried_again() throws Exception {
        ensurePositions(false);
        feed.write(3);
        var refusals = new AtomicInteger(2);

        run(publisher(
                feed,
                range -> {
                    if (refusals.getAndDecrement() > 0) {
                        throw new KafkaException("no broker's name can be resolved");
                    }
                    return producer();
                },
                range -> Owner.US));
        awaitPublished(3);

        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void events_are_published_once_and_in_order() throws Exception {
        ensurePositions(false);
        feed.write(5);

        run(publisher(feed, range -> producer(), range -> Owner.US));
        awaitPublished(5);
        feed.write(3);
        awaitPublished(8);

        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void a_successor_goes_on_where_the_one_before_stopped() throws Exception {
        ensurePositions(false);
        feed.write(5);
        var first = publisher(feed, range -> producer(), range -> Owner.US);
        var firstThread = run(first);
        awaitPublished(5);
        stop(first, firstThread);
        feed.write(4);

        run(publisher(feed, range -> producer(), range -> Owner.US));
        awaitPublished(9);

        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void a_zombie_that_wakes_with_a_page_in_hand_is_fenced_out() throws Exception {
        ensurePositions(false);
        feed.write(2);
        var paused = new ListFeed(feed);
        var pause = paused.pauseBeforeNextPageIsHandedOut();
        var zombie = publisher(paused, range -> producer(), range -> Owner.ANOTHER);
        var zombieThread = run(zombie);
        pause.awaitReached();
        run(publisher(feed, range -> producer(), range -> Owner.US));
        awaitPublished(2);

        pause.release();
        zombieThread.join(PATIENCE.toMillis());

        assertThat(zombie.status().state()).isEqualTo(RangeState.ENDED);
        assertThat(ledger.eventIds())
                .as("the zombie held the same page, read at the same position")
                .isEqualTo(feed.eventIds());
    }

    @Test
    void dying_between_sending_and_committing_publishes_nothing_twice() throws Exception {
        ensurePositions(false);
        feed.write(4);
        var faulty = new FaultyProducers(this::producer).failBeforeCommits(2);

        run(publisher(feed, faulty, range -> Owner.US));
        awaitPublished(4);

        assertThat(faulty.failures()).isEqualTo(2);
        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void a_commit_whose_answer_is_lost_is_not_repeated() throws Exception {
        ensurePositions(false);
        feed.write(4);
        var faulty = new FaultyProducers(this::producer).failAfterCommits(2);

        run(publisher(feed, faulty, range -> Owner.US));
        awaitPublished(4);

        assertThat(faulty.failures()).isEqualTo(2);
        assertThat(ledger.eventIds())
                .as("the position is read again after the epoch was raised, so the page counts as published")
                .isEqualTo(feed.eventIds());
    }

    @Test
    void a_transaction_left_open_by_a_dead_owner_is_aborted_and_can_not_come_back() throws Exception {
        ensurePositions(false);
        feed.write(2);
        try (var dead = producer()) {
            sendFirstPage(dead);

            run(publisher(feed, range -> producer(), range -> Owner.US));
            awaitPublished(2);

            assertThatThrownBy(dead::commitTransaction)
                    .isInstanceOfAny(ProducerFencedException.class, InvalidProducerEpochException.class);
        }
        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void what_the_former_owner_commits_just_before_it_is_fenced_off_is_not_published_again() throws Exception {
        ensurePositions(false);
        feed.write(4);
        try (var former = producer()) {
            var producers = new FaultyProducers(this::producer).beforeFence(() -> {
                sendFirstPage(former);
                former.commitTransaction();
            });

            run(publisher(feed, producers, range -> Owner.US));
            awaitPublished(4);
        }

        assertThat(ledger.eventIds())
                .as("the position is read when nobody else can move it any more")
                .isEqualTo(feed.eventIds());
    }

    @Test
    void what_listens_is_told_of_the_takeover_when_nobody_else_can_move_the_position_any_more() throws Exception {
        ensurePositions(false);
        feed.write(1);
        List<String> steps = Collections.synchronizedList(new ArrayList<>());
        var producers = new FaultyProducers(this::producer).beforeFence(() -> steps.add("fence"));
        var publisher = publisher(feed, producers, range -> Owner.US, new Takeovers(() -> steps.add("told")));

        run(publisher);
        awaitPublished(1);

        assertThat(steps)
                .as("the former owner may have intents in hand that lie before the position it committed last")
                .containsExactly("fence", "told");
    }

    /** Hears of takeovers alone. */
    private record Takeovers(Runnable taken) implements ChangeListener {
        @Override
        public void taken(KeyRange range) {
            taken.run();
        }

        @Override
        public void onChange(KeyRange range, List<JsonNode> documents) {}

        @Override
        public void givenAway(KeyRange range) {}
    }

    /** Leaves its transaction open. */
    private void sendFirstPage(Producer<byte[], byte[]> producer) throws Exception {
        var records = new HistoryRecords(topics, URI.create("cosmos://test/db/c"));
        producer.initTransactions();
        producer.beginTransaction();
        for (var message : records.of(feed.read(null).documents())) {
            producer.send(message).get();
        }
        producer.send(records.position(beginning().at("2"))).get();
    }

    @Test
    void a_position_hidden_by_somebody_elses_open_transaction_is_waited_for() throws Exception {
        ensurePositions(false);
        try (var tool = kafka.transactional(topics.prefix() + "-tool");
                var owner = producer()) {
            tool.initTransactions();
            tool.beginTransaction();
            tool.send(new ProducerRecord<>(topics.positions(), 0, new byte[] {1}, new byte[] {1}))
                    .get();
            owner.initTransactions();
            owner.beginTransaction();
            owner.send(new ProducerRecord<>(
                            topics.positions(),
                            0,
                            ONLY.recordKey(),
                            beginning().at("7").encode()))
                    .get();
            owner.commitTransaction();

            assertThatThrownBy(() -> positions(Duration.ofMillis(700)).read(ONLY))
                    .as("up to the last stable offset there is only the beginning: reading from there repeats events")
                    .isInstanceOf(TimeoutException.class);
            tool.abortTransaction();

            assertThat(positions(PATIENCE).read(ONLY)).contains(beginning().at("7"));
        }
    }

    @Test
    void the_newest_position_is_found_behind_many_aborted_ones() throws Exception {
        ensurePositions(false);
        try (var owner = producer()) {
            owner.initTransactions();
            for (int i = 0; i < 20; i++) {
                owner.beginTransaction();
                owner.send(new ProducerRecord<>(
                                topics.positions(),
                                0,
                                ONLY.recordKey(),
                                beginning().at("aborted").encode()))
                        .get();
                owner.abortTransaction();
            }
        }

        assertThat(positions(PATIENCE).read(ONLY)).contains(beginning());
    }

    @Test
    void records_of_others_in_the_positions_topic_are_passed_over() throws Exception {
        publishedAndStopped(3);
        var reply = "{\"id\":\"c-1\",\"status\":\"accepted\",\"instance\":\"a\"}".getBytes(UTF_8);
        try (var stranger = kafka.idempotent(topics.positions())) {
            for (int i = 0; i < 300; i++) {
                var key = ("a-" + i).getBytes(UTF_8);
                stranger.send(new ProducerRecord<>(topics.positions(), 0, key, i % 2 == 0 ? reply : null))
                        .get();
            }
        }
        feed.write(2);

        ensurePositions(false);
        run(publisher(feed, range -> producer(), range -> Owner.US));
        awaitPublished(5);

        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void the_first_start_sets_every_range_to_the_beginning() throws Exception {
        ensurePositions(false);

        assertThat(positions(PATIENCE).read(ONLY)).contains(beginning());
    }

    @Test
    void a_missing_position_is_refused_once_events_were_published() throws Exception {
        ledger.publishSomething();

        assertThatThrownBy(() -> ensurePositions(false))
                .as("somebody deleted the positions topic: beginning again would publish everything twice")
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("--from-beginning");
        assertThat(positions(PATIENCE).read(ONLY)).isEmpty();
    }

    @Test
    void a_missing_position_may_become_the_beginning_when_somebody_says_so() throws Exception {
        ledger.publishSomething();

        ensurePositions(true);

        assertThat(positions(PATIENCE).read(ONLY)).contains(beginning());
    }

    @Test
    void positions_of_another_container_refuse_the_start() throws Exception {
        ensurePositions(false);
        var setup = new PositionSetup(kafka, admin, topics, positions(PATIENCE));

        assertThatThrownBy(() -> setup.ensure(TestRanges.whole("another"), FirstPosition.BEGINNING))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining("another");
    }

    private RangePublisher publishedAndStopped(int events) throws Exception {
        ensurePositions(false);
        feed.write(events);
        var publisher = publisher(feed, range -> producer(), range -> Owner.US);
        var thread = run(publisher);
        awaitPublished(events);
        stop(publisher, thread);
        return publisher;
    }

    @Test
    void a_position_ahead_of_its_feed_is_refused_and_stays_so_when_the_feed_has_outgrown_it() throws Exception {
        publishedAndStopped(5);
        feed.restore(2);
        feed.write(1);

        var publisher = publisher(feed, range -> producer(), range -> Owner.US);
        run(publisher).join(PATIENCE.toMillis());
        feed.write(10);
        var successor = publisher(feed, range -> producer(), range -> Owner.US);
        run(successor).join(PATIENCE.toMillis());

        assertThat(publisher.status().state()).isEqualTo(RangeState.REFUSED);
        assertThat(successor.status().state())
                .as("going on now would pass over three events")
                .isEqualTo(RangeState.REFUSED);
        assertThat(successor.status().problem()).contains("read up to 5", "ends at 3", "--from");
        assertThat(ledger.eventIds()).hasSize(5);
    }

    @Test
    void an_operator_says_where_a_refused_position_goes_on() throws Exception {
        publishedAndStopped(3);
        feed.restore(1);
        run(publisher(feed, range -> producer(), range -> Owner.US)).join(PATIENCE.toMillis());
        ensurePositions(false);
        assertThat(positions(PATIENCE).read(ONLY)).get().matches(Position::isRefused, "still refused at a plain start");

        ensurePositions(true);
        feed.write(4);
        run(publisher(feed, range -> producer(), range -> Owner.US));
        awaitPublished(8);

        assertThat(ledger.eventIds().subList(3, 8)).isEqualTo(feed.eventIds());
    }

    /** As a merge would leave it, if the service numbered the changes of the merged partition anew. */
    private PositionAdmin refusedAndTrusted() throws Exception {
        publishedAndStopped(5);
        feed.restore(2);
        run(publisher(feed, range -> producer(), range -> Owner.US)).join(PATIENCE.toMillis());
        var operator = new PositionAdmin(new HistoryTopics(kafka, topics));
        assertThat(operator.trust("rid", range -> feed))
                .returns(List.of(ONLY.name()), PositionAdmin.Trusted::trusted)
                .returns(List.of(), PositionAdmin.Trusted::others);
        return operator;
    }

    @Test
    void a_position_that_an_operator_trusts_goes_on_where_it_is_until_its_next_event() throws Exception {
        var positionAdmin = refusedAndTrusted();
        var publisher = publisher(feed, range -> producer(), range -> Owner.US);
        var thread = run(publisher);
        await().atMost(PATIENCE).until(() -> publisher.status().pages() > 0);
        assertThat(publisher.status().state()).isEqualTo(RangeState.PUBLISHING);
        feed.write(4);
        awaitPublished(6);
        stop(publisher, thread);

        assertThat(positions(PATIENCE).read(ONLY))
                .get()
                .returns("6", Position::continuation)
                .returns(null, Position::trustedEnd);
        assertThat(positionAdmin.trust("rid", range -> feed).trusted())
                .as("nothing is refused")
                .isEmpty();
        feed.restore(4);
        var successor = publisher(feed, range -> producer(), range -> Owner.US);
        run(successor).join(PATIENCE.toMillis());
        assertThat(successor.status().state())
                .as("trust was for the merge, and this is a restore")
                .isEqualTo(RangeState.REFUSED);
    }

    @Test
    void a_trusted_position_is_refused_once_the_feed_ends_before_where_it_ended_then() throws Exception {
        refusedAndTrusted();
        feed.restore(1);

        var publisher = publisher(feed, range -> producer(), range -> Owner.US);
        run(publisher).join(PATIENCE.toMillis());

        assertThat(publisher.status().state()).isEqualTo(RangeState.REFUSED);
        assertThat(publisher.status().problem()).contains("read up to 2", "ends at 1");
    }

    @Test
    void a_position_of_another_history_topic_is_not_trusted() throws Exception {
        publishedAndStopped(3);
        ledger.makeHistoryAgain(admin);
        run(publisher(feed, range -> producer(), range -> Owner.US)).join(PATIENCE.toMillis());

        var result = new PositionAdmin(new HistoryTopics(kafka, topics)).trust("rid", range -> feed);

        assertThat(result.trusted()).isEmpty();
        assertThat(result.others()).singleElement().asString().contains("was deleted and made again");
        assertThat(positions(PATIENCE).read(ONLY)).get().matches(Position::isRefused, "still refused");
    }

    @Test
    void a_history_topic_that_was_made_again_refuses_the_range_until_an_operator_says_where_to_go_on()
            throws Exception {
        publishedAndStopped(3);
        ledger.makeHistoryAgain(admin);
        feed.write(2);

        var publisher = publisher(feed, range -> producer(), range -> Owner.US);
        run(publisher).join(PATIENCE.toMillis());
        ensurePositions(false);
        var successor = publisher(feed, range -> producer(), range -> Owner.US);
        run(successor).join(PATIENCE.toMillis());

        assertThat(publisher.status().state())
                .as("three events are gone with the topic, and two would look like all of them")
                .isEqualTo(RangeState.REFUSED);
        assertThat(successor.status().problem())
                .contains(topics.history() + " was deleted and made again", "run --from-beginning");
        assertThat(ledger.eventIds()).isEmpty();

        ensurePositions(true);
        run(publisher(feed, range -> producer(), range -> Owner.US));
        awaitPublished(5);
        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void a_history_topic_that_is_made_again_under_a_publisher_is_noticed() throws Exception {
        ensurePositions(false);
        feed.write(3);
        var publisher = publisher(feed, range -> producer(), range -> Owner.US);
        var thread = run(publisher);
        awaitPublished(3);

        ledger.makeHistoryAgain(admin);
        feed.write(2);
        thread.join(Duration.ofMinutes(2).toMillis());

        assertThat(publisher.status().state()).isEqualTo(RangeState.REFUSED);
        assertThat(positions(PATIENCE).read(ONLY)).get().matches(Position::isRefused, "refused for every replica");
    }

    @Test
    void a_position_that_names_no_topic_is_refused_until_an_operator_says_where_to_go_on() throws Exception {
        feed.write(3);
        try (var older = producer()) {
            older.initTransactions();
            older.beginTransaction();
            var position = Position.beginning(ONLY, null).at("2");
            older.send(new ProducerRecord<>(topics.positions(), 0, ONLY.recordKey(), position.encode()))
                    .get();
            older.commitTransaction();
        }

        ensurePositions(false);
        var publisher = publisher(feed, range -> producer(), range -> Owner.US);
        run(publisher).join(PATIENCE.toMillis());
        ensurePositions(true);
        run(publisher(feed, range -> producer(), range -> Owner.US));
        awaitPublished(3);

        assertThat(publisher.status().state()).isEqualTo(RangeState.REFUSED);
        assertThat(publisher.status().problem()).contains("run --from <a minute before the latest event on the topic>");
        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void a_feed_that_goes_back_under_a_publisher_is_noticed() throws Exception {
        ensurePositions(false);
        feed.write(5);
        var publisher = publisher(feed, range -> producer(), range -> Owner.US);
        var thread = run(publisher);
        awaitPublished(5);

        feed.restore(2);
        thread.join(PATIENCE.toMillis());

        assertThat(publisher.status().state()).isEqualTo(RangeState.REFUSED);
    }

    @Test
    void a_copy_of_the_store_that_lags_for_a_moment_is_asked_again() throws Exception {
        publishedAndStopped(3);
        feed.lag(RepeatedCheck.MAX_REQUESTS - 1);
        feed.write(1);

        run(publisher(feed, range -> producer(), range -> Owner.US));
        awaitPublished(4);

        assertThat(feed.questionsForTheEnd()).isEqualTo(RepeatedCheck.MAX_REQUESTS);
        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void a_publisher_without_a_position_refuses_rather_than_guess() throws Exception {
        var publisher = publisher(feed, range -> producer(), range -> Owner.US);

        run(publisher).join(PATIENCE.toMillis());

        assertThat(publisher.status().state()).isEqualTo(RangeState.REFUSED);
        assertThat(publisher.status().problem()).contains("--from-beginning");
    }

    @Test
    void a_failure_of_its_own_makes_no_publisher_look_for_what_another_may_have_had_in_hand() throws Exception {
        ensurePositions(false);
        feed.write(4);
        var faulty = new FaultyProducers(this::producer).failBeforeCommits(1).failAfterCommits(1);
        var taken = new AtomicInteger();
        var publisher = publisher(feed, faulty, range -> Owner.US, new Takeovers(taken::incrementAndGet));

        run(publisher);
        awaitPublished(4);

        assertThat(faulty.failures()).isEqualTo(2);
        assertThat(taken).as("its first takeover").hasValue(1);
    }

    /** A feed that the service has split. */
    private record SplitFeed(ListFeed feed) implements PageReader {
        private static final List<KeyRange> PARTS = KeyRange.cut(2);

        @Override
        public FeedPage read(@Nullable String continuation) {
            return feed.read(continuation);
        }

        @Override
        public SortedMap<KeyRange, String> parts(String continuation) {
            var parts = new TreeMap<KeyRange, String>(Comparator.comparing(KeyRange::min));
            PARTS.forEach(part -> parts.put(part, continuation));
            return parts;
        }
    }

    private RangePublisher splitting() {
        var tuning = new RangePublisher.Tuning(Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(20), 2);
        var publisher = new TestPublishers(ONLY, topics, positions(PATIENCE), tuning)
                .publisher(new SplitFeed(feed), range -> producer(), range -> Owner.US);
        publishers.add(publisher);
        return publisher;
    }

    @Test
    void a_range_that_was_split_has_ended_and_its_parts_go_on_behind_its_page() throws Exception {
        ensurePositions(false);
        feed.write(2);
        var publisher = splitting();

        run(publisher).join(PATIENCE.toMillis());

        assertThat(publisher.status().state()).isEqualTo(RangeState.SPLIT);
        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
        assertThat(positions(PATIENCE).read(ONLY)).get().matches(Position::ended, "ended");
        for (var part : SplitFeed.PARTS) {
            assertThat(positions(PATIENCE).read(ONLY.with(part)))
                    .get()
                    .extracting(Position::continuation)
                    .isEqualTo("2");
        }
        var successor = splitting();
        run(successor).join(PATIENCE.toMillis());
        assertThat(successor.status().state()).as("who comes later").isEqualTo(RangeState.SPLIT);
        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
        ensurePositions(false);
    }

    @Test
    void a_split_whose_commit_is_in_doubt_is_not_repeated() throws Exception {
        ensurePositions(false);
        feed.write(2);
        var faulty = new FaultyProducers(this::producer).failAfterCommits(1);
        var tuning = new RangePublisher.Tuning(Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(20), 2);
        var publisher = new TestPublishers(ONLY, topics, positions(PATIENCE), tuning)
                .publisher(new SplitFeed(feed), faulty, range -> Owner.US);
        publishers.add(publisher);

        run(publisher).join(PATIENCE.toMillis());

        assertThat(publisher.status().state()).isEqualTo(RangeState.SPLIT);
        assertThat(ledger.eventIds()).isEqualTo(feed.eventIds());
    }

    @Test
    void a_part_that_has_a_position_already_is_not_begun_again() throws Exception {
        ensurePositions(false);
        feed.write(2);
        try (var stranger = kafka.idempotent(topics.positions())) {
            var part = Position.beginning(ONLY.with(SplitFeed.PARTS.get(1)), "topic")
                    .at("9");
            stranger.send(part.record(topics.positions())).get();
        }
        var publisher = splitting();

        run(publisher).join(PATIENCE.toMillis());

        assertThat(publisher.status().state()).isEqualTo(RangeState.REFUSED);
        assertThat(publisher.status().problem()).contains("has a position already");
        assertThat(ledger.eventIds()).isEmpty();
    }
}
