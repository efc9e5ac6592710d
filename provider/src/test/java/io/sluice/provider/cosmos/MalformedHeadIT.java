package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An instance whose head another program damaged fails with the reason in the end; it does not wait for ever. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MalformedHeadIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final ErrorDetails POISON = new ErrorDetails.Poison(
            2, 1, new ErrorDetails.PoisonedMessage.FailedDeserialization("order-1", 1, "unreadable"), "unreadable");

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;
    private CosmosProvider other;

    /** An instance with a message that waits, which {@link #other} knows nothing of. */
    @BeforeEach
    void open() {
        store = fixture.store();
        CosmosProvider provider = fixture.provider();
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        other = fixture.provider();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orchestrationName | 7",
                "orchestrationVersion | {}",
                "status | []",
                "output | 42",
                "parentInstanceId | true",
                "pinnedDuroxideVersionPacked | \"1\"",
                "customStatus | {}",
                "customStatusVersion | \"1\"",
                "lockToken | 5",
                "lockedUntil | \"soon\"",
                "createdAt | {}",
                "updatedAt | \"now\"",
                "ext | \"text\""
            })
    void its_turns_say_which_field_and_count_attempts_until_it_has_failed(String field, String json) {
        damage(field, json);
        assertThatThrownBy(() -> other.asManagementCapability().orElseThrow().getInstanceInfo("order-1"))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining(field);

        LockedTurn turn = takeTurn(other);
        other.renewOrchestrationItemLock(turn.lockToken(), Duration.ofMinutes(1));
        other.abandonOrchestrationItem(turn.lockToken(), null, false);
        LockedTurn again = takeTurn(fixture.provider());

        assertThat(turn.item().historyError()).contains("head of the instance", field);
        assertThat(turn.item().history()).isEmpty();
        assertThat(again.attemptCount()).isEqualTo(2);

        fixture.provider()
                .ackOrchestrationItem(TurnAck.of(again.lockToken(), 1)
                        .withHistory(List.of(event("order-1", 99, new EventKind.OrchestrationFailed(POISON))))
                        .withMetadata(ExecutionMetadata.NONE.withStatus("Failed", "poison")));
        assertThat(other.asManagementCapability()
                        .orElseThrow()
                        .getInstanceInfo("order-1")
                        .status())
                .isEqualTo("Failed");
        assertThat(fetchTurn(other)).isNull();
    }

    @Test
    void one_whose_execution_is_not_known_is_left_alone() {
        damage("currentExecutionId", "\"one\"");

        assertThat(fetchTurn(other)).isNull();
        assertThat(fixture.documents(store, "order-1", "orch_queue")).hasSize(1);
    }

    private void damage(String field, String json) {
        ObjectNode head = fixture.documents(store, "order-1", "instance").get(0);
        try {
            head.set(field, JSON.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
        store.container().upsertItem(head).block();
    }
}
