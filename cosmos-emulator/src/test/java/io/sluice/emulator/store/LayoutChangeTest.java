package io.sluice.emulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.document.Json;
import io.sluice.emulator.store.key.EffectivePartitionKey;
import io.sluice.emulator.store.key.PartitionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LayoutChangeTest {
    private static final PartitionKey KEY = PartitionKey.parse("[\"a\"]");
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ExecutorService writers = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        writers.shutdownNow();
    }

    /** The journal of a partition that the file lacks is not replayed: a kill would lose what was acknowledged. */
    @Test
    void nobody_writes_to_a_new_partition_before_it_is_stored() throws Exception {
        try (var account =
                Account.open(null, 1, new VersionRetention(false), () -> Instant.EPOCH.plusSeconds(1_000_000))) {
            var database = account.createDatabase(Json.object().put("id", "db"), null);
            var body = Json.object().put("id", "things");
            body.putObject("partitionKey").putArray("paths").add("/pk");
            var container = account.createContainer(database, body, null);
            var parent = container.partitionOf(KEY);
            var middle = EffectivePartitionKey.middle(container.properties().partitionKey(), parent.range());
            var changed = container.layout().split(parent.index(), middle);
            var writing = new ArrayList<Future<?>>();

            container.changeLayout(changed, () -> {
                var child = container.partitionOf(KEY);
                assertThat(child.index()).isNotEqualTo(parent.index());
                writing.add(writers.submit(() -> write(child)));
                assertThat(writing.get(0)).failsWithin(Duration.ofMillis(200));
            });

            assertThat(writing.get(0)).succeedsWithin(LONG);
            assertThat(container.partitionOf(KEY).find(KEY, "1")).isPresent();
        }
    }

    private static void write(Partition partition) {
        partition.write(transaction ->
                transaction.create(KEY, Json.object().put("id", "1").put("pk", "a")));
    }
}
