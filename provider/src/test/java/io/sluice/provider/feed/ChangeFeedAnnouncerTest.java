package io.sluice.provider.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.Provider;
import io.sluice.provider.TagFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkFeed.Receipt;
import io.sluice.provider.announcement.WorkFeed.Subscription;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.provider.contract.ContractStore;
import io.sluice.provider.contract.inputs.GivenInputs;
import io.sluice.provider.contract.inputs.NotedCalls;
import io.sluice.provider.model.ReferenceContractStores;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChangeFeedAnnouncerTest {
    private static final long NOW = 1_000_000;
    private static final long AHEAD = AnnouncementReader.AHEAD_MILLIS;

    private final AtomicLong clock = new AtomicLong(NOW);
    private final Store store = new Store();
    private final ChangeFeedAnnouncer announcer =
            new ChangeFeedAnnouncer(store, () -> Instant.ofEpochMilli(clock.get()));

    @Test
    void documents_of_an_instance_are_announced_together_in_their_order() {
        TestProcess process = new TestProcess(announcer.join());
        announcer.catchUp();
        store.write(message("a", 1, NOW), message("b", 2, NOW), message("a", 3, NOW));

        announcer.catchUp();

        assertThat(process.announced()).containsExactly("all of a [1, 3]", "all of b [2]");
    }

    @Test
    void a_timer_is_announced_once_it_is_due_before_the_horizon() {
        TestProcess process = new TestProcess(announcer.join());
        store.write(message("a", 1, NOW + AHEAD + 1));
        announcer.catchUp();
        assertThat(process.announced()).isEmpty();

        clock.addAndGet(1);
        announcer.catchUp();

        assertThat(process.announced()).containsExactly("a [1]");
    }

    @Test
    void a_lock_that_expired_between_two_looks_is_found() {
        TestProcess process = new TestProcess(announcer.join());
        announcer.catchUp();
        store.write(message("a", 1, NOW).put("lockedUntil", NOW + 5));
        clock.addAndGet(10);
        store.skipFeed();

        announcer.catchUp();

        assertThat(process.announced()).containsExactly("a [1]");
    }

    @Test
    void an_activity_waits_for_its_time_and_for_a_free_worker() {
        TestProcess process = new TestProcess(announcer.join());
        store.write(activity("a", 1, NOW + 5));
        process.activities.request(1);
        announcer.catchUp();
        assertThat(process.announced()).isEmpty();
        clock.addAndGet(5);
        store.write(activity("a", 2, NOW + 5));

        announcer.catchUp();
        assertThat(process.announced()).containsExactly("a [1]");

        process.activities.request(1);
        announcer.catchUp();
        assertThat(process.announced()).containsExactly("a [1]", "a [2]");
    }

    @Test
    void work_of_a_process_that_is_gone_is_announced_to_another_in_order() {
        WorkFeed dying = announcer.join();
        TestProcess first = new TestProcess(dying);
        announcer.catchUp();
        store.write(message("a", 1, NOW));
        announcer.catchUp();
        store.write(message("a", 2, NOW));
        announcer.catchUp();
        TestProcess second = new TestProcess(announcer.join());
        first.receipts.get(1).handled();

        dying.close();
        announcer.catchUp();

        assertThat(second.announced()).endsWith("all of a [1]", "all of a [2]");
        assertThat(first.receipts).noneMatch(Receipt::isCurrent);
        assertThat(announcer.waiting()).isEqualTo(2);
    }

    @Test
    void the_first_process_of_a_filter_hears_that_announcements_were_lost() {
        TestProcess first = new TestProcess(announcer.join());
        TestProcess second = new TestProcess(announcer.join());

        assertThat(first.losses).isEqualTo(2);
        assertThat(second.losses).isZero();
    }

    @Test
    void a_fetch_of_poll_zero_reaches_the_provider_as_such_while_an_activity_waits_for_a_worker() {
        TestProcess process = new TestProcess(announcer.join());
        store.write(activity("a", 1, NOW));
        GivenInputs given = new GivenInputs();
        try (ContractStore model = new ReferenceContractStores().open()) {
            Provider noted = NotedCalls.of(Provider.class, model.provider(), given);

            CatchingUpProvider.of(noted, announcer)
                    .fetchWorkItem(Duration.ofSeconds(5), Duration.ZERO, null, TagFilter.defaultOnly());
        }

        assertThat(announcer.waiting()).as("activities that wait").isEqualTo(1);
        assertThat(process.announced()).isEmpty();
        assertThat(given).hasToString("activity: lock 5 s, poll 0 s");
    }

    private static ObjectNode message(String instance, int number, long visibleAt) {
        return document("orch_queue", instance, number, visibleAt);
    }

    private static ObjectNode activity(String instance, int number, long visibleAt) {
        return document("worker_queue", instance, number, visibleAt);
    }

    private static ObjectNode document(String type, String instance, int number, long visibleAt) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", String.valueOf(number))
                .put("instanceId", instance)
                .put("type", type)
                .put("workItem", "{\"ExternalRaised\":{}}")
                .put("dispatchSlot", 0)
                .put("visibleAt", visibleAt)
                .put("enqueuedAt", NOW + number)
                .put("attemptCount", 0)
                .put("_etag", "\"" + number + "\"");
    }

    /** Documents in memory. */
    private static final class Store implements QueueChanges {
        private final List<ObjectNode> documents = new ArrayList<>();
        private int read;

        void write(ObjectNode... more) {
            documents.addAll(List.of(more));
        }

        void skipFeed() {
            read = documents.size();
        }

        @Override
        public List<JsonNode> next() {
            List<JsonNode> unread = List.copyOf(documents.subList(read, documents.size()));
            read = documents.size();
            return unread;
        }

        @Override
        public List<JsonNode> dueUntil(long untilMillis, long visibleAfterMillis, long lockedAfterMillis) {
            // What was written a moment ago is left to the feed.
            return documents.subList(0, read).stream()
                    .filter(document -> isBetween(document, "visibleAt", visibleAfterMillis, untilMillis)
                            || isBetween(document, "lockedUntil", lockedAfterMillis, untilMillis))
                    .map(JsonNode.class::cast)
                    .toList();
        }

        private static boolean isBetween(JsonNode document, String field, long after, long until) {
            return document.path(field).isNumber()
                    && document.path(field).asLong() > after
                    && document.path(field).asLong() <= until;
        }
    }

    /** A process that writes down what it hears. */
    private static final class TestProcess implements WorkFeed.Listener {
        private static final WorkStore STORE = new WorkStore("account", "sluice", "orders", "rid");

        private final List<Announcement> heard = new ArrayList<>();
        private final List<Receipt> receipts = new ArrayList<>();
        private final Subscription activities;
        private int losses;

        TestProcess(WorkFeed feed) {
            feed.subscribe(STORE, WorkQueue.TURNS, "", this);
            activities = feed.subscribe(STORE, WorkQueue.ACTIVITIES, "", this);
        }

        List<String> announced() {
            return heard.stream()
                    .map(announcement -> (announcement.horizon() > 0 ? "all of " : "") + announcement.instanceId()
                            + " "
                            + announcement.documents().stream()
                                    .map(AnnouncedDocument::id)
                                    .toList())
                    .toList();
        }

        @Override
        public void announced(Announcement announcement, Receipt receipt) {
            heard.add(announcement);
            receipts.add(receipt);
        }

        @Override
        public void lost() {
            losses++;
        }

        @Override
        public void healthChanged() {
            // Nothing to write down.
        }
    }
}
