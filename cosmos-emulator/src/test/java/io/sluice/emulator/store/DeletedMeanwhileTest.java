package io.sluice.emulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request that has found a database or container waits for other changes, and these may delete what it found. */
class DeletedMeanwhileTest {
    @TempDir
    Path folder;

    @Test
    void a_deleted_container_is_neither_replaced_nor_split_nor_merged() {
        change(account -> {
            var database = account.createDatabase(named("db"), null);
            var container = account.createContainer(database, things(), null);
            var first = container.partitions().get(0).id();
            var second = container.partitions().get(1).id();
            account.deleteContainer(database, container, Precondition.NONE);

            assertGone(() -> account.replaceContainer(database, container, things(), Precondition.NONE));
            assertGone(() -> account.repartitioning().split(database, container, first, null));
            assertGone(() -> account.repartitioning().merge(database, container, first, second));
        });

        change(account -> assertThat(account.database("db").containers()).isEmpty());
    }

    @Test
    void a_second_deletion_leaves_what_has_the_name_now() {
        change(account -> {
            var database = account.createDatabase(named("db"), null);
            var container = account.createContainer(database, things(), null);
            account.deleteContainer(database, container, Precondition.NONE);
            account.createContainer(database, things(), null);
            assertGone(() -> account.deleteContainer(database, container, Precondition.NONE));
            assertThat(database.containers()).hasSize(1);

            account.deleteDatabase(database, Precondition.NONE);
            account.createDatabase(named("db"), null);
            assertGone(() -> account.deleteDatabase(database, Precondition.NONE));
            assertThat(account.databases()).hasSize(1);
        });
    }

    @Test
    void a_deleted_database_gets_no_container_so_that_its_folder_can_be_opened() {
        change(account -> {
            var database = account.createDatabase(named("db"), null);
            account.deleteDatabase(database, Precondition.NONE);
            assertGone(() -> account.createContainer(database, things(), null));
        });

        change(account -> assertThat(account.databases()).isEmpty());
    }

    private void change(Consumer<Account> change) {
        try (var account =
                Account.open(folder, 2, new VersionRetention(false), () -> Instant.EPOCH.plusSeconds(1_000_000))) {
            change.accept(account);
        }
    }

    private static void assertGone(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(404));
    }

    private static ObjectNode named(String id) {
        return Json.object().put("id", id);
    }

    private static ObjectNode things() {
        var body = named("things");
        body.putObject("partitionKey").put("version", 2).putArray("paths").add("/pk");
        return body;
    }
}
