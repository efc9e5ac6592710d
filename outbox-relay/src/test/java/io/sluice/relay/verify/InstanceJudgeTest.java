package io.sluice.relay.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.event.EventId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InstanceJudgeTest {
    private static final String INSTANCE = "order-1";
    private static final long WRITTEN = 1_000;
    private static final int HOME = Retention.home(INSTANCE, 2);
    private static final int OTHER = 1 - HOME;
    private static final Retention NOTHING_GONE = goneUntil(Retention.NOTHING, Retention.NOTHING);

    private final List<StoredEntry> stored = new ArrayList<>();
    private final Set<EventId> waiting = new HashSet<>();
    private final List<PublishedEntry> published = new ArrayList<>();

    /** In the partition of the instance, and in the other one. */
    private static Retention goneUntil(long home, long other) {
        return gone(new Retention.Known(home, 0), new Retention.Known(other, 0), false);
    }

    private static Retention gone(Retention.Known home, Retention.Known other, boolean isGrown) {
        return new Retention(Map.of(HOME, home, OTHER, other), isGrown);
    }

    private static EventId id(long event) {
        return new EventId(INSTANCE, 1, event, 5_000 + event);
    }

    private void store(long... events) {
        for (long event : events) {
            stored.add(new StoredEntry(id(event), WRITTEN, value(id(event))));
        }
    }

    private static Digest value(@Nullable EventId id) {
        return Digest.of(String.valueOf(id).getBytes(UTF_8));
    }

    private void publish(long... events) {
        for (long event : events) {
            publish(HOME, id(event));
        }
    }

    private void publish(int partition, EventId id) {
        published.add(new PublishedEntry(partition, published.size(), INSTANCE, id, id.toString(), value(id)));
    }

    private void delete(String deletion) {
        published.add(new PublishedEntry(
                HOME, published.size(), INSTANCE, null, INSTANCE + ":deleted:" + deletion, value(null)));
    }

    private VerificationReport judge(Retention retention) {
        var tally = new Tally(10);
        new InstanceJudge(retention, tally, event -> tally.found(Finding.lost(event)))
                .judge(new InstanceEntries(INSTANCE, stored, waiting, published));
        return tally.report();
    }

    private List<String> findings() {
        return judge(NOTHING_GONE).findings().stream()
                .map(finding -> finding.kind().text() + " " + finding.id())
                .toList();
    }

    @Test
    void a_history_that_is_there_in_order_is_exact() {
        store(1, 2, 3);
        publish(1, 2, 3);

        var report = judge(NOTHING_GONE);

        assertThat(report.isExact()).isTrue();
        assertThat(report.counts().same()).isEqualTo(3);
    }

    @Test
    void an_event_without_a_record_is_lost() {
        store(1, 2, 3);
        publish(1, 3);

        assertThat(findings()).containsExactly("lost " + id(2));
    }

    @Test
    void an_instance_without_a_record_is_lost() {
        store(1, 2);

        assertThat(findings()).containsExactly("lost " + id(1), "lost " + id(2));
    }

    @Test
    void an_event_that_waited_and_is_on_the_topic_was_published_since_or_is_there_too_early() {
        store(1, 2);
        publish(1, 2);
        waiting.add(id(2));

        var report = judge(NOTHING_GONE);

        assertThat(report.isExact()).isTrue();
        assertThat(report.counts().same()).isEqualTo(2);
        assertThat(report.counts().publishedSince()).isEqualTo(1);
    }

    @Test
    void an_event_that_the_relay_has_not_reached_is_waiting() {
        store(1, 2);
        waiting.add(id(2));
        publish(1);

        var report = judge(NOTHING_GONE);

        assertThat(report.isExact()).isTrue();
        assertThat(report.counts().waiting()).isEqualTo(1);
    }

    @Test
    void what_retention_may_have_taken_is_unknown() {
        store(1, 2, 3);
        publish(2, 3);

        var report = judge(goneUntil(WRITTEN, Retention.NOTHING));

        assertThat(report.isExact()).isTrue();
        assertThat(report.counts().unknown()).isEqualTo(1);
        assertThat(judge(goneUntil(WRITTEN - 1, WRITTEN)).isExact())
                .as("written after what is left of its partition")
                .isFalse();
    }

    @Test
    void retention_takes_nothing_behind_an_event_that_is_left() {
        store(1, 2, 3);
        publish(1, 3);

        assertThat(judge(goneUntil(Retention.ALL, Retention.ALL)).findings()).hasSize(1);
    }

    @Test
    void what_retention_took_while_the_topic_was_read_proves_nothing() {
        store(1, 2, 3);
        publish(1, 3);

        var report = judge(gone(new Retention.Known(WRITTEN, 1), new Retention.Known(Retention.NOTHING, 0), false));

        assertThat(report.isExact()).isTrue();
        assertThat(report.counts().unknown()).isEqualTo(1);
    }

    @Test
    void an_expired_partition_hides_no_instance_of_another_one() {
        store(1);

        assertThat(judge(goneUntil(Retention.NOTHING, Retention.ALL)).isExact()).isFalse();
    }

    @Test
    void in_a_topic_that_has_grown_a_record_may_have_been_in_any_partition() {
        store(1);

        assertThat(judge(gone(new Retention.Known(Retention.NOTHING, 0), new Retention.Known(WRITTEN, 0), true))
                        .isExact())
                .isTrue();
    }

    @Test
    void a_record_of_before_the_topic_grew_proves_nothing() {
        store(1, 2);
        publish(OTHER, id(1));

        assertThat(judge(gone(new Retention.Known(WRITTEN, 0), new Retention.Known(Retention.NOTHING, 0), true))
                        .isExact())
                .isTrue();
    }

    @Test
    void a_record_that_comes_again_is_there_twice() {
        store(1, 2);
        publish(1, 2, 1);
        delete("d");
        delete("d");

        assertThat(findings()).containsExactly("twice " + id(1), "twice " + INSTANCE + ":deleted:d");
    }

    @Test
    void a_record_of_another_value_is_altered() {
        store(1);
        published.add(
                new PublishedEntry(HOME, 0, INSTANCE, id(1), id(1).toString(), Digest.of("else".getBytes(UTF_8))));

        assertThat(findings()).containsExactly("altered " + id(1));
    }

    @Test
    void a_record_behind_a_later_event_is_out_of_order() {
        store(1, 2, 3);
        publish(2, 3, 1);

        assertThat(findings()).containsExactly("out of order " + id(1));
    }

    @Test
    void an_event_that_could_not_be_decoded_when_it_was_published_is_known_by_its_value() {
        store(1);
        var undecoded = new EventId(INSTANCE, 1, 1, 77_000);
        published.add(new PublishedEntry(HOME, 0, INSTANCE, undecoded, undecoded.toString(), value(id(1))));

        assertThat(findings()).isEmpty();
    }

    @Test
    void a_life_that_was_purged_is_no_fault_of_the_next() {
        publish(1, 2, 3);
        delete("d");
        var again = new EventId(INSTANCE, 1, 1, 9_000);
        stored.add(new StoredEntry(again, WRITTEN, value(again)));
        publish(HOME, again);

        var report = judge(NOTHING_GONE);

        assertThat(report.isExact()).isTrue();
        assertThat(report.counts().onlyPublished()).isEqualTo(3);
    }

    @Test
    void a_store_that_was_read_while_an_instance_began_anew_shows_both_lives() {
        store(3);
        publish(1, 2, 3);
        for (long event = 1; event <= 2; event++) {
            var again = new EventId(INSTANCE, 1, event, 9_000);
            stored.add(new StoredEntry(again, WRITTEN, value(again)));
            publish(HOME, again);
        }

        assertThat(findings()).isEmpty();
    }

    @Test
    void a_value_that_the_feed_shows_otherwise_is_not_compared() {
        stored.add(new StoredEntry(id(1), WRITTEN, Digest.NONE));
        publish(1);

        assertThat(findings()).isEmpty();
    }

    @Test
    void a_new_life_may_begin_without_a_record_of_the_deletion() {
        publish(1, 2, 3);
        publish(HOME, new EventId(INSTANCE, 1, 1, 4_000));
        publish(HOME, new EventId(INSTANCE, 1, 2, 9_000));
        publish(HOME, new EventId(INSTANCE, 2, 1, 9_001));

        assertThat(findings()).isEmpty();
    }

    @Test
    void what_was_purged_must_have_been_in_order() {
        publish(1, 3, 2);

        assertThat(findings()).containsExactly("out of order " + id(2));
    }

    @Test
    void records_in_two_partitions_have_no_order() {
        store(1, 2);
        publish(1, id(2));
        publish(0, id(1));

        assertThat(findings()).isEmpty();
    }
}
