package io.sluice.emulator.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.emulator.EmulatorConfig;
import java.io.IOException;
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
    private static Store store;

    @BeforeAll
    static void open() {
        store = Store.open(EmulatorConfig.inMemory().withRegions("West", "East").withContinuousBackup(true));
        store.container("items");
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @AfterEach
    void endFaults() {
        store.emulator().ifPresent(emulator -> emulator.faults().clear());
    }

    static Stream<WireTable.Row> rows() {
        return Stream.concat(WireTable.HEADERS.rows().stream(), WireTable.ERRORS.rows().stream());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void answers_what_its_page_says(WireTable.Row row) throws IOException {
        assumeTrue(store.isOurs() || !row.exceptions().containsKey("account"), () -> "" + row.exceptions());
        var dialogue = new WireDialogue(store, UUID.randomUUID().toString());
        for (var step : row.setup()) {
            dialogue.prepare(step);
        }

        var answer = dialogue.ask(row.request());

        dialogue.check(row, answer);
    }
}
