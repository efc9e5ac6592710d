package io.sluice.emulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffersTest {
    private static final String RID = "resource";

    @TempDir
    Path folder;

    private final AtomicLong seconds = new AtomicLong(1_000);

    @Test
    void a_replacement_has_a_version_and_a_time_of_its_own() {
        try (var account = account()) {
            account.offers().put(RID, "dbs/db/", content(400));
            var first = offer(account);

            seconds.set(2_000);
            var second = account.replaceOffer(first.path("id").asText(), content(500), Precondition.NONE);

            assertThat(first.path("_ts").longValue()).isEqualTo(1_000);
            assertThat(second.path("_ts").longValue()).isEqualTo(2_000);
            assertThat(second.path("_etag").asText())
                    .isNotEmpty()
                    .isNotEqualTo(first.path("_etag").asText());
            assertThat(second.path("id")).isEqualTo(first.path("id"));
            assertThat(offer(account)).hasToString(second.toString());
            assertThat(account.offers().limitOf(RID)).isEqualTo(500);
        }
    }

    @Test
    void a_replacement_of_an_earlier_version_changes_neither_the_offer_nor_the_partitions() {
        try (var account = account()) {
            var container = container(account);
            account.offers().put(container.rid(), container.selfLink(), content(400));
            var first = offer(account);
            var ifFirst = new Precondition(first.path("_etag").asText(), null);
            var id = first.path("id").asText();
            account.replaceOffer(id, content(500), ifFirst);

            assertThatThrownBy(() -> account.replaceOffer(id, content(40_000), ifFirst))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            refusal -> assertThat(refusal.status()).isEqualTo(412));

            assertThat(account.offers().limitOf(container.rid())).isEqualTo(500);
            assertThat(container.partitions()).hasSize(1);
        }
    }

    @Test
    void of_many_replacements_of_one_version_one_succeeds() {
        try (var account = account()) {
            account.offers().put(RID, "dbs/db/", content(400));
            var first = offer(account);
            var ifFirst = new Precondition(first.path("_etag").asText(), null);

            long replaced = IntStream.range(0, 8)
                    .parallel()
                    .filter(n -> succeeds(
                            () -> account.replaceOffer(first.path("id").asText(), content(500 + 100 * n), ifFirst)))
                    .count();

            assertThat(replaced).isEqualTo(1);
        }
    }

    @Test
    void the_largest_amount_makes_as_many_partitions_as_a_container_can_have() {
        try (var account = account()) {
            var database = account.createDatabase(Json.object().put("id", "db"), null);

            var container = account.createContainer(database, things(), content(Integer.MAX_VALUE));

            assertThat(container.partitions()).hasSize(Repartitioning.MAX_PARTITIONS);
        }
    }

    @Test
    void a_container_that_is_deleted_as_soon_as_it_is_found_leaves_no_offer() {
        try (var account = account()) {
            var database = account.createDatabase(Json.object().put("id", "db"), null);
            for (int i = 0; i < 30; i++) {
                var deleted = CompletableFuture.runAsync(() -> deleteNext(account, database));
                account.createContainer(database, things(), content(400));
                deleted.join();

                assertThat(account.offers().all()).isEmpty();
            }
        }
    }

    /** Three times: the file grows with each commit, and is soon slow to copy. */
    @RepeatedTest(3)
    void the_file_never_has_a_resource_without_its_offer() {
        var storage = Storage.inFolder(folder, null);
        try (var account = new Account(storage, 1, new VersionRetention(false), () -> Instant.EPOCH)) {
            var isDone = new AtomicBoolean();
            var creations = CompletableFuture.runAsync(() -> createAndDelete(account, isDone));
            for (int i = 0; i < 10; i++) {
                var copy = folder.resolve("copy" + i);
                storage.exclusively(() -> copyFile(copy));
                checkOffers(copy);
            }
            isDone.set(true);
            creations.join();
        }
    }

    private static void createAndDelete(Account account, AtomicBoolean isDone) {
        while (!isDone.get()) {
            var database = account.createDatabase(Json.object().put("id", "db"), content(400));
            var container = account.createContainer(database, things(), content(400));
            account.deleteContainer(database, container, Precondition.NONE);
            account.deleteDatabase(database, Precondition.NONE);
        }
    }

    /** While nothing changes: what a process has that is killed now. */
    private void copyFile(Path copy) {
        try {
            Files.createDirectory(copy);
            Files.copy(folder.resolve("cosmos.mv.db"), copy.resolve("cosmos.mv.db"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkOffers(Path copy) {
        try (var storage = Storage.inFolder(copy, null)) {
            int resources = storage.texts("account.databases").size()
                    + storage.texts("account.containers").size();
            assertThat(storage.texts("account.offers")).hasSize(resources);
        }
    }

    private static void deleteNext(Account account, Database database) {
        var found = database.container("things");
        while (found.isEmpty()) {
            Thread.onSpinWait();
            found = database.container("things");
        }
        account.deleteContainer(database, found.get(), Precondition.NONE);
    }

    private static boolean succeeds(Runnable replacement) {
        try {
            replacement.run();
            return true;
        } catch (StatusException refused) {
            return false;
        }
    }

    @Test
    void an_offer_of_an_older_folder_has_a_time_too() {
        try (var account = account()) {
            account.offers().put(RID, "dbs/db/", content(400));
        }
        forgetTime();

        seconds.set(3_000);
        try (var account = account()) {
            assertThat(offer(account).path("_ts").longValue()).isEqualTo(3_000);
            assertThat(account.offers().limitOf(RID)).isEqualTo(400);
        }
    }

    private void forgetTime() {
        try (var storage = Storage.inFolder(folder, null)) {
            var offers = storage.texts("account.offers");
            offers.replaceAll((rid, text) -> {
                var stored = Json.readObject(text.getBytes(StandardCharsets.UTF_8));
                stored.remove("_ts");
                return stored.toString();
            });
            storage.commit();
        }
    }

    private Account account() {
        return Account.open(folder, 1, new VersionRetention(false), () -> Instant.ofEpochSecond(seconds.get()));
    }

    private static ObjectNode offer(Account account) {
        return account.offers().all().get(0);
    }

    private static Container container(Account account) {
        return account.createContainer(account.createDatabase(Json.object().put("id", "db"), null), things(), null);
    }

    private static ObjectNode things() {
        var body = Json.object().put("id", "things");
        body.putObject("partitionKey").put("version", 2).putArray("paths").add("/pk");
        return body;
    }

    private static ObjectNode content(int throughput) {
        return Json.object().put("offerThroughput", throughput);
    }
}
