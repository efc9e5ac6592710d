package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.RequestKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class OrderFulfilmentDemoIT {
    /** Of the demo; nine processes share the processors. */
    private static final String TIME_LIMIT_SECONDS = "240";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    /** Runs twice, on servers of its own: the other way to run it shows the same but for what is compared. */
    @Test
    @Tag("thorough")
    void a_small_order_book_with_a_broken_line_runs_to_an_exact_ledger() throws IOException {
        Path book = brokenOrderBook(30);

        ExitCode code = run(Map.of("SLUICE_DEMO_ORDERS", book.toString()));

        assertRunsToAnExactLedger(30, code);
        assertThat(printed())
                .containsPattern("dispatched +polled")
                .containsPattern("runtimes, idle, requests a minute +\\d+ +\\d+");
    }

    private void assertRunsToAnExactLedger(int orders, ExitCode code) {
        assertThat(printed()).contains("line " + (orders + 2) + ", column quantity: \"two\" is not a whole number");
        assertThat(code).as(printed()).isEqualTo(ExitCode.EXACT);
        assertThat(printed())
                .contains("killed with SIGKILL")
                .contains("EXACT")
                .contains("bad-not-json")
                .contains("runtime-3 (pid")
                .contains("relay-3 (pid");
    }

    @Test
    void two_variables_take_the_demo_to_another_account_and_it_leaves_nothing_behind() throws IOException {
        try (CosmosEmulator account = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            ExitCode code = run(Map.of(
                    "SLUICE_DEMO_ORDERS", brokenOrderBook(12).toString(),
                    "COSMOS_ENDPOINT", account.endpoint(),
                    "COSMOS_KEY", account.key()));

            assertRunsToAnExactLedger(12, code);
            assertThat(printed())
                    .contains("account " + account.endpoint())
                    .contains("upper bound")
                    .doesNotContain("polled");
            assertThat(account.requests().matching(request -> request.operation() == RequestKind.DATABASE_DELETE))
                    .singleElement()
                    .satisfies(request -> assertThat(request.status()).isEqualTo(204));
        }
    }

    @Test
    void an_order_book_without_a_readable_order_starts_nothing() throws IOException {
        Path book = Files.writeString(
                folder.resolve("orders.csv"),
                "order_id,customer,type,item,quantity,amount,currency,country,card,approval,cancel\n");

        ExitCode code = run(Map.of("SLUICE_DEMO_ORDERS", book.toString()));

        assertThat(code).isEqualTo(ExitCode.BROKEN_OFF);
        assertThat(printed()).contains("no readable order").doesNotContain("Cosmos");
    }

    @Test
    void an_endpoint_nobody_listens_on_is_named_with_a_remedy() {
        ExitCode code = run(Map.of("COSMOS_ENDPOINT", "http://127.0.0.1:1/", "COSMOS_KEY", "a2V5"));

        assertThat(code).isEqualTo(ExitCode.BROKEN_OFF);
        assertThat(printed()).contains("The demo can't go on").contains("http://127.0.0.1:1/");
    }

    @Test
    void a_wrong_key_is_told_as_such() {
        try (CosmosEmulator emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            ExitCode code = run(Map.of("COSMOS_ENDPOINT", emulator.endpoint(), "COSMOS_KEY", "d3Jvbmc="));

            assertThat(code).isEqualTo(ExitCode.BROKEN_OFF);
            assertThat(printed()).contains("key").doesNotContain("d3Jvbmc=");
        }
    }

    @Test
    void a_broker_nobody_listens_on_is_named_with_a_remedy() {
        ExitCode code = run(Map.of("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1"));

        assertThat(code).isEqualTo(ExitCode.BROKEN_OFF);
        assertThat(printed()).contains("127.0.0.1:1").contains("check KAFKA_BOOTSTRAP_SERVERS");
    }

    private ExitCode run(Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("SLUICE_DEMO_TIME_LIMIT_SECONDS", TIME_LIMIT_SECONDS);
        return OrderFulfilmentDemo.run(
                environment, new DemoReport(new PrintStream(printed, true, StandardCharsets.UTF_8)));
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private Path brokenOrderBook(int orders) throws IOException {
        return Files.writeString(
                orderBook(orders), "A-2,Ada,standard,Kettle,two,118.00,SEK,SE,ok,none,no\n", StandardOpenOption.APPEND);
    }

    /** The head of the shipped order book. */
    private Path orderBook(int orders) throws IOException {
        try (var in = OrderFulfilmentDemo.class.getResourceAsStream("/orders.csv")) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .limit(orders + 1L)
                    .toList();
            return Files.writeString(folder.resolve("orders.csv"), String.join("\n", lines) + "\n");
        }
    }
}
