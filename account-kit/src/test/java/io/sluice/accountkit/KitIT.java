package io.sluice.accountkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.models.CosmosDatabaseProperties;
import io.sluice.accountkit.site.Site;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.JavaClients;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.PartitionRange;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.process.JavaProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole kit against the emulator, which stands for an account, over a real socket. */
class KitIT {
    /** Where the emulator knowingly does something else than is assumed of the service; the kit's page has them. */
    private static final Set<String> DIFFERS_HERE = Set.of("an id with ?");

    /**
     * What the emulator charges for a part of a partition is its own matter; latencies, and how often what a query
     * found is tried again, are the machine's.
     */
    private static final Set<String> EITHER_HERE = Set.of(
            "read of the change feed of half of the keys",
            "read of the change feed of one key",
            "latency of a point read",
            "latency of a query of a partition",
            "fan-out of 20",
            "drain of 250 messages of one instance");

    private static final String LATENCY_OF_BATCH = "latency of a batch of 4 operations";

    private static CosmosEmulator emulator;
    private static CosmosClient other;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(1));
        other = JavaClients.builder(emulator).buildClient();
    }

    @AfterAll
    static void stop() {
        other.close();
        emulator.close();
    }

    @AfterEach
    void everyDatabaseOfOursIsGone() {
        emulator.faults().clear();
        assertThat(databases()).noneMatch(name -> name.startsWith(Site.PREFIX));
    }

    private static List<String> databases() {
        return other.readAllDatabases().stream()
                .map(CosmosDatabaseProperties::getId)
                .toList();
    }

    @Test
    void each_assumption_holds_that_the_emulator_shares() throws IOException {
        emulator.faults()
                .runAfter(
                        request -> request.operation() == RequestKind.ITEM_UPSERT
                                && "merge-unread-19".equals(request.itemId()),
                        1,
                        KitIT::merge);

        var run = KitRun.begun(emulator, folder, "--split", "--merge-minutes", "5");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.outcomes()).hasSizeGreaterThan(35).allSatisfy((row, outcome) -> {
            if (!EITHER_HERE.contains(row) && !row.equals(LATENCY_OF_BATCH)) {
                assertThat(outcome).as(row).isEqualTo(DIFFERS_HERE.contains(row) ? "DIFFERS" : "HOLDS");
            }
        });
        assertThat(List.of(run.out(), run.markdown(), run.json()))
                .as("may be sent to anybody")
                .allSatisfy(table -> assertThat(table)
                        .contains("empty read of the change feed", "HOLDS")
                        .doesNotContain(emulator.key(), emulator.endpoint(), "127.0.0.1", Site.PREFIX));
        assertThat(run.err()).startsWith("Creates the database " + Site.PREFIX).contains("Costs at most ");
    }

    private static void merge(LoggedRequest request) {
        var database = request.path().split("/", -1)[2];
        var ranges = emulator.partitions().of(database, "split").stream()
                .map(PartitionRange::id)
                .toList();
        emulator.partitions().merge(database, "split", ranges.get(0), ranges.get(1));
    }

    @Test
    void an_account_that_does_something_else_makes_exactly_those_rows_differ() throws IOException {
        var planted = new PlantedDifferences(emulator, other).plant();

        var run = KitRun.begun(emulator, folder, "--split");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.outcomes()).allSatisfy((row, outcome) -> {
            if (planted.contains(row) || !EITHER_HERE.contains(row) && !row.endsWith("over a merge")) {
                assertThat(outcome)
                        .as("%s%n%s", row, run.out())
                        .isEqualTo(planted.contains(row) || DIFFERS_HERE.contains(row) ? "DIFFERS" : "HOLDS");
            }
        });
        assertThat(run.outcomes().keySet()).containsAll(planted);
        assertThat(run.outcomes())
                .containsEntry("log sequence numbers, session and change feed over a merge", "NOT TRIED");
    }

    @Test
    void a_failure_in_the_middle_removes_what_was_created() {
        emulator.faults().refuse(request -> request.operation() == RequestKind.CONTAINER_CREATE, 2, 403, 0);
        emulator.requests().clear();

        var run = KitRun.begun(emulator, folder);

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(emulator.requests().all())
                .extracting(LoggedRequest::operation)
                .contains(RequestKind.DATABASE_CREATE, RequestKind.DATABASE_DELETE);
    }

    @Test
    void a_signal_in_the_middle_removes_what_was_created() {
        try (var process = JavaProgram.of(Main.class, "--yes")
                .small(256)
                .with(KitRun.settings(emulator))
                .start()) {
            process.awaitPrinted("HOLDS  full read of the change feed");
            assertThat(databases()).anyMatch(name -> name.startsWith(Site.PREFIX));

            process.end();

            assertThat(process.lines())
                    .contains("Ended: removing what was created.")
                    .filteredOn(line -> line.matches("The database .* is removed\\."))
                    .hasSize(1);
            assertThat(process.lines()).noneMatch(line -> line.contains("Exception"));
        }
    }

    @Test
    void a_database_that_can_t_be_removed_is_named_with_what_to_do() {
        var refusal =
                emulator.faults().refuse(request -> request.operation() == RequestKind.DATABASE_DELETE, 0, 403, 0);
        emulator.faults().refuse(request -> request.operation() == RequestKind.CONTAINER_CREATE, 1, 403, 0);

        var run = KitRun.begun(emulator, folder);

        assertThat(run.code()).isNotZero();
        var left = databases().stream()
                .filter(name -> name.startsWith(Site.PREFIX))
                .toList();
        assertThat(left).hasSize(1);
        assertThat(run.err())
                .contains("The database " + left.get(0) + " is still there")
                .contains("database delete");
        refusal.remove();
        other.getDatabase(left.get(0)).delete();
    }

    @Test
    void nothing_is_created_before_somebody_agrees() {
        emulator.requests().clear();

        var run = KitRun.of(emulator, folder, Map.of(), "n\n");

        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("Costs at most 1.28 $", "Nothing was created.");
        assertThat(emulator.requests().all())
                .noneMatch(request -> request.operation().isWrite());
    }

    @Test
    void a_prepared_database_is_used_and_left() throws IOException {
        for (var container : List.of(Site.DOCUMENTS, Site.STORE)) {
            CosmosStore.provision(new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "prepared", container));
        }
        emulator.faults()
                .refuse(
                        request -> request.operation().isWrite()
                                && !request.operation().isData(),
                        0,
                        403,
                        5300);

        var run = KitRun.of(
                emulator,
                folder,
                Map.of("COSMOS_DATABASE", "prepared"),
                "y\n",
                "--prepared",
                "--split",
                "--only",
                "hello",
                "--only",
                "split");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.outcomes())
                .containsEntry("hello: start, one activity, completion", "HOLDS")
                .containsEntry("log sequence numbers, session and change feed over a split", "NOT TRIED");
        assertThat(databases()).contains("prepared");
    }
}
