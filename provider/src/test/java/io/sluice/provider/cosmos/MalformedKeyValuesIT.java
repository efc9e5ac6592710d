package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.MalformedQueueDocument;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that another program, or a hand, stored with another type are told of: they are no empty text, and no 0. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MalformedKeyValuesIT {
    private static final JsonMapper JSON = new JsonMapper();

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosStore store;
    private CosmosProvider other;

    /** An instance with two changed keys, and a message that waits, which {@link #other} knows nothing of. */
    @BeforeEach
    void open() {
        store = fixture.store();
        CosmosProvider provider = fixture.provider();
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                .withHistory(List.of(
                        event("order-1", 1, new EventKind.KeyValueSet("damaged", "was", 5)),
                        event("order-1", 2, new EventKind.KeyValueSet("sound", "is", 5)))));
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        other = fixture.provider();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "value | {} | object",
                "value | [\"was\"] | array",
                "value | 42 | number",
                "value | true | boolean",
                "lastUpdatedAtMs | \"5\" | string",
                "executionId | \"1\" | string"
            })
    void a_turn_says_which_key_and_type_and_no_ack_writes_over_it(String field, String json, String type) {
        ObjectNode damaged = damage("kv_delta", "damaged", field, json);

        LockedTurn turn = takeTurn(other);
        other.abandonOrchestrationItem(turn.lockToken(), null, false);
        LockedTurn again = takeTurn(other);

        assertThat(turn.item().historyError()).contains("'damaged'", "'" + field + "'", type);
        assertThat(turn.item().history()).isEmpty();
        assertThat(again.attemptCount()).isEqualTo(turn.attemptCount() + 1);
        other.ackOrchestrationItem(TurnAck.of(again.lockToken(), 1)
                .withHistory(List.of(event("order-1", 99_999, new EventKind.OrchestrationCompleted("poison"))))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Failed", "poison")));
        assertThat(fixture.documents(store, "order-1", "kv_delta")).containsExactly(damaged);
        assertThat(fixture.documents(store, "order-1", "kv"))
                .singleElement()
                .satisfies(kept -> assertThat(kept.path("key").asText()).isEqualTo("sound"));
        assertReadsFail(field, type);
    }

    @Test
    void a_committed_value_is_told_of_in_the_same_way() {
        LockedTurn last = takeTurn(other);
        other.ackOrchestrationItem(
                TurnAck.of(last.lockToken(), 1).withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "ok")));
        damage("kv", "damaged", "value", "42");
        other.enqueueForOrchestrator(raised("order-1", "y"), null);

        LockedTurn turn = takeTurn(fixture.provider());

        assertThat(turn.item().historyError()).contains("'damaged'", "'value'");
        assertReadsFail("value", "'value'");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_change_without_a_value_is_a_removal(boolean missing) {
        ObjectNode change = document("kv_delta", "damaged");
        write(missing ? change.without("value") : change.putNull("value"));

        LockedTurn turn = takeTurn(other);

        assertThat(turn.item().historyError()).isNull();
        assertThat(other.getKvValue("order-1", "damaged")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"output", "customStatus", "parentInstanceId", "lockToken"})
    void a_text_of_an_instance_that_is_none_is_named(String field) {
        ObjectNode head = fixture.documents(store, "order-1", "instance").get(0);
        write(head.put(field, 42));
        ProviderAdmin admin = other.asManagementCapability().orElseThrow();

        for (ThrowingCallable read : List.<ThrowingCallable>of(
                () -> admin.getInstanceInfo("order-1"), () -> other.getCustomStatus("order-1", -1))) {
            assertPermanent(read, "'" + field + "' must be a text or null, was number");
        }
    }

    @Test
    void a_work_item_that_is_no_text_is_listed_as_that() {
        ObjectNode message = fixture.documents(store, "order-1", "orch_queue").get(0);
        message.putObject("workItem").putObject("ExternalRaised");
        write(message);

        assertThat(other.asManagementCapability().orElseThrow().listMalformedQueueDocuments(10))
                .extracting(MalformedQueueDocument::field, MalformedQueueDocument::reason)
                .containsExactly(tuple("workItem", "must be a text, was object"));
    }

    private void assertReadsFail(String field, String type) {
        assertPermanent(() -> other.getKvValue("order-1", "damaged"), "'" + field + "'");
        assertPermanent(() -> other.getKvAllValues("order-1"), type);
        assertThat(other.getKvValue("order-1", "sound")).contains("is");
    }

    private static void assertPermanent(ThrowingCallable call, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(text);
    }

    /** Sets the field of a key's document, and returns the document as it is stored then. */
    private ObjectNode damage(String type, String key, String field, String json) {
        try {
            write(document(type, key).set(field, JSON.readTree(json)));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
        return document(type, key);
    }

    private ObjectNode document(String type, String key) {
        return fixture.documents(store, "order-1", type).stream()
                .filter(document -> document.path("key").asText().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private void write(ObjectNode document) {
        store.container().upsertItem(document).block();
    }
}
