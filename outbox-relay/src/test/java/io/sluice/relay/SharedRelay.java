package io.sluice.relay;

import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A relay and its store for all tests of a class that need none of their own. Each test writes of other instances.
 *
 * @param prefix of its topics
 */
record SharedRelay(TestStore store, String prefix, OutboxRelay relay) implements AutoCloseable {
    /**
     * Starts it.
     *
     * @param config changes what a test's relay usually has
     * @param before what the store holds when the relay starts
     */
    static SharedRelay start(
            CosmosAccount cosmos, KafkaCluster kafka, UnaryOperator<RelayConfig> config, Consumer<TestStore> before) {
        TestStore store = TestStore.provisioned(cosmos);
        before.accept(store);
        OutboxRelay relay = OutboxRelay.builder()
                .config(config.apply(TestConfig.of(store, kafka)))
                .build();
        SharedRelay shared = new SharedRelay(store, kafka.prefix(), relay);
        relay.start();
        return shared;
    }

    @Override
    public void close() {
        try {
            relay.close();
        } finally {
            store.close();
        }
    }
}
