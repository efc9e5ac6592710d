package io.sluice.examples.durabletask.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.replay.ReplayingWorker;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Workers that take different orchestrations, at different hosts of one task hub, which are told of work; that hosts
 * which search for it fetch none in vain is seen by {@code FiltersIT}.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FilteredWorkersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int INSTANCES = Tier.times(6, 20);

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static CosmosStoreConfig store() {
        CosmosStoreConfig store =
                new CosmosStoreConfig(cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container());
        CosmosStore.provision(store);
        return store;
    }

    @Test
    void hosts_are_told_of_what_their_workers_take() {
        try (RelayedHub hub = RelayedHub.announced(store(), kafka)) {
            RunningHost billing = hub.announcedHost();
            RunningHost shipping = hub.announcedHost();
            ReplayingWorker bills = bills(billing);
            ReplayingWorker ships = ships(shipping);
            await().atMost(PATIENCE).until(() -> billing.isAnnounced(2) && shipping.isAnnounced(2));

            assertEachTakesItsOwn(billing, bills, shipping, ships, 0);
            assertEachTakesItsOwn(shipping, ships, billing, bills, 1);
        }
    }

    private static ReplayingWorker bills(RunningHost host) {
        return host.worker()
                .runs("Bill", execution -> OrderFlow.oneActivity(execution, "print"))
                .performs("print")
                .connect();
    }

    private static ReplayingWorker ships(RunningHost host) {
        return host.worker()
                .runs("Ship", execution -> OrderFlow.oneActivity(execution, "load"))
                .performs("load")
                .connect();
    }

    /** Starts instances of both at one host, and awaits them there. */
    private static void assertEachTakesItsOwn(
            RunningHost one, ReplayingWorker ofOne, RunningHost other, ReplayingWorker ofOther, int round) {
        List<String> instances = IntStream.range(0, INSTANCES)
                .mapToObj(number -> (number % 2 == 0 ? "Bill-" : "Ship-") + round + "-" + number)
                .toList();
        instances.forEach(instance -> one.start(instance, instance.substring(0, "Bill".length()), "1"));
        instances.forEach(one::awaitEnd);

        for (ReplayingWorker worker : List.of(ofOne, ofOther)) {
            String first = worker.turns().get(0).substring(0, "Bill".length());
            assertThat(worker.turns()).allMatch(instance -> instance.startsWith(first));
        }
        assertThat(one.returnedForWantOfAWorker()).isZero();
        assertThat(other.returnedForWantOfAWorker()).isZero();
    }
}
