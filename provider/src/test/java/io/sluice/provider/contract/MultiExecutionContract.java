package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.continueAsNew;
import static io.sluice.provider.contract.ContractItems.events;
import static io.sluice.provider.contract.ContractItems.scheduled;
import static io.sluice.provider.contract.ContractItems.start;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ContractItems.startedKind;
import static io.sluice.provider.contract.ProviderSteps.LONG;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each execution of an instance keeps a history of its own; the latest is the one that is read. */
public abstract class MultiExecutionContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected MultiExecutionContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_execution_isolation() {
        EventKind started = startedKind("TestOrch", "1.0.0");
        List<HistoryEvent> first = commit(1, started, scheduled("A"), scheduled("B"));
        List<HistoryEvent> second = commit(2, started, scheduled("C"));

        assertThat(provider().readWithExecution("x", 1)).isEqualTo(first);
        assertThat(provider().readWithExecution("x", 2)).isEqualTo(second);
        assertThat(provider().read("x")).isEqualTo(second);
    }

    @Test
    void test_latest_execution_detection() {
        List<HistoryEvent> first = commit(1, scheduled("A"));
        List<HistoryEvent> second = commit(2, scheduled("B"));

        assertThat(provider().read("x")).isEqualTo(second);
        assertThat(provider().readWithExecution("x", 1)).isEqualTo(first);
    }

    @Test
    void test_execution_id_sequencing() {
        steps.start("x");
        var first = steps.fetch();
        assertThat(first.item().executionId()).isEqualTo(1);
        steps.ack(ackOf(first, started("x")).withMetadata(META));
        steps.enqueue(start("x", "TestOrch", "1.0.0", 2));
        steps.ack(TurnAck.of(steps.fetch().lockToken(), 2)
                .withHistory(List.of(started("x", 2)))
                .withMetadata(META));

        steps.enqueue(start("x", "TestOrch", "1.0.0", 3));

        assertThat(steps.fetch().item().executionId())
                .as("the stored execution, not the message's")
                .isEqualTo(2);
    }

    @Test
    void test_continue_as_new_creates_new_execution() {
        steps.start("x");
        steps.ack(steps.fetch(), started("x"));
        steps.enqueue(continueAsNew("x"));

        steps.ack(TurnAck.of(steps.fetch().lockToken(), 2).withHistory(List.of(started("x", 2))));

        steps.tryFetch(LONG, null)
                .ifPresent(turn -> assertThat(turn.item().executionId()).isEqualTo(2));
        steps.poke("x");
        assertThat(steps.fetch().item().executionId()).isEqualTo(2);
    }

    @Test
    void test_execution_history_persistence() {
        List<HistoryEvent> first = commit(1, scheduled("A"));
        List<HistoryEvent> second = commit(2, scheduled("B"));
        List<HistoryEvent> third = commit(3, scheduled("C"));

        assertThat(provider().readWithExecution("x", 1)).isEqualTo(first);
        assertThat(provider().readWithExecution("x", 2)).isEqualTo(second);
        assertThat(provider().readWithExecution("x", 3)).isEqualTo(third);
        assertThat(provider().read("x")).isEqualTo(third);
    }

    /** A turn that begins this execution with these events and says nothing else of it. */
    private List<HistoryEvent> commit(long execution, EventKind... kinds) {
        steps.enqueue(start("x", "TestOrch", "1.0.0", execution));
        List<HistoryEvent> delta = events("x", execution, 1, kinds);
        steps.ack(TurnAck.of(steps.fetch().lockToken(), execution).withHistory(delta));
        return delta;
    }
}
