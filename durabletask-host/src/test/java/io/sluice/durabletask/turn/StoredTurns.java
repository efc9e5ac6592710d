package io.sluice.durabletask.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.TurnEvents;
import io.sluice.durabletask.history.TurnIntake;
import io.sluice.durabletask.state.InstanceState;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** Turns of instances in a container: fetched, answered and acked as a host does it. */
final class StoredTurns implements AutoCloseable {
    private static final Duration LOCK = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofSeconds(20);

    private final CosmosProvider provider;

    StoredTurns(CosmosAccount account) {
        CosmosStoreConfig config =
                new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        provider = CosmosProvider.builder().reconciler(false).config(config).build();
    }

    /** A fetched turn, and what is to be decided in it. */
    record Fetched(LockedTurn locked, OpenTurn turn) {
        /** At the time of the fetch, so that the same answer is as large each time. */
        TurnOutcome answered(OrchestratorResponse answer) {
            return Actions.of(
                    turn, answer, turn.startedAt(), () -> UUID.randomUUID().toString());
        }
    }

    void start(String instance, String input) {
        provider.starts()
                .startInstance(
                        InstanceStart.of(MessageEncoder.start(instance, Answers.starting("Order", input), null)));
    }

    /** As a client does it: with what is kept along until the first turn. */
    void startPending(String instance, String input) {
        var started = Answers.starting("Order", input).toBuilder();
        started.getExecutionStartedBuilder()
                .getOrchestrationInstanceBuilder()
                .setExecutionId(Wire.text(UUID.randomUUID().toString()));
        provider.starts()
                .startInstance(InstanceStart.of(MessageEncoder.start(instance, started.build(), null))
                        .withExt(InstanceState.pending(started.getExecutionStarted())
                                .toExt()));
    }

    void send(WorkItem message) {
        provider.enqueueForOrchestrator(message, null);
    }

    Fetched fetch() {
        LockedTurn locked = provider.fetchOrchestrationItem(LOCK, POLL, null).orElseThrow();
        Instant now = Instant.now();
        TurnIntake intake =
                TurnEvents.of(locked.item(), now, () -> UUID.randomUUID().toString());
        assertThat(intake).isInstanceOf(TurnIntake.Open.class);
        return new Fetched(locked, new OpenTurn(locked.item().instance(), now, (TurnIntake.Open) intake));
    }

    void commit(Fetched fetched, TurnOutcome outcome) {
        provider.ackOrchestrationItem(outcome.toAck(fetched.locked().lockToken()));
    }

    /** Fetches the next turn, and commits what this answer makes of it. */
    TurnOutcome turn(OrchestratorResponse answer) {
        Fetched fetched = fetch();
        TurnOutcome outcome = fetched.answered(answer);
        commit(fetched, outcome);
        return outcome;
    }

    LockedWorkItem fetchActivity() {
        return provider.fetchWorkItem(LOCK, POLL, null, TagFilter.any()).orElseThrow();
    }

    InstanceSummary instance(String id) {
        return provider.queries().get(id).orElseThrow();
    }

    CosmosProvider provider() {
        return provider;
    }

    @Override
    public void close() {
        provider.close();
    }
}
