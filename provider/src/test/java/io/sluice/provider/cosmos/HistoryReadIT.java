package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the history of an instance is read that the process does not remember. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryReadIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider writer;
    private CosmosProvider reader;

    @BeforeEach
    void open() {
        account.requireEmulator();
        writer = fixture.provider();
        reader = fixture.provider();
    }

    @Test
    void who_is_too_late_for_the_lock_has_read_none() {
        prepare();
        CosmosProvider faster = fixture.provider();
        fixture.emulator().requests().clear();

        try (NthRequest race = NthRequest.doing(fixture.emulator(), StoreFixture::isBatch, 1, () -> takeTurn(faster))) {
            assertThat(fetchTurn(reader)).isNull();
            assertThat(race.happened()).isTrue();
        }

        assertThat(histories()).as("that of the faster one").hasSize(1);
    }

    @Test
    void a_process_that_won_its_last_ten_locks_reads_it_while_it_locks() {
        for (int i = 0; i < 10; i++) {
            reader.enqueueForOrchestrator(start("order-" + i), null);
            takeTurn(reader);
        }
        prepare();
        fixture.emulator().requests().clear();

        try (NthRequest lock = NthRequest.doing(
                fixture.emulator(),
                StoreFixture::isBatch,
                1,
                () -> await().until(() -> histories().size() == 1))) {
            takeTurn(reader);
            assertThat(lock.happened()).isTrue();
        }
    }

    /** An instance with a history and a message, which {@link #reader} knows nothing of. */
    private void prepare() {
        writer.enqueueForOrchestrator(start("order"), null);
        writer.ackOrchestrationItem(firstAck(takeTurn(writer)));
        writer.enqueueForOrchestrator(raised("order", "x"), null);
    }

    private List<LoggedRequest> histories() {
        return fixture.emulator()
                .requests()
                .matching(request -> request.operation() == RequestKind.QUERY
                        && request.body().contains("c.executionId = @execution"))
                .toList();
    }
}
