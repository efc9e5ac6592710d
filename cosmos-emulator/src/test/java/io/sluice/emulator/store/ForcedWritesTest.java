package io.sluice.emulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.store.disk.Disk;
import io.sluice.emulator.store.disk.Journal;
import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.key.PartitionKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForcedWritesTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int WRITERS = 8;
    private static final PartitionKey KEY = PartitionKey.parse("[\"a\"]");

    private final ExecutorService writers = Executors.newCachedThreadPool();
    private final ObservedDisk disk = new ObservedDisk();

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        writers.shutdownNow();
    }

    @Test
    void a_write_is_forced_before_it_returns() {
        try (var account = account()) {
            var partition = partition(account);
            for (int i = 0; i < 20; i++) {
                int before = disk.forces.get();
                write(partition, "item-" + i);
                assertThat(disk.forces.get()).isGreaterThan(before);
            }
        }
    }

    @Test
    void nobody_is_told_what_the_disk_refused_until_the_folder_is_opened_anew() {
        var account = account();
        var partition = partition(account);
        write(partition, "kept");
        disk.broken = true;

        assertThatThrownBy(() -> write(partition, "refused")).isInstanceOf(UncheckedIOException.class);
        disk.broken = false;
        assertThatThrownBy(() -> partition.find(KEY, "refused")).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(partition::view).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(account::close).isInstanceOf(UncheckedIOException.class);

        try (var again = account()) {
            var reopened = again.container("db", "things").partitions().get(0);
            assertThat(reopened.find(KEY, "kept")).isPresent();
        }
    }

    @Test
    void nobody_finds_a_container_before_it_is_stored() throws Exception {
        try (var account = account()) {
            var database = account.createDatabase(Json.object().put("id", "db"), null);
            int before = disk.forces.get();
            Future<?> creating;
            disk.gate.lock();
            try {
                creating = writers.submit(() -> account.createContainer(database, things(), null));
                await().atMost(LONG).until(() -> disk.forces.get() > before);
                assertThat(database.containers()).isEmpty();
            } finally {
                disk.gate.unlock();
            }
            creating.get();
            assertThat(database.containers()).hasSize(1);
        }
    }

    @Test
    void those_who_wait_at_one_time_share_a_force() throws Exception {
        try (var journal = Journal.open(folder, disk)) {
            List<Future<?>> waiting = new ArrayList<>();
            disk.gate.lock();
            try {
                waiting.add(writers.submit(() -> journal.awaitForced(journal.append(entry(1)))));
                await().atMost(LONG).until(() -> disk.forces.get() == 1);
                var appended = new AtomicInteger();
                for (int i = 0; i < WRITERS; i++) {
                    int lsn = i + 2;
                    waiting.add(writers.submit(() -> {
                        long place = journal.append(entry(lsn));
                        appended.incrementAndGet();
                        journal.awaitForced(place);
                    }));
                }
                await().atMost(LONG).until(() -> appended.get() == WRITERS);
                assertThat(waiting).noneMatch(Future::isDone);
            } finally {
                disk.gate.unlock();
            }
            for (var writer : waiting) {
                writer.get();
            }
            assertThat(disk.forces).hasValue(2);
        }
    }

    @Test
    void without_it_nothing_is_forced() {
        try (var journal = Journal.open(folder, null)) {
            journal.awaitForced(journal.append(entry(1)));
            journal.rotate();
        }
        assertThat(disk.forces).hasValue(0);
    }

    private Account account() {
        return Account.open(folder, disk, 1, new VersionRetention(false), () -> Instant.EPOCH.plusSeconds(1_000_000));
    }

    private static Partition partition(Account account) {
        var database = account.createDatabase(Json.object().put("id", "db"), null);
        return account.createContainer(database, things(), null).partitions().get(0);
    }

    private static ObjectNode things() {
        var body = Json.object().put("id", "things");
        body.putObject("partitionKey").put("kind", "Hash").putArray("paths").add("/pk");
        return body;
    }

    private static void write(Partition partition, String id) {
        partition.write(transaction ->
                transaction.create(KEY, Json.object().put("id", id).put("pk", "a")));
    }

    private static JournalEntry entry(long lsn) {
        return new JournalEntry("partition", lsn, lsn, List.of(), List.of());
    }

    /** Counts, can be kept from working, and can refuse. */
    private static final class ObservedDisk implements Disk {
        final ReentrantLock gate = new ReentrantLock();
        final AtomicInteger forces = new AtomicInteger();
        volatile boolean broken;

        @Override
        public void force(FileChannel file) throws IOException {
            forces.incrementAndGet();
            gate.lock();
            try {
                if (broken) {
                    throw new IOException("the disk is broken");
                }
            } finally {
                gate.unlock();
            }
        }

        @Override
        public void forceNames(Path folder) {}
    }
}
