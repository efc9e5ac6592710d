package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.document.StagedPart;
import io.sluice.provider.document.StagedTry;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parts that acks left which were tried again and again: who takes the next turn removes them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AbandonedPartsIT {
    private static final int TRIES = 5;
    private static final int PARTS = 60;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;

    @BeforeEach
    void leave() {
        provider = fixture.provider();
        beginInstance(provider, "order-1");
        provider.enqueueForOrchestrator(raised("order-1", "go"), null);
        for (int i = 0; i < TRIES; i++) {
            leaveTry(UUID.randomUUID().toString());
        }
    }

    @Test
    void they_go_by_a_few_batches() {
        CosmosProvider next = fixture.provider();
        account.requireEmulator().requests().clear();

        LockedTurn turn = takeTurn(next);

        assertThat(staged()).isEmpty();
        assertThat(fixture.dataRequests().stream().filter(StoreFixture::isBatch))
                .as("the lock, and of each try its parts and itself")
                .hasSize(1 + TRIES * (PARTS / 20 + 1));
        next.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
    }

    @Test
    void parts_of_which_some_are_gone_go_too() {
        staged().stream()
                .filter(document -> document.path("number").asInt() % 10 == 1)
                .forEach(document ->
                        fixture.store().container().deleteItem(document, null).block());

        takeTurn(fixture.provider());

        assertThat(staged()).isEmpty();
    }

    @Test
    void with_a_slow_store_the_turn_comes_first_and_the_rest_goes_with_a_later_one() {
        account.requireEmulator().faults().delay(StoreFixture::isBatch, 0, Duration.ofMillis(200));
        CosmosProvider slow = fixture.provider();

        LockedTurn turn = slow.fetchOrchestrationItem(Duration.ofSeconds(8), Duration.ofSeconds(20), null)
                .orElseThrow(() -> new AssertionError("the lock ran out meanwhile"));

        assertThat(turn.attemptCount()).isEqualTo(1);
        assertThat(staged()).as("4 s were needed, and 2 s were given").isNotEmpty();
        account.requireEmulator().faults().clear();
        slow.abandonOrchestrationItem(turn.lockToken(), null, true);
        takeTurn(fixture.provider());
        assertThat(staged()).isEmpty();
    }

    private List<ObjectNode> staged() {
        return fixture.documents(fixture.store(), "order-1", "staged");
    }

    private void leaveTry(String id) {
        StagedTry head = new StagedTry("order-1", id, UUID.randomUUID().toString(), PARTS);
        List<ObjectNode> documents = Stream.concat(
                        Stream.of(head.toJson()),
                        IntStream.rangeClosed(1, PARTS)
                                .mapToObj(number -> new StagedPart(
                                                "order-1", id, number, JsonNodeFactory.instance.arrayNode())
                                        .toJson()))
                .toList();
        CosmosBatch batch = CosmosBatch.createCosmosBatch(new PartitionKey("order-1"));
        documents.forEach(batch::createItemOperation);
        assertThat(fixture.store().container().executeCosmosBatch(batch).block().isSuccessStatusCode())
                .isTrue();
    }
}
