package io.sluice.emulator.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.emulator.EmulatorConfig;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of headers and errors, byte by byte over a socket. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class WireTableIT {
    private static final Set<String> QUERIES_OF_ALL_KEYS =
            Set.of("400/1004", "x-ms-documentdb-query-enablecrosspartition");

    private static Store store;
    private static Store unpartitioned;

    @BeforeAll
    static void open() {
        var config = EmulatorConfig.inMemory().withRegions("West", "East").withContinuousBackup(true);
        store = Store.open(config);
        store.container("items");
        unpartitioned = Store.open(config.withPhysicalPartitions(1));
        unpartitioned.container("items");
    }

    @AfterAll
    static void close() {
        store.close();
        unpartitioned.close();
    }

    @AfterEach
    void endFaults() {
        Stream.of(store, unpartitioned)
                .forEach(opened -> opened.emulator()
                        .ifPresent(emulator -> emulator.faults().clear()));
    }

    static Stream<WireTable.Row> rows() {
        return Stream.concat(WireTable.HEADERS.rows().stream(), WireTable.ERRORS.rows().stream());
    }

    static Stream<WireTable.Row> queriesOfAllKeys() {
        return rows().filter(row -> QUERIES_OF_ALL_KEYS.contains(row.name()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void answers_what_its_page_says(WireTable.Row row) throws IOException {
        assumeTrue(store.isOurs() || !row.exceptions().containsKey("account"), () -> "" + row.exceptions());
        check(store, row);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("queriesOfAllKeys")
    void asks_for_a_plan_with_one_physical_partition_too(WireTable.Row row) throws IOException {
        assumeTrue(unpartitioned.isOurs(), "an account has as many partitions as it needs");
        check(unpartitioned, row);
    }

    private static void check(Store asked, WireTable.Row row) throws IOException {
        var dialogue = new WireDialogue(asked, UUID.randomUUID().toString());
        for (var step : row.setup()) {
            dialogue.prepare(step);
        }

        var answer = dialogue.ask(row.request());

        dialogue.check(row, answer);
    }
}
