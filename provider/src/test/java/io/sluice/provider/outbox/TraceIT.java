package io.sluice.provider.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.DispatchOptions;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TraceContext;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A trace goes from a command by its turn to what the turn sends and writes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TraceIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final TraceContext TRACE =
            new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "vendor=1");

    private CosmosStore store;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        provider = CosmosProvider.builder().reconciler(false).store(store).build();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1);
    }

    private void turn(String instance, DispatchOptions options, WorkItem... sent) {
        Optional<LockedTurn> turn =
                provider.fetchOrchestrationItem(Duration.ofMinutes(1), Duration.ofSeconds(30), null);
        assertThat(turn).map(found -> found.item().instance()).contains(instance);
        var event = new HistoryEvent(
                1, null, instance, 1, 5, "0.1.32", new EventKind.ExternalEvent("n", "d"), ExtraFields.NONE);
        provider.ackOrchestrationItem(TurnAck.of(turn.orElseThrow().lockToken(), 1)
                .withHistory(List.of(event))
                .withOrchestratorItems(List.of(sent))
                .withDispatch(options));
    }

    private List<String> traces(String instance, String type) {
        return Objects.requireNonNull(store.container()
                        .queryItems(
                                "SELECT * FROM c WHERE c.type = '" + type + "'",
                                new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance)),
                                JsonNode.class)
                        .collectList()
                        .block())
                .stream()
                .map(document -> document.path("traceparent").asText() + " "
                        + document.path("tracestate").asText())
                .toList();
    }

    @Test
    void a_commands_trace_reaches_the_events_and_messages_that_come_of_it_and_what_they_cause() {
        new CommandInbox(store.container(), store.clock())
                .accept(new InboxCommand("c-1", start("first"), TRACE, null), 0);

        turn("first", DispatchOptions.NONE, start("second"));
        assertThat(traces("second", "orch_queue")).containsExactly(TRACE.traceparent() + " " + TRACE.tracestate());
        turn("second", DispatchOptions.NONE);

        assertThat(traces("first", "history")).containsExactly(TRACE.traceparent() + " " + TRACE.tracestate());
        assertThat(traces("second", "history")).containsExactly(TRACE.traceparent() + " " + TRACE.tracestate());
    }

    @Test
    void a_runtime_may_say_another_and_without_any_nothing_is_written() {
        provider.enqueueForOrchestrator(start("first"), null);

        turn("first", DispatchOptions.NONE.withTrace(TRACE), start("second"));
        provider.enqueueForOrchestrator(start("third"), null);

        assertThat(traces("second", "orch_queue")).containsExactly(TRACE.traceparent() + " " + TRACE.tracestate());
        assertThat(traces("third", "orch_queue")).containsExactly(" ");
    }
}
