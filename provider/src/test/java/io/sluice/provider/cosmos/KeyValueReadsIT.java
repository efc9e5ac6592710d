package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.RequestKind;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.testkit.CosmosAccount;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Large key values are read by who asks for them, and by nobody else. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeyValueReadsIT {
    private static final int KEYS = 10;
    private static final String VALUE = "v".repeat(20_000);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;

    /** An instance that this process acked, with key values. */
    @BeforeEach
    void open() {
        account.requireEmulator();
        provider = fixture.provider();
        provider.enqueueForOrchestrator(start("order-1"), null);
        var events = LongStream.rangeClosed(1, KEYS)
                .mapToObj(id -> event("order-1", id, new EventKind.KeyValueSet("key-" + id, VALUE, 1)))
                .toList();
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)).withHistory(events));
        fixture.emulator().requests().clear();
    }

    @Test
    void one_key_is_read_without_the_others() {
        assertThat(provider.getKvValue("order-1", "key-1")).contains(VALUE);
        assertThat(provider.getKvValue("order-1", "nope")).isEmpty();

        assertThat(fixture.dataRequests()).hasSize(2).allSatisfy(request -> {
            assertThat(request.itemCount()).isLessThanOrEqualTo(2);
            assertThat(request.requestCharge()).isLessThan(15);
        });
    }

    @Test
    void the_values_of_a_known_instance_are_not_read_again_however_many_messages_are_ready() {
        assertThat(fetchTurn(provider)).as("nothing is left to look at").isNull();
        CosmosProvider other = fixture.provider();
        other.enqueueForOrchestrator(raised("order-1", "x"), null);
        for (int i = 0; i < 40; i++) {
            other.enqueueForOrchestrator(start("other-" + i), null);
        }
        fixture.emulator().requests().clear();

        LockedTurn turn = takeTurn(provider);

        assertThat(turn.item().instance()).isEqualTo("order-1");
        assertThat(fixture.dataRequests())
                .filteredOn(request -> request.operation() == RequestKind.QUERY)
                .allSatisfy(request -> assertThat(request.bytesOut()).isLessThan(VALUE.length()));
        provider.ackOrchestrationItem(
                TurnAck.of(turn.lockToken(), 1).withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "ok")));
        assertThat(provider.getKvAllValues("order-1")).hasSize(KEYS);
    }
}
