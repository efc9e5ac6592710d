package io.sluice.durabletask.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers that take different orchestrations, at different hosts of one task hub. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FilteredWorkersIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    private static RunningHost host() {
        CosmosStoreConfig store =
                new CosmosStoreConfig(cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container());
        CosmosStore.provision(store);
        return new RunningHost(CosmosProvider.builder().config(store).build());
    }

    @Test
    void a_host_fetches_no_turn_that_its_workers_do_not_take() {
        try (RunningHost billing = host();
                RunningHost shipping = host()) {
            ReplayingWorker bills =
                    billing.worker().runs("Bill", execution -> List.of(Execution.completed("\"billed\"")));
            ReplayingWorker ships =
                    shipping.worker().runs("Ship", execution -> List.of(Execution.completed("\"shipped\"")));
            bills.connect();
            ships.connect();

            List<String> instances = IntStream.range(0, 20)
                    .mapToObj(number -> (number % 2 == 0 ? "bill-" : "ship-") + number)
                    .toList();
            instances.forEach(instance -> billing.start(instance, instance.startsWith("bill") ? "Bill" : "Ship", "1"));
            instances.forEach(billing::awaitEnd);

            assertThat(bills.turns()).hasSize(10).allMatch(instance -> instance.startsWith("bill"));
            assertThat(ships.turns()).hasSize(10).allMatch(instance -> instance.startsWith("ship"));
            assertThat(billing.returnedForWantOfAWorker()).isZero();
            assertThat(shipping.returnedForWantOfAWorker()).isZero();
        }
    }
}
