package io.sluice.emulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.document.Json;
import io.sluice.emulator.store.key.EffectivePartitionKey;
import io.sluice.emulator.store.key.PartitionKey;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutChangeTest {
    private static final PartitionKey KEY = PartitionKey.parse("[\"a\"]");
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ExecutorService writers = Executors.newCachedThreadPool();
    private final AtomicBoolean isDone = new AtomicBoolean();

    @AfterEach
    void stop() {
        isDone.set(true);
        writers.shutdownNow();
    }

    /** The journal of a partition that the file lacks is not replayed: a kill would lose what was acknowledged. */
    @Test
    void nobody_writes_to_a_new_partition_before_it_is_stored() throws Exception {
        try (var account = account(null)) {
            var container = container(account);
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

    @Test
    void splits_go_on_while_what_has_split_is_swept_and_the_file_is_written(@TempDir Path folder) {
        var account = account(folder);
        var container = container(account);
        var sweeps = writers.submit(() -> repeat(container::sweep));
        // Each writes the file.
        var databases = new AtomicInteger();
        var commits = writers.submit(() -> repeat(() ->
                account.createDatabase(Json.object().put("id", "db" + databases.incrementAndGet()), null)));

        var changes = writers.submit(() -> splitAndMerge(container, 100));

        assertThat(changes).succeedsWithin(LONG);
        isDone.set(true);
        assertThat(sweeps).succeedsWithin(LONG);
        assertThat(commits).succeedsWithin(LONG);
        // Only now: it waits for what runs, and would wait for ever where that does.
        account.close();
    }

    private void repeat(Runnable work) {
        while (!isDone.get()) {
            work.run();
        }
    }

    private static void splitAndMerge(Container container, int times) {
        for (int i = 0; i < times; i++) {
            var whole = container.partitions().get(0);
            var middle = EffectivePartitionKey.middle(container.properties().partitionKey(), whole.range());
            container.changeLayout(container.layout().split(whole.index(), middle), () -> {});
            var parts = container.partitions();
            container.changeLayout(
                    container.layout().merge(parts.get(0).index(), parts.get(1).index()), () -> {});
        }
    }

    /** Each stored layout names all partitions there ever were: those that are gone need few bytes. */
    @Test
    void a_layout_grows_by_as_much_with_each_change() {
        try (var account = account(null)) {
            var container = container(account);
            splitAndMerge(container, 50);
            int after50 = container.layout().toJson().toString().length();
            splitAndMerge(container, 50);
            int after100 = container.layout().toJson().toString().length();

            assertThat(after100).isLessThan(2 * after50 + 1_000);
        }
    }

    @Test
    void a_layout_is_stored_with_the_versions_of_its_session_tokens() {
        try (var account = account(null)) {
            var container = container(account);
            splitAndMerge(container, 2);

            var stored = PartitionLayout.parse(container.layout().toJson());

            assertThat(stored).isEqualTo(container.layout());
            assertThat(stored.live().get(0).sessionVersion()).isEqualTo(2);
        }
    }

    private static Account account(@Nullable Path folder) {
        return Account.open(folder, 1, new VersionRetention(false), () -> Instant.EPOCH.plusSeconds(1_000_000));
    }

    private static Container container(Account account) {
        var body = Json.object().put("id", "things");
        body.putObject("partitionKey").putArray("paths").add("/pk");
        return account.createContainer(account.createDatabase(Json.object().put("id", "db"), null), body, null);
    }

    private static void write(Partition partition) {
        partition.write(transaction ->
                transaction.create(KEY, Json.object().put("id", "1").put("pk", "a")));
    }
}
