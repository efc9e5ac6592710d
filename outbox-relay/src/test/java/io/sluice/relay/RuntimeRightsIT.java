package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.SecuredKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A runtime needs of Kafka what the table of {@code docs/dispatch.md} says, and no more. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RuntimeRightsIT {
    private static final Path PAGE = Path.of("..", "docs", "dispatch.md");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PREFIX = "rights";
    private static final String RUNTIME = "runtime";
    private static final String PASSWORD = "pass-of-the-runtime-55ce";

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @TempDir
    static Path certificates;

    @RegisterExtension
    final Opened opened = new Opened();

    @Test
    void announced_work_is_taken_with_the_rights_of_the_table() throws Exception {
        var kafka = opened.add(SecuredKafka.start(certificates));
        var store = opened.add(TestStore.provisioned(cosmos));
        kafka.addUser(RUNTIME, PASSWORD);
        var rights = DocumentedRight.all(PAGE);
        assertThat(rights).hasSize(2);
        rights.forEach(right ->
                right.resources(PREFIX).forEach(resource -> kafka.allow(RUNTIME, resource, right.operations())));
        var relay = opened.add(OutboxRelay.builder()
                .config(RelayConfig.load(relay(store, kafka), null))
                .build());
        relay.start();
        var client = opened.add(CosmosProvider.builder()
                .config(store.config())
                .relayExpected(Duration.ofSeconds(30))
                .build());
        var runtime = opened.add(new SmallRuntime(store, PREFIX, kafka.login(RUNTIME, PASSWORD)));
        await().atMost(PATIENCE).until(runtime::isAnnounced);

        client.enqueueForOrchestrator(
                new WorkItem.StartOrchestration("order-1", "Order", "{}", "1.0.0", null, null, null, 1), null);

        await().atMost(PATIENCE).until(() -> runtime.done().contains("order-1"));
        await("what was handled is committed").atMost(PATIENCE).until(() -> committed(kafka) > 0);
    }

    private static long committed(SecuredKafka kafka) throws Exception {
        return kafka
                .admin()
                .listConsumerGroupOffsets(PREFIX + "-work-turns")
                .partitionsToOffsetAndMetadata()
                .get()
                .values()
                .stream()
                .mapToLong(offset -> offset.offset())
                .sum();
    }

    private static Map<String, String> relay(TestStore store, SecuredKafka kafka) {
        return RelayEnvironment.of(
                store.config(),
                kafka.bootstrapServersForAnybody(),
                PREFIX,
                Map.of("SLUICE_TOPIC_PARTITIONS", "2", "SLUICE_DISPATCH_ENABLED", "true"));
    }
}
