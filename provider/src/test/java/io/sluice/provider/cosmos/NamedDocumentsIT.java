package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

/** Documents that a query names are looked up, whatever else there is. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NamedDocumentsIT {
    private static final int OTHERS = 400;
    /** Of a query that finds a few documents; 400 that are asked each cost 20 more. */
    private static final double FEW_UNITS = 6;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosEmulator emulator;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        provider = fixture.provider();
    }

    @Test
    void a_doubtful_ack_is_settled_without_asking_the_whole_partition() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);
        fill("order-1");
        emulator.faults().loseAnswer(StoreFixture::isBatch, 1);

        provider.ackOrchestrationItem(firstAck(turn));

        assertQueriesAreCheap();
    }

    @Test
    void cancelled_activities_are_found_without_asking_the_others() {
        beginInstance(provider, "order-1");
        provider.enqueueForOrchestrator(raised("order-1", "cancel"), null);
        LockedTurn turn = takeTurn(provider);
        IntStream.range(2, OTHERS + 2).forEach(id -> provider.enqueueForWorker(activity("order-1", id)));
        emulator.requests().clear();

        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withCancelledActivities(List.of(
                        new ScheduledActivityIdentifier("order-1", 1, 7),
                        new ScheduledActivityIdentifier("order-1", 1, 5_000))));

        assertQueriesAreCheap();
        assertThat(fixture.documents(fixture.store(), "order-1", "worker_queue"))
                .hasSize(OTHERS - 1);
    }

    @Test
    void activities_of_a_tag_are_found_without_asking_those_of_others() {
        IntStream.range(0, OTHERS).forEach(id -> enqueue(id, "gpu"));
        enqueue(OTHERS, "cpu");
        emulator.requests().clear();

        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.tags(Set.of("cpu"))))
                .isPresent();

        assertQueriesAreCheap();
    }

    private void enqueue(int id, String tag) {
        provider.enqueueForWorker(new WorkItem.ActivityExecute("order-1", 1, id, "charge", "{}", null, tag));
    }

    private void fill(String instance) {
        var container = fixture.store().container();
        ObjectNode event = JsonNodeFactory.instance
                .objectNode()
                .put("instanceId", instance)
                .put("type", "other");
        Flux.range(0, OTHERS)
                .flatMap(i -> container.createItem(
                        event.deepCopy().put("id", "other-" + i), new PartitionKey(instance), null))
                .blockLast();
        emulator.requests().clear();
    }

    private void assertQueriesAreCheap() {
        List<LoggedRequest> queries = emulator.requests()
                .matching(request -> request.operation() == RequestKind.QUERY)
                .toList();
        assertThat(queries)
                .isNotEmpty()
                .allSatisfy(query ->
                        assertThat(query.requestCharge()).as(query.body()).isLessThan(FEW_UNITS));
    }
}
