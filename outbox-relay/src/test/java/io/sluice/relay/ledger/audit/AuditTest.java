package io.sluice.relay.ledger.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.ledger.load.Instances;
import io.sluice.relay.ledger.load.Scheduled;
import io.sluice.relay.ledger.load.Story;
import io.sluice.testkit.judge.Finding;
import io.sluice.testkit.judge.Finding.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The stories of some orders, told without a store and a relay, then spoiled: the audit finds each fault and nothing
 * else. What the topic alone tells is tested with its judge, in the testkit.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AuditTest {
    private static final int ORDERS = 21;

    private final List<Topic.Message> published = new ArrayList<>();
    private final List<String> committed = new ArrayList<>();

    AuditTest() {
        var world = new World();
        for (int i = 0; i < Instances.HUBS; i++) {
            world.send(start(Instances.hub(i)));
        }
        for (int i = 0; i < ORDERS; i++) {
            world.send(start(Instances.order(i)));
            world.send(new WorkItem.ExternalRaised(Instances.order(i), Story.GO, "at once"));
            if (Instances.isCancelled(i)) {
                world.send(new WorkItem.CancelInstance(Instances.order(i), "so it was ordered"));
            }
        }
        world.run();
        for (int i = 0; i < ORDERS; i++) {
            publishDeletion(Instances.childOf(Instances.order(i)));
            publishDeletion(Instances.order(i));
        }
    }

    private static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, Story.NAME, "{}", "1.0.0", null, null, null, 1);
    }

    /** Carries messages from one instance to the other; a turn takes all that wait for its instance. */
    private final class World {
        private final Map<String, List<HistoryEvent>> histories = new HashMap<>();
        private final Queue<WorkItem> messages = new ArrayDeque<>();
        private int turns;

        private void send(WorkItem message) {
            messages.add(message);
        }

        private void run() {
            while (!messages.isEmpty()) {
                var instance = messages.element().routedInstance();
                var turn = messages.stream()
                        .filter(message -> message.routedInstance().equals(instance))
                        .toList();
                messages.removeAll(turn);
                take(instance, turn);
            }
        }

        private void take(String instance, List<WorkItem> turn) {
            var history = histories.getOrDefault(instance, List.of());
            long execution = history.isEmpty() ? 1 : history.get(0).executionId();
            var item = new OrchestrationItem(instance, Story.NAME, execution, "1.0.0", history, turn, null, Map.of());
            var ack = Story.of(new LockedTurn(item, "token", 1), ++turns).orElseThrow();
            var now = new ArrayList<>(ack.executionId() == execution ? history : List.<HistoryEvent>of());
            now.addAll(ack.historyDelta());
            histories.put(instance, now);
            ack.historyDelta().forEach(AuditTest.this::publish);
            ack.orchestratorItems().forEach(this::send);
            for (var activity : ack.workerItems()) {
                if (activity instanceof WorkItem.ActivityExecute execute && execute.tag() == null) {
                    send(Scheduled.result(execute));
                }
            }
        }
    }

    private void publish(HistoryEvent event) {
        var json = HistoryJson.encode(event);
        committed.add(json);
        var id = event.instanceId() + ":" + event.executionId() + ":" + event.eventId() + ":" + event.timestampMillis();
        published.add(new Topic.Message(0, event.instanceId(), id, json, event.timestampMillis() + 7));
    }

    private void publishDeletion(String instance) {
        published.add(new Topic.Message(0, instance, instance + ":deleted:1", "{}", 0));
    }

    private List<Finding> findings() {
        return Audit.of(published, new Audit.Truth(ORDERS, committed, List.of(), true))
                .findings();
    }

    private int place(String key, String part) {
        for (int i = 0; i < published.size(); i++) {
            if (published.get(i).key().equals(key) && published.get(i).value().contains(part)) {
                return i;
            }
        }
        throw new AssertionError("no " + part + " of " + key);
    }

    @Test
    void a_run_in_which_nothing_went_wrong_has_no_finding() {
        var report = Audit.of(published, new Audit.Truth(ORDERS, committed, List.of(), true));

        assertThat(report.findings()).isEmpty();
        assertThat(report.events()).isEqualTo(committed.size()).isGreaterThan(30 * ORDERS);
        assertThat(report.intents()).isEqualTo((2 * Story.TAGS_TO_HUB + 2) * ORDERS);
        assertThat(report.deletions()).isEqualTo(2 * ORDERS);
        assertThat(report.longestEventMillis()).isEqualTo(7);
    }

    @Test
    void a_lost_event_is_found_though_its_instance_is_deleted() {
        published.remove(place("order-4", "TimerFired"));

        assertThat(findings()).extracting(Finding::kind).contains(Kind.LOST).doesNotContain(Kind.DUPLICATE);
    }

    @Test
    void a_lost_event_is_found_though_no_runtime_knew_that_it_was_committed() {
        var gone = published.remove(place("order-4", "TimerFired"));
        committed.remove(gone.value());

        assertThat(findings()).extracting(Finding::kind).contains(Kind.LOST);
    }

    @Test
    void the_lost_end_of_a_deleted_instance_is_found() {
        var gone = published.remove(place("order-5", "OrchestrationCompleted"));
        committed.remove(gone.value());

        assertThat(findings()).extracting(Finding::where).contains("the end of order-5");
    }

    @Test
    void an_event_behind_the_deletion_of_its_instance_is_found() {
        var end = published.remove(place("order-5", "OrchestrationCompleted"));
        published.add(end);

        assertThat(findings()).extracting(Finding::kind).contains(Kind.OUT_OF_ORDER, Kind.LOST);
    }

    @Test
    void a_deletion_that_is_told_twice_or_not_at_all_is_found() {
        publishDeletion("order-3");
        published.remove(deletionOf("order-6::child"));

        assertThat(findings())
                .extracting(Finding::where)
                .contains("deletion order-3:deleted:1", "the deletion of order-3", "the deletion of order-6::child");
    }

    private int deletionOf(String instance) {
        for (int i = 0; i < published.size(); i++) {
            if (published.get(i).eventId().startsWith(instance + ":deleted:")) {
                return i;
            }
        }
        throw new AssertionError("no deletion of " + instance);
    }

    @Test
    void an_altered_event_is_found() {
        int place = place("order-4", "working");
        var right = published.get(place);
        published.set(
                place,
                new Topic.Message(
                        0, right.key(), right.eventId(), right.value().replace("working", "idle"), right.millis()));

        assertThat(findings()).containsExactly(new Finding(Kind.ALTERED, "confirmed event " + right.eventId()));
    }

    @Test
    void an_order_that_never_began_is_found() {
        assertThat(Audit.of(published, new Audit.Truth(ORDERS + 1, committed, List.of(), true))
                        .findings())
                .extracting(Finding::where)
                .contains("the end of order-21", "the event for order-21", "the deletion of order-21::child");
    }

    @Test
    void what_the_store_holds_and_nobody_published_is_found() {
        var unpublished = committed.get(0).replace("hub-0", "hub-99");

        assertThat(Audit.of(
                                published,
                                new Audit.Truth(ORDERS, committed, List.of(HistoryJson.decode(unpublished)), true))
                        .findings())
                .extracting(Finding::kind)
                .containsExactly(Kind.LOST);
    }
}
