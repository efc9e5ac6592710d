package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.WrittenDocuments.message;
import static io.sluice.provider.cosmos.WrittenDocuments.pinned;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.SemverRange;
import io.sluice.provider.history.SemanticVersion;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * A partition is split while the provider still knows its old key range: the parts answer one behind the other, each
 * with as many rows as the whole was asked for, and nothing that the first keeps back is lost sight of.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SplitPartitionsIT {
    private static final int INSTANCES = 60;
    private static final SemanticVersion OTHERS = SemanticVersion.of(2, 0, 0);
    private static final DispatcherCapabilityFilter FIRST_ONLY = new DispatcherCapabilityFilter(
            List.of(new SemverRange(SemanticVersion.of(0, 0, 0), SemanticVersion.of(1, 0, 0))));

    private final SteppedClock time = new SteppedClock(InstantSource.system());
    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosProvider provider;
    private CosmosAsyncContainer container;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(
                EmulatorConfig.inMemory().withPhysicalPartitions(1).withClock(time));
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "split", "split");
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        container = store.container();
        provider = CosmosProvider.builder().reconciler(false).config(config).build();
        // From now on the key range is known.
        assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY)).isEmpty();
        var partitions = emulator.partitions();
        partitions.split(
                "split", "split", partitions.of("split", "split").get(0).id());
    }

    @AfterEach
    void close() {
        provider.close();
        store.close();
        emulator.close();
    }

    @Test
    void an_instance_that_suits_is_found_behind_others_of_the_first_part() {
        long now = System.currentTimeMillis();
        for (int i = 0; i < INSTANCES; i++) {
            write(pinned("order-" + i, OTHERS, now));
        }
        List<List<String>> parts = instancesByPart();
        String suits = parts.get(0).get(parts.get(0).size() - 1);
        write(pinned(suits, OTHERS, now).putNull("pinnedDuroxideVersionPacked"));
        enqueue(parts.get(0), now - 1_000_000);
        enqueue(parts.get(1), now - 500_000);
        time.step(Duration.ofMinutes(1));
        // The answer tells the provider the time.
        assertThat(provider.read("nobody")).isEmpty();

        var found = provider.fetchOrchestrationItem(LOCK, NO_WAIT, FIRST_ONLY);

        assertThat(found)
                .hasValueSatisfying(turn -> assertThat(turn.item().instance()).isEqualTo(suits));
    }

    /** Which instance lies where, the parts in the order in which they answer. */
    private List<List<String>> instancesByPart() {
        List<List<String>> parts = Objects.requireNonNull(
                        container.getFeedRanges().block())
                .stream()
                .map(range -> container
                        .queryItems(
                                "SELECT VALUE c.instanceId FROM c",
                                new CosmosQueryRequestOptions().setFeedRange(range),
                                String.class)
                        .toStream()
                        .toList())
                .toList();
        assertThat(parts).hasSize(2).allSatisfy(part -> assertThat(part).hasSizeGreaterThan(17));
        return parts;
    }

    private void enqueue(List<String> instances, long from) {
        for (int i = 0; i < instances.size(); i++) {
            write(message(raised(instances.get(i), "x"), from + i));
        }
    }

    private void write(ObjectNode document) {
        container.upsertItem(document).block();
    }
}
