package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.SemverRange;
import io.sluice.provider.TurnAck;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is announced of orchestrations that a process does not run costs it nothing; counted on the wire. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ForeignStartsIT {
    private static final int STARTS = 20;
    private static final DispatcherCapabilityFilter EVERY_RUNTIME = new DispatcherCapabilityFilter(
            List.of(new SemverRange(SemanticVersion.of(0, 0, 0), SemanticVersion.of(9, 0, 0))));

    private static final DispatcherCapabilityFilter RUNS =
            EVERY_RUNTIME.withOrchestrations(OrchestrationFilter.named(Map.of("B", Set.of(), "Rolling", Set.of("1"))));

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private ManualWorkFeed feed;
    private CosmosStore store;
    private CosmosProvider writer;
    private CosmosProvider runtime;

    @BeforeEach
    void open() {
        feed = new ManualWorkFeed();
        store = fixture.store();
        writer = fixture.provider(CosmosProvider.builder().reconciler(false).clock(Instant::now));
        runtime = fixture.provider(
                CosmosProvider.builder().reconciler(false).clock(Instant::now).workFeed(feed));
        assertThat(poll()).as("the first fetch subscribes").isEmpty();
    }

    @Test
    void starts_of_an_orchestration_that_no_dispatcher_here_runs_cost_no_request() {
        List<String> foreign = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            foreign.add("foreign-" + i);
            writer.enqueueForOrchestrator(start("foreign-" + i, "A", "1"), null);
        }
        fixture.emulator().requests().clear();

        List<ManualWorkFeed.Announced> announced =
                foreign.stream().map(this::announce).toList();

        assertThat(poll()).isEmpty();
        assertThat(requests()).isEmpty();
        assertThat(announced).allMatch(ManualWorkFeed.Announced::isHandled);
        writer.enqueueForOrchestrator(start("own", "B", null), null);
        announce("own");
        assertThat(poll()).map(turn -> turn.item().instance()).contains("own");
    }

    @Test
    void starts_of_a_version_that_no_dispatcher_here_runs_cost_no_request() {
        writer.enqueueForOrchestrator(start("two", "Rolling", "2"), null);
        writer.enqueueForOrchestrator(start("none", "Rolling", null), null);
        writer.enqueueForOrchestrator(start("one", "Rolling", "1"), null);
        fixture.emulator().requests().clear();

        assertThat(announce("two").isHandled()).isTrue();
        assertThat(announce("none").isHandled()).isTrue();

        assertThat(poll()).isEmpty();
        assertThat(requests()).isEmpty();
        announce("one");
        assertThat(poll()).map(turn -> turn.item().instance()).contains("one");
    }

    @Test
    void the_next_execution_is_judged_by_what_it_begins() {
        begin("loop", "A");
        continueAs("loop", "A");
        begin("turns", "A");
        continueAs("turns", "B");
        fixture.emulator().requests().clear();

        ManualWorkFeed.Announced foreign = announce("loop");

        assertThat(poll()).isEmpty();
        assertThat(requests()).isEmpty();
        assertThat(foreign.isHandled()).isTrue();
        announce("turns");
        assertThat(poll()).map(turn -> turn.item().instance()).contains("turns");
    }

    @Test
    void messages_that_came_before_a_start_go_with_it() {
        writer.enqueueForOrchestrator(raised("early", "a"), null);
        writer.enqueueForOrchestrator(start("early", "A", "1"), null);
        fixture.emulator().requests().clear();

        ManualWorkFeed.Announced announced = announce("early");

        assertThat(poll()).isEmpty();
        assertThat(requests()).isEmpty();
        assertThat(announced.isHandled()).isTrue();
    }

    /** Another start of what runs here already is none: its name says nothing of the next turn. */
    @Test
    void what_this_process_runs_itself_is_not_dropped_for_a_start_that_names_another() {
        LockedTurn turn = runFirst("mine");
        runtime.ackOrchestrationItem(firstAck(turn));
        writer.enqueueForOrchestrator(start("mine", "A", "1"), null);
        writer.enqueueForOrchestrator(raised("mine", "first"), null);
        announce("mine");
        assertThat(poll().orElseThrow().item().messages()).contains(raised("mine", "first"));
    }

    @Test
    void nor_is_what_it_holds_just_now_and_no_later_message_overtakes_it() {
        LockedTurn turn = runFirst("mine");
        writer.enqueueForOrchestrator(start("mine", "A", "1"), null);
        writer.enqueueForOrchestrator(raised("mine", "first"), null);
        announce("mine");
        runtime.ackOrchestrationItem(firstAck(turn));

        writer.enqueueForOrchestrator(raised("mine", "second"), null);
        announce("mine", documents -> documents.subList(documents.size() - 1, documents.size()));

        assertThat(poll().orElseThrow().item().messages())
                .containsSubsequence(raised("mine", "first"), raised("mine", "second"));
    }

    private LockedTurn runFirst(String instance) {
        writer.enqueueForOrchestrator(start(instance, "B", "1"), null);
        announce(instance);
        return poll().orElseThrow();
    }

    private static TurnAck firstAck(LockedTurn turn) {
        return TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(StoreFixture.started(turn.item().instance())))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("B", "1"));
    }

    @Test
    void where_two_starts_disagree_a_look_finds_out() {
        writer.enqueueForOrchestrator(start("two", "B", "1"), null);
        writer.enqueueForOrchestrator(start("two", "A", "1"), null);

        announce("two");

        assertThat(poll()).map(turn -> turn.item().orchestrationName()).contains("B");
    }

    @Test
    void a_start_of_which_the_content_is_not_announced_is_looked_at() {
        writer.enqueueForOrchestrator(start("cut", "B", "1"), null);
        List<AnnouncedDocument> cut = fixture.documents(store, "cut", "orch_queue").stream()
                .map(document -> AnnouncedDocument.of(document.put(AnnouncedDocument.WORK_ITEM_LENGTH, 1_000)
                        .put("workItem", "{\"StartOrchestration\"")))
                .toList();

        feed.announce(WorkQueue.TURNS, Announcement.of("cut", 0, cut));

        assertThat(poll()).map(turn -> turn.item().instance()).contains("cut");
    }

    @Test
    void a_start_of_this_process_itself_for_others_costs_it_no_look() {
        fixture.emulator().requests().clear();

        runtime.enqueueForOrchestrator(start("foreign", "A", "1"), null);

        assertThat(poll()).isEmpty();
        assertThat(requests()).as("the document is written").hasSize(1);
    }

    private void begin(String instance, String orchestration) {
        writer.enqueueForOrchestrator(start(instance, orchestration, "1"), null);
    }

    private void continueAs(String instance, String orchestration) {
        LockedTurn turn = writer.instanceTurns().fetch(instance, LOCK).orElseThrow();
        writer.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(StoreFixture.started(instance)))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration(turn.item().orchestrationName(), "1")
                        .withPinnedVersion(SemanticVersion.of(1, 2, 3))
                        .withStatus("ContinuedAsNew", null))
                .withOrchestratorItems(List.of(new WorkItem.ContinueAsNew(
                        instance, orchestration, "{}", "1", null, null, null, List.of(), null))));
    }

    private static WorkItem start(String instance, String orchestration, @Nullable String version) {
        return new WorkItem.StartOrchestration(instance, orchestration, "{}", version, null, null, null, 1);
    }

    /** As a relay does that reads the whole documents. */
    private ManualWorkFeed.Announced announce(String instance) {
        return announce(instance, documents -> documents);
    }

    private ManualWorkFeed.Announced announce(String instance, UnaryOperator<List<AnnouncedDocument>> some) {
        List<ObjectNode> documents = fixture.documents(store, instance, "orch_queue");
        fixture.emulator().requests().clear();
        long horizon = System.currentTimeMillis() + Duration.ofMinutes(1).toMillis();
        List<AnnouncedDocument> all = documents.stream()
                .map(AnnouncedDocument::of)
                .sorted(Comparator.comparing(AnnouncedDocument::enqueuedAt).thenComparing(AnnouncedDocument::id))
                .toList();
        return feed.announce(WorkQueue.TURNS, Announcement.of(instance, horizon, some.apply(all)));
    }

    private List<LoggedRequest> requests() {
        return fixture.dataRequests();
    }

    private Optional<LockedTurn> poll() {
        return runtime.fetchOrchestrationItem(LOCK, NO_WAIT, RUNS);
    }
}
